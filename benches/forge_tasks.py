#!/usr/bin/env python3
"""How many tasks the forge writes, and how many of those the judge accepts: a table by level, and what stops the rest.

    benches/forge_tasks.py TASKS.jsonl [--only L1 L2-7 …] [--judge] [--keep FOLDER] [--jobs N]

TASKS.jsonl has rows with `id`, `code` and optionally `level` (KernelBench's form). --keep FOLDER writes each kernel to
FOLDER/ID.py and the verdicts to FOLDER/verdicts.jsonl; kernels already there are judged again only with --judge.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ.get("TRITONSMITH_BINARY_DIR", ROOT / "build/release")) / "bin/tritonsmith"


def write(tasks, row, folder):
    """Writes one task's kernel. Returns (id, "" or why there is none, seconds)."""
    begin = time.monotonic()
    done = subprocess.run([PROGRAM, "generate", f"{tasks}#{row['id']}", "--smith", "forge", "--dry-run", "--explain"],
                          capture_output=True, text=True)
    kernel = folder / f"{row['id']}.py"
    kernel.unlink(missing_ok=True)
    if done.returncode == 0:
        kernel.write_text(done.stdout)
        (folder / f"{row['id']}.explained").write_text(done.stderr)
        return row["id"], "", time.monotonic() - begin
    lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    why = re.sub(r"^no kernel for [^:]*: ", "", lines[-1])
    return row["id"], ("(task) " if done.returncode == 4 else "") + why, time.monotonic() - begin


def judge(tasks, ids, folder, jobs):
    """Verdicts by id."""
    batch = folder / "rows.jsonl"
    batch.write_text("".join(json.dumps({"task": f"{tasks}#{i}", "candidate": str(folder / f"{i}.py")}) + "\n" for i in ids))
    verdicts = folder / "verdicts.jsonl"
    with verdicts.open("a") as out:  # each as it comes: a run that is cut off has not been in vain
        subprocess.run([PROGRAM, "verify", "--batch", batch, "--no-cache", "--device", "cpu", "--jobs", str(jobs)], stdout=out)
    return {v["task"].rsplit("#", 1)[-1]: v for v in map(json.loads, verdicts.read_text().splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", default=[], help="ids, or the beginnings of ids that end in a dash")
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--judge-only", action="store_true", help="judge the kernels that lie in --keep already")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.tasks.read_text().splitlines()]
    if options.only:
        rows = [r for r in rows if any(r["id"] == o or (o.endswith("-") and r["id"].startswith(o)) for o in options.only)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        failures, seconds = {}, {}
        if not options.judge_only:
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                for task, why, took in pool.map(lambda row: write(options.tasks, row, folder), rows):
                    failures[task], seconds[task] = why, took
                    print(f"{task}: {why or 'written'} ({took:.1f} s)", file=sys.stderr, flush=True)
        written = [r["id"] for r in rows if (folder / f"{r['id']}.py").exists()]
        verdicts = judge(options.tasks, written, folder, options.jobs) if options.judge or options.judge_only else {}
    reasons = collections.defaultdict(list)
    print(f"{'level':>8} {'tasks':>6} {'written':>8}" + (f" {'accepted':>9}" if verdicts else ""))
    for level in sorted({str(r.get("level", "")) for r in rows}):
        ids = [r["id"] for r in rows if str(r.get("level", "")) == level]
        good = [i for i in ids if verdicts.get(i, {}).get("status") == "accepted"]
        print(f"{level:>8} {len(ids):>6} {sum(i in written for i in ids):>8}" + (f" {len(good):>9}" if verdicts else ""))
    for task, why in failures.items():
        if why:
            reasons["not written: " + re.sub(r"line \d+", "line …", why)].append(task)
    for task, verdict in verdicts.items():
        if verdict["status"] != "accepted":
            reasons[f"{verdict['status']}: {verdict.get('reason')}: {verdict.get('message', '')[:200]}"].append(task)
    for why, tasks in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(tasks):>4}  {why}  [{' '.join(tasks)}]")


if __name__ == "__main__":
    main()
