"""How many TritonBench-G programs run in our interpreter with the same result as in Triton's, launch by launch.

    TRITONSMITH_DEV_DATA=… compare_programs.py RUN_LAUNCH [--least N] [--seconds S] [ID ...]

TRITONSMITH_DEV_DATA names the folder of tritonbench_dev.jsonl. Exit status 1 where fewer than N programs agree, 77 where there is
no such file or Triton's interpreter does not work with the installed numpy. Results: docs/suites.md.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

HERE = pathlib.Path(__file__).resolve().parent


def compare(row, program, seconds, keep):
    """({"end", "launches": [...]}, seconds)"""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(keep or folder)
        path = folder / f"{row['id']}.py"
        path.write_text(row.get("code_repaired") or row["code"])
        command = [sys.executable, HERE / "run_program.py", path, program, folder, str(seconds)]
        begin = time.monotonic()
        environment = {**os.environ, "TRITON_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            with open(folder / "output", "w") as output:
                ended = subprocess.run(command, cwd=folder, env=environment, stdout=output, stderr=output, timeout=seconds)
            outcome = json.loads((folder / "outcome.json").read_text())
        except subprocess.TimeoutExpired:
            outcome = {"end": f"not finished in {seconds} s"}
        except FileNotFoundError:
            outcome = {"end": f"died ({ended.returncode}): " + (folder / "output").read_text()[-300:]}
        launches = folder / "launches"
        outcome["launches"] = [json.loads(line) for line in launches.read_text().splitlines() if line.endswith("}")] if launches.exists() else []
    outcome["seconds"] = round(time.monotonic() - begin, 1)
    return outcome


def judged(outcome):
    """("agrees", "differs", or "faulty": both interpreters find the program itself at fault (an access out of
    bounds, a division by zero, a result that depends on the order of its programs); what to say of it; why)"""
    launches = outcome["launches"]
    compared = [entry for entry in launches if entry.get("compared")]
    whole = sum(math.prod(e["grid"]) == e["compared"] for e in compared)
    kernels = {e["text"] for e in launches}
    said = f"{len(launches)} launches of {len(kernels)} kernels, {len(compared)} compared, {whole} of them whole"
    problems, faults = [], []
    for e in launches:
        if e.get("unsupported"):
            problems.append(f"{e['kernel']}: unsupported: {e['unsupported']}")
        for finding in e.get("findings", ()):
            confirmed = (finding.split(":")[0] == e.get("reference_fault")
                         or finding.startswith("race") and e.get("reference_order_matters"))
            (faults if confirmed else problems).append(f"{e['kernel']}: {finding}")
        if e.get("timed_out"):
            problems.append(f"{e['kernel']}: our interpreter timed out")
        if not e.get("reference_order_matters"):
            problems += [f"{e['kernel']}: differs: {d}" for d in e.get("different", ())]
    missing = kernels - {e["text"] for e in compared} - {e["text"] for e in launches if e.get("reference_fault") and e.get("findings")}
    for text in sorted(missing):
        entry = next(e for e in launches if e["text"] == text)
        problems.append(f"{entry['kernel']}: not compared: {entry.get('reference_error', '')}")
    if not launches:
        problems.append("no launch")
    if outcome["end"] != "finished":
        said += f"; the program ended early: {outcome['end']}"
    verdict = "differs" if problems else "faulty" if faults else "agrees"
    return verdict, said, list(dict.fromkeys(problems + faults))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--keep", help="a folder for everything that a program left (one ID)")
    parser.add_argument("ids", nargs="*", metavar="ID")
    options = parser.parse_intermixed_args()
    data = pathlib.Path(os.environ.get("TRITONSMITH_DEV_DATA", "")) / "tritonbench_dev.jsonl"
    if not data.is_file():
        print("skipped: TRITONSMITH_DEV_DATA names no folder with tritonbench_dev.jsonl")
        return 77
    if [int(part) for part in numpy.__version__.split(".")[:2]] >= [2, 4]:
        print(f"skipped: Triton's interpreter does not work with numpy {numpy.__version__} (install numpy<2.4)")
        return 77
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    rows = [r for r in rows if (r["id"] in options.ids if options.ids else r["id"].startswith("G-"))]
    count = dict.fromkeys(("agrees", "faulty", "differs"), 0)
    for row in rows:
        outcome = compare(row, options.program.resolve(), options.seconds, options.keep)
        verdict, said, problems = judged(outcome)
        count[verdict] += 1
        print(f"{verdict:7} {row['id']:28} {outcome['seconds']:6.1f} s  {said}", flush=True)
        for problem in problems[:8]:
            print(f"        {problem[:400]}", flush=True)
    print(f"{len(rows)} programs: {count['agrees']} agree, {count['differs']} do not; {count['faulty']} are themselves at fault, in both")
    return 0 if count["agrees"] >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
