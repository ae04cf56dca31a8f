#!/usr/bin/env python3
"""The forge's kernels on a GPU, against eager PyTorch and torch.compile: a table by level and by family.

    benches/forge_gpu.py TASKS.jsonl [--only L1 L2-7 …] [--out FILE.jsonl] [--device cuda:0] [-- FLAGS of generate …]

One `tritonsmith generate --json` for each task, one after the other, so that nothing disturbs the timing. Reports go to
--out as they come; tasks that it holds already are not run again, so that a run can be interrupted.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ.get("TRITONSMITH_BINARY_DIR", ROOT / "build/release")) / "bin/tritonsmith"


def family(code):
    """What most of a program's time goes to, from its text."""
    if "for step in range" in code:
        return "recurrent"
    if "tl.dot" in code:
        return "convolution" if "conv_" in code else "product"
    if "tl.cumsum" in code or "tl.cumprod" in code:
        return "scan"
    return "rows" if "tl.sum(" in code or "tl.max(" in code or "tl.min(" in code else "elementwise"


def run(tasks, task, options):
    command = [PROGRAM, "generate", f"{tasks}#{task['id']}", "--smith", "forge", "--json", "--compile-baseline", "--device", options.device]
    done = subprocess.run([*command, *options.flags], capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        report = {"accepted": False, "failure": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    verdict = report.get("verdict") or {}
    return {"id": task["id"], "level": task.get("level"), "accepted": report["accepted"], "family": family(report.get("code", "")),
            "candidate_ms": verdict.get("candidate_ms"), "baseline_ms": verdict.get("baseline_ms") or {},
            "reason": report.get("failure") or verdict.get("message"), "tried": report.get("tried", [])}


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def table(rows, by):
    baselines = sorted({name for row in rows for name in row["baseline_ms"]})
    print(f"{by:>12} {'tasks':>6} {'accepted':>9}" + "".join(f" {'faster than ' + name:>22} {'geomean':>8}" for name in baselines))
    groups = collections.defaultdict(list)
    for row in rows:
        groups[str(row[by])].append(row)
    for name, group in sorted(groups.items()):
        line = f"{name:>12} {len(group):>6} {sum(r['accepted'] for r in group):>9}"
        for baseline in baselines:
            speedups = [r["baseline_ms"][baseline] / r["candidate_ms"] for r in group
                        if r["accepted"] and r["candidate_ms"] and r["baseline_ms"].get(baseline)]
            line += f" {sum(s > 1 for s in speedups):>12} of {len(group):>6} {geomean(speedups):>8.2f}"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", default=[], help="ids, or the beginnings of ids that end in a dash")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("forge_gpu.jsonl"))
    parser.add_argument("--device", default="cuda:0")
    own, flags = (sys.argv[1:], []) if "--" not in sys.argv else (sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:])
    options = parser.parse_args(own)
    options.flags = flags
    tasks = [json.loads(line) for line in options.tasks.read_text().splitlines()]
    if options.only:
        tasks = [t for t in tasks if any(t["id"] == o or (o.endswith("-") and t["id"].startswith(o)) for o in options.only)]
    rows = [json.loads(line) for line in options.out.read_text().splitlines()] if options.out.exists() else []
    known = {row["id"] for row in rows}
    with options.out.open("a") as out:
        for task in tasks:
            if task["id"] in known:
                continue
            rows.append(run(options.tasks, task, options))
            out.write(json.dumps(rows[-1]) + "\n")
            out.flush()
            print(f"{task['id']}: {'accepted' if rows[-1]['accepted'] else rows[-1]['reason']}", file=sys.stderr, flush=True)
    table(rows, "level")
    table(rows, "family")
    for row in rows:
        if not row["accepted"]:
            print(f"{row['id']}: {row['reason']}")


if __name__ == "__main__":
    main()
