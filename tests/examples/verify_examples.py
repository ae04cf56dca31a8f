#!/usr/bin/env python3
"""Verifies the examples with `tritonsmith verify --json` and compares status, reason and exit code with what each file's
first line promises: kernels/ are accepted, wrong/ are rejected for the reason named.

usage: verify_examples.py [--binary PATH] [--jobs N] [--repeat N] [-v] [kernels/NAME | wrong/NAME ...]

--repeat runs every example N times (hidden inputs are drawn anew each time) and demands the same answer every time.
"""
import argparse
import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
HEADER = re.compile(r"# task: (?P<task>\w+)(?:  reason: (?P<reason>\w+))?$")
EXIT_CODES = {"accepted": 0, "rejected": 1, "unjudgeable": 4}


def expectation(path):
    """Task, status and reason that the first line of an example states."""
    header = HEADER.match(path.read_text().splitlines()[0])
    assert header, f"{path}: the first line must be '# task: NAME' or '# task: NAME  reason: CODE'"
    wrong = path.parent.name == "wrong"
    assert wrong == bool(header["reason"]), f"{path}: files in wrong/ state a reason, others none"
    return header["task"], "rejected" if wrong else "accepted", header["reason"]


def verify(binary, path):
    """One run: what differs from the expectation (empty if nothing), the verdict, and the seconds it took."""
    task, status, reason = expectation(path)
    begin = time.time()
    run = subprocess.run([binary, "verify", EXAMPLES / "tasks" / f"{task}.py", path, "--json"],
                         capture_output=True, text=True, cwd=ROOT)
    seconds = time.time() - begin
    try:
        verdict = json.loads(run.stdout)
    except ValueError:
        return f"exit code {run.returncode}, no JSON: {run.stderr.strip()[-600:]}", {}, seconds
    found = (verdict["status"], verdict["reason"], run.returncode)
    expected = (status, reason, EXIT_CODES[status])
    difference = "" if found == expected else f"expected {expected}, found {found}: {verdict['message']}"
    if not difference and verdict["accepted"] != (status == "accepted"):
        difference = "'accepted' contradicts 'status'"
    return difference, verdict, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=ROOT / "tritonsmith")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true", help="show every verdict")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    files = [EXAMPLES / f"{name}.py" for name in options.names]
    files = files or sorted(EXAMPLES.glob("kernels/*.py")) + sorted(EXAMPLES.glob("wrong/*.py"))
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = [(path, pool.submit(verify, options.binary, path)) for path in files for _ in range(options.repeat)]
        for path, run in runs:
            difference, verdict, seconds = run.result()
            failed += bool(difference)
            line = f"line {verdict['line']}" if verdict.get("line") else ""
            print(f"{'FAILED' if difference else 'ok':6} {path.parent.name}/{path.stem:28} {seconds:5.1f} s "
                  f"{verdict.get('reason') or verdict.get('status', ''):24} {line:9} {difference}", flush=True)
            if options.verbose:
                print(json.dumps(verdict, indent=1))
    print(f"{len(runs) - failed} of {len(runs)} as expected")
    sys.exit(1 if failed else 0)


main()
