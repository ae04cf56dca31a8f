#!/usr/bin/env python3
"""How fast `tritonsmith bench` judges eight answers to each problem of a suite, and that a run that is killed goes on without
judging an answer twice. Results: benches/results/bench_rate.txt.

usage: bench_rate.py SUITE.jsonl -o FOLDER [--device cuda:0] [--jobs N] [--kill-at 0.5] [--only L1-7 ...] [-- further options of bench]

The answers: the forge's program, three with other numbers of warps (right, but programs of their own), and four wrong ones as models
write them: results a hundredth too large, half of the programs without an effect, a load without its mask, a text that breaks off.
SUITE.jsonl has rows with `id` and `code` (KernelBench's form). The program is that of build/release, or of $TRITONSMITH_BINARY_DIR.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from forge_tasks import PROGRAM, write  # noqa: E402


def variants(program):
    """Eight answers: four right, four wrong; fewer where a change finds nothing to change."""
    def warps(number):
        with_number = re.sub(r"num_warps=\d+", f"num_warps={number}", program)
        return with_number if with_number != program or f"num_warps={number}" in program else re.sub(
            r"(\]\([^()]*(?:\([^()]*\)[^()]*)*)\)\n", rf"\1, num_warps={number})\n", program)

    head, store, rest = program.rpartition("tl.store(")
    place, _, after = rest.partition(", ")
    return [program, *(f"# {number} warps\n" + warps(number) for number in (2, 4, 8)),
            f"{head}{store}{place}, 1.01 * {after}",
            program.replace("tl.program_id(0)", "(tl.program_id(0) // 2 * 2)"),
            re.sub(r"(tl\.load\([^\n]*?), mask=[^\n]*?, other=[^\n)]*\)", r"\1)", program, count=1),
            program[:len(program) * 3 // 5]]


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")] if path.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--kill-at", type=float, default=0.5, help="share of the verdicts at which the run is killed (SIGKILL); 1: never")
    parser.add_argument("--only", nargs="+", default=[], help="ids of problems")
    parser.add_argument("more", nargs="*", help="further options of bench, after --")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    rows = [row for row in map(json.loads, options.suite.read_text().splitlines()) if not options.only or row["id"] in options.only]
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        refused = {task: why for task, why, _ in pool.map(lambda row: write(options.suite, row, options.output), rows) if why}
    print(f"{len(rows) - len(refused)} of {len(rows)} programs written by the forge in {time.monotonic() - begin:.0f} s; refused: {refused}", flush=True)
    answers = options.output / "answers.jsonl"
    with answers.open("w") as out:
        for row in rows:
            program = options.output / f"{row['id']}.py"
            for sample, code in enumerate(variants(program.read_text()) if program.exists() else ["import torch\n"] * 8):
                print(json.dumps({"task": row["id"], "sample": sample, "code": code}), file=out)
    run = options.output / "run"
    command = [PROGRAM, "bench", "--suite", "kernelbench", options.suite, "--answers", answers, "--device", options.device, "--seed", "1", "--no-cache",
               "--jobs", options.jobs, "-o", run, *(part for one in options.only for part in ("--only", one)), *options.more]
    command = list(map(str, command))
    print(" ".join(command), flush=True)
    total, killed, begin = 8 * len(rows), 0, time.monotonic()
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    while first.poll() is None:
        time.sleep(0.2)
        killed = len(lines(run / "verdicts.jsonl"))
        if killed >= options.kill_at * total and options.kill_at < 1:
            os.killpg(first.pid, signal.SIGKILL)
            first.wait()
            print(f"killed after {time.monotonic() - begin:.0f} s and {killed} verdicts", flush=True)
            subprocess.run(command, stdout=subprocess.DEVNULL)
    took = time.monotonic() - begin
    verdicts = lines(run / "verdicts.jsonl")
    times = collections.Counter((line["problem"], line["sample"]) for line in verdicts)
    print(f"{len(times)} of {total} answers judged in {took:.0f} s ({len(times) / took:.2f}/s), {sum(times.values()) - len(times)} of them twice")
    for sample in range(8):
        counted = collections.Counter(line["verdict"].get("reason") or line["verdict"]["status"] for line in verdicts if line["sample"] == sample)
        print(f"  sample {sample}: " + ", ".join(f"{count} {reason}" for reason, count in counted.most_common()))


if __name__ == "__main__":
    main()
