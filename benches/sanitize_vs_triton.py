"""`tritonsmith sanitize` against TRITON_INTERPRET=1: whole scripts, one after the other on the same machine.

    .venv/bin/python benches/sanitize_vs_triton.py build/release/bin/tritonsmith [REPEAT]

Prints a line for each script: medians of processor time and wall time of both, in seconds, the script's start (imports) included.
Our times include all checks. Under Triton's interpreter the tensors lie on the CPU.
"""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent / "sanitize"


def timed(command, environment):
    """(processor seconds, wall seconds)"""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ran = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode:
        sys.exit(f"{command[-1]} ended with {ran.returncode}: {ran.stderr[-1000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main():
    program, repeat = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(f"{'script':12} {'sanitize':>16} {'TRITON_INTERPRET':>18}   (processor / wall seconds)")
    for script in sorted(FOLDER.glob("*.py")):
        ours, theirs = [], []
        for _ in range(repeat):
            ours.append(timed([program, "sanitize", str(script)], {"DEVICE": "cuda"}))
            theirs.append(timed([sys.executable, str(script)], {"DEVICE": "cpu", "TRITON_INTERPRET": "1"}))
        row = [f"{statistics.median(c for c, _ in runs):7.1f} /{statistics.median(w for _, w in runs):7.1f}" for runs in (ours, theirs)]
        print(f"{script.stem:12} {row[0]:>16} {row[1]:>18}", flush=True)


main()
