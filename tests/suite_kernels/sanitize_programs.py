"""What `tritonsmith sanitize` says of TritonBench-G's programs with their own tests.

    TRITONSMITH_DEV_DATA=… sanitize_programs.py TRITONSMITH [--seconds S] [ID ...]

TRITONSMITH_DEV_DATA names the folder of tritonbench_dev.jsonl. Results: docs/sanitize.md.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def sanitized(row, program, seconds):
    """(what it ends as, the answer or None, its last words, seconds)"""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{row['id']}.py"
        path.write_text(row.get("code_repaired") or row["code"])
        try:
            ran = subprocess.run([program, "sanitize", "--json", path], cwd=folder, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"not finished in {seconds} s", None, "", time.monotonic() - begin
    try:
        answer = json.loads(ran.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return f"died ({ran.returncode})", None, ran.stderr[-500:], time.monotonic() - begin
    reasons = ",".join(sorted({f["reason"] for f in answer["findings"]}))
    end = "findings" if reasons else "not checked" if answer["unchecked"] else "the script fails" if answer["script_exit"] else "clean"
    return end, answer, ran.stderr[-500:] if answer["script_exit"] else "", time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("ids", nargs="*", metavar="ID")
    options = parser.parse_intermixed_args()
    data = pathlib.Path(os.environ.get("TRITONSMITH_DEV_DATA", "")) / "tritonbench_dev.jsonl"
    if not data.is_file():
        print("skipped: TRITONSMITH_DEV_DATA names no folder with tritonbench_dev.jsonl")
        return 77
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    rows = [r for r in rows if (r["id"] in options.ids if options.ids else r["id"].startswith("G-"))]
    ends, launches = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for row, (end, answer, words, seconds) in zip(rows, pool.map(lambda r: sanitized(r, options.program.resolve(), options.seconds), rows)):
            ends[end] += 1
            said = f"{answer['launches']} launches of {answer['kernels']} kernels" if answer else ""
            launches += answer["launches"] if answer else 0
            print(f"{end:20} {row['id']:28} {seconds:6.1f} s  {said}", flush=True)
            for kind in ("findings", "unchecked", "warnings"):
                for entry in answer[kind] if answer else ():
                    print(f"        {kind}: {entry['kernel']}:{entry['line']}: {entry['reason']}: {entry['message'][:160]} ({entry['count']} times)")
            if words:
                print("        " + words.replace("\n", "\n        "), flush=True)
    print(f"{len(rows)} programs, {launches} launches: " + ", ".join(f"{count} {end}" for end, count in ends.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
