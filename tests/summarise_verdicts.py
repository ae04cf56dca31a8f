#!/usr/bin/env python3
"""Counts the verdicts of a batch, and names each candidate that was not accepted.

usage: summarise_verdicts.py VERDICTS.jsonl [--slowest N]
"""
import argparse
import collections
import json
from pathlib import Path


def name(verdict):
    return verdict["task"].rsplit("/", 1)[-1]


def seconds(verdict):
    return sum(stage["seconds"] for stage in verdict["stages"])


def counted(words):
    return ", ".join(f"{count} {word}" for word, count in collections.Counter(words).most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verdicts", type=Path)
    parser.add_argument("--slowest", type=int, default=0)
    args = parser.parse_args()
    verdicts = [json.loads(line) for line in args.verdicts.read_text().splitlines() if line.strip()]
    print(f"{len(verdicts)} candidates: {counted(v['status'] for v in verdicts)}")
    accepted = [v for v in verdicts if v["status"] == "accepted"]
    if accepted:
        print(f"of the accepted, checked: {counted(v['checked'] for v in accepted)}")
    others = [v for v in verdicts if v["status"] != "accepted"]
    if others:
        print(f"not accepted: {counted(v['reason'] for v in others)}")
    for verdict in sorted(others, key=lambda v: (v["reason"], name(v))):
        line = f" (line {verdict['line']})" if verdict["line"] else ""
        print(f"  {name(verdict)}  {verdict['reason']}{line}: {' '.join(verdict['message'].split())[:200]}")
    for verdict in sorted(verdicts, key=seconds, reverse=True)[:args.slowest]:
        slow = max(verdict["stages"], key=lambda stage: stage["seconds"])
        print(f"  {seconds(verdict):7.1f} s  {name(verdict)}, most of it {slow['stage']}")


if __name__ == "__main__":
    main()
