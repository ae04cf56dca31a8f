#!/usr/bin/env python3
"""The head room of honest programs: how much of the bound on its error each one uses.

usage: head_room.py VERDICTS.jsonl...

Reads verdicts as `tests/verify_suite.py --verdicts FILE` keeps them (several of one program: the largest counts), and prints a line for each accepted program:
the largest share of the bound at the small size (and at full size, where there was a device), its error, and the
reference's own. At the end how many programs use how much.
"""
import json
import sys

EDGES = [0.1, 0.25, 0.5, 0.75, 1.0]


def read(files):
    programs = {}
    for file in files:
        for line in open(file):
            verdict = json.loads(line)
            error = verdict["evidence"].get("error")
            if verdict["status"] != "accepted" or error is None:
                continue
            full = verdict["evidence"].get("full_size_run", {}).get("share_of_bound")
            row = (error["share_of_bound"], full, error["candidate"], error["reference"])
            name = verdict["program"]
            if name not in programs or worst(row) > worst(programs[name]):
                programs[name] = row
    return programs


def worst(row):
    return max(row[0], row[1] or 0)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs = read(sys.argv[1:])
    print(f"{'program':52} {'small':>7} {'full':>7} {'error':>9} {'reference':>10}")
    for name, row in sorted(programs.items(), key=lambda item: -worst(item[1])):
        full = f"{row[1]:7.1%}" if row[1] is not None else "      -"
        print(f"{name:52} {row[0]:7.1%} {full} {row[2]:9.2e} {row[3]:10.2e}")
    print()
    below = 0.0
    for edge in EDGES:
        count = sum(below <= worst(row) < edge for row in programs.values())
        print(f"{below:4.0%} to {edge:4.0%} of the bound: {count:4} programs")
        below = edge


if __name__ == "__main__":
    main()
