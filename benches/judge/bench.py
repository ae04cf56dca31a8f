"""The judge on a GPU against a public evaluator's protocol, on the same 64 candidates, one after the other on one machine.

    TRITONSMITH_DEV_DATA=FOLDER .venv/bin/python benches/judge/bench.py --output benches/results/judge_gpu.txt [--public-rows 16] [--jobs N] [-- FLAGS OF VERIFY]

FOLDER holds kernelbench_dev.jsonl. The judge takes all candidates (candidates/) as one batch, with an empty cache of compiled kernels and verdicts. The
public protocol (public_protocol.py) takes a fresh process for each, one at a time, because it times on the GPU. --public-rows samples
it, the same number of each problem's candidates as far as that goes; its throughput is then that of the sample. Prints verdicts
side by side, throughputs and their ratio, and writes the same to --output.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from candidates import everything

ROOT = Path(__file__).resolve().parents[2]
PUBLIC_SECONDS = 300  # after which a candidate counts as rejected


def judged(rows, problems, device, folder, jobs, flags):
    """@returns ([verdict], seconds)"""
    batch, out = folder / "batch.jsonl", folder / "verdicts.jsonl"
    batch.write_text("".join(json.dumps({"task": f"{problems}#{row.problem}", "code": row.code}) + "\n" for row in rows))
    command = [str(ROOT / "build/release/bin/tritonsmith"), "verify", "--batch", str(batch), "-o", str(out), "--device", device, "--no-cache", *flags]
    if jobs:
        command += ["--jobs", str(jobs)]
    begin = time.monotonic()
    subprocess.run(command, check=True, env={**os.environ, "TRITONSMITH_CACHE": str(folder / "cache")})
    seconds = time.monotonic() - begin
    verdicts = sorted((json.loads(line) for line in out.read_text().splitlines()), key=lambda v: v["row"])
    if len(verdicts) != len(rows):
        sys.exit(f"{len(verdicts)} verdicts for {len(rows)} candidates")
    return verdicts, seconds


def sampled(rows, count):
    """So many rows (0: all), in an order whose beginning is spread over problems and kinds."""
    problems = list(dict.fromkeys(row.problem for row in rows))
    by_problem = [[row for row in rows if row.problem == problem] for problem in problems]
    # The first round takes another kind of each problem, the second the next one …
    order = [group[(i + turn) % len(group)] for turn in range(4) for i, group in enumerate(by_problem)]
    return order[:count] if count else order


def by_public_protocol(row, problems, device, folder):
    """{"accepted", "message", "ms", "wall"}"""
    path = folder / "candidate.py"
    path.write_text(row.code)
    begin = time.monotonic()
    try:
        done = subprocess.run([sys.executable, str(Path(__file__).with_name("public_protocol.py")), f"{problems}#{row.problem}", str(path), "--device", device],
                              capture_output=True, text=True, timeout=PUBLIC_SECONDS, env={**os.environ, "TRITON_CACHE_DIR": str(folder / "triton")})
        lines = done.stdout.strip().splitlines()
        answer = json.loads(lines[-1]) if done.returncode == 0 and lines else \
            {"accepted": False, "message": f"ended with {done.returncode}: {done.stderr.strip()[-200:]}", "ms": None}
    except subprocess.TimeoutExpired:
        answer = {"accepted": False, "message": f"more than {PUBLIC_SECONDS} s", "ms": None}
    return {**answer, "wall": time.monotonic() - begin}


def machine(device):
    if device == "cpu":
        return "no GPU"
    try:
        return subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip()
    except OSError:
        return device


def in_ms(value):
    return f"{value:9.4f}" if isinstance(value, (int, float)) else " " * 9


def report(rows, verdicts, seconds, public, device):
    lines = [f"machine: {machine(device)}, {os.cpu_count()} processors", "",
             f"{'candidate':14} {'is':6} {'judge':12} {'reason':22} {'ms':>9}  {'public':9} {'ms':>9}  what is wrong with it"]
    ours_right = public_right = agree = 0
    for row, verdict in zip(rows, verdicts):
        theirs = public.get(row.name)
        ours_right += (verdict["status"] == "accepted") == row.right
        text = f"{row.name:14} {'right' if row.right else 'wrong':6} {verdict['status']:12} {verdict['reason'] or '':22} {in_ms(verdict['candidate_ms'])}  "
        if theirs:
            public_right += theirs["accepted"] == row.right
            agree += theirs["accepted"] == (verdict["status"] == "accepted")
            text += f"{'accepted' if theirs['accepted'] else 'rejected':9} {in_ms(theirs['ms'])}  "
        else:
            text += " " * 21
        lines.append((text + row.why).rstrip())
    walls = [answer["wall"] for answer in public.values()]
    rate = len(rows) / seconds
    lines += ["", f"judge: {len(rows)} candidates in {seconds:.1f} s, {rate:.2f} a second; {ours_right} of {len(rows)} judged as they are"]
    if walls:
        their_rate = len(walls) / sum(walls)
        sample = "" if len(walls) == len(rows) else f" (a sample of {len(walls)}, spread over problems and kinds)"
        lines += [f"public protocol: {len(walls)} candidates{sample} in {sum(walls):.1f} s, {their_rate:.3f} a second; {public_right} of {len(walls)} judged as they are",
                  f"ratio: {rate / their_rate:.1f}", f"verdicts agree on {agree} of {len(walls)}"]
    for row in rows:
        theirs = public.get(row.name)
        if theirs and theirs["accepted"] != row.right:
            lines.append(f"public protocol, {row.name}: {theirs['message'] or 'accepted'}")
    for row, verdict in zip(rows, verdicts):
        if (verdict["status"] == "accepted") != row.right:
            lines.append(f"judge, {row.name}: {verdict['message']}")
    return "\n".join(lines) + "\n"


def main():
    own, flags = (sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]) if "--" in sys.argv else (sys.argv[1:], [])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--problems", default=os.path.join(os.environ.get("TRITONSMITH_DEV_DATA", "."), "kernelbench_dev.jsonl"))
    parser.add_argument("--public-rows", type=int, default=0, help="candidates that the public protocol takes; 0: all; -1: none")
    parser.add_argument("--public-seconds", type=float, default=float("inf"), help="no further candidate for the public protocol after this time")
    parser.add_argument("--only", help="problems, as in L1-19,L1-21")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--output")
    args = parser.parse_args(own)
    rows = [row for row in everything() if not args.only or row.problem in args.only.split(",")]
    if not Path(args.problems).exists():
        sys.exit(f"{args.problems} is missing: set TRITONSMITH_DEV_DATA to the folder of kernelbench_dev.jsonl, or give --problems")
    with tempfile.TemporaryDirectory() as folder:
        verdicts, seconds = judged(rows, args.problems, args.device, Path(folder), args.jobs, flags)
        public, begin = {}, time.monotonic()
        for row in [] if args.public_rows < 0 else sampled(rows, args.public_rows):
            if time.monotonic() - begin > args.public_seconds:
                break
            public[row.name] = by_public_protocol(row, args.problems, args.device, Path(folder))
            print(f"public protocol: {row.name} {public[row.name]['wall']:.1f} s", file=sys.stderr, flush=True)
    text = report(rows, verdicts, seconds, public, args.device)
    sys.stdout.write(text)
    if args.output:
        Path(args.output).parent.mkdir(parents=True, exist_ok=True)
        Path(args.output).write_text(text)


if __name__ == "__main__":
    main()
