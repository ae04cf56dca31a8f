#!/usr/bin/env python3
"""What `tritonsmith bench` gives for answers whose score is known: our honest programs (100 %), programs that cheat or fail, and
answers without a program (0 % robust). Results: benches/results/bench_golden.txt.

usage: bench_golden.py BINARY [--device cpu] [--jobs N] [--seed N] [--every N] [--only honest|wrong|empty] [--keep FOLDER]
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from verify_suite import programs_of  # noqa: E402

SETS = {"honest": ["examples/kernels", "tests/honest"], "wrong": ["examples/wrong", "tests/attacks"]}
NOTHING = ["", "I am sorry.", "import torch\n"]  # no program, prose, and no kernel


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def answers_of(name, every, device):
    """(task's path, program) for each program of a set; known failures of the judge are its own affair."""
    if name == "empty":
        return [(path, text) for path in sorted((ROOT / "examples/tasks").glob("*.py")) for text in NOTHING]
    programs = [one for folder in SETS[name] for one in programs_of(ROOT / folder, [], device)]
    wanted = "accepted" if name == "honest" else "rejected"
    return [(one.task, one.path.read_text()) for one in programs if not one.known and one.status == wanted][::every]


def score(name, options, folder):
    answers = answers_of(name, options.every, options.device)
    tasks = {str(path): path.read_text() for path, _ in answers}
    # Tasks of several folders may share a name.
    names = {path: f"{Path(path).parent.parent.name}-{Path(path).stem}" for path in tasks}
    write(folder / "suite.jsonl", [{"id": names[path], "code": text} for path, text in tasks.items()])
    write(folder / "answers.jsonl", [{"task": names[str(path)], "code": text} for path, text in answers])
    run = folder / name
    command = [options.binary, "bench", "--suite", "tasks", folder / "suite.jsonl", "--answers", folder / "answers.jsonl", "--device", options.device,
               "--seed", options.seed, "-o", run, *(["--jobs", options.jobs] if options.jobs else [])]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{name}: bench ended with exit code {done.returncode}")
    verdicts = [json.loads(line) for line in (run / "verdicts.jsonl").read_text().splitlines()]
    accepted = sum(line["verdict"]["status"] == "accepted" for line in verdicts)
    print(f"{name:8} {len(tasks):4} problems {len(verdicts):5} answers {accepted:5} accepted: {100 * accepted / len(verdicts):.1f} %", flush=True)
    for line in verdicts:
        if (line["verdict"]["status"] == "accepted") != (name == "honest"):
            print(f"         {line['problem']} sample {line['sample']}: {line['verdict']['reason'] or 'accepted'}: {line['verdict']['message']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="only every Nth program")
    parser.add_argument("--only", choices=["honest", "wrong", "empty"], help="only this set")
    parser.add_argument("--keep", type=Path, help="folder where the runs are left, and go on")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        for name in [options.only] if options.only else ["honest", "wrong", "empty"]:
            score(name, options, folder)


if __name__ == "__main__":
    main()
