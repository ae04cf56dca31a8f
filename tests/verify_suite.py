#!/usr/bin/env python3
"""Judges every program of a folder and compares status and reason with what each file's first line states.

usage: verify_suite.py [--binary PATH] [--device cuda:0] [--jobs N] [--repeat N] [--seed N] [--only TEXT[,TEXT...]] [--brief | -v]
                       [--keep FOLDER] FOLDER...

The first line of a program is `# task: NAME` where it must be accepted, `# task: NAME  reason: CODE` where it must not
be (`CODE|CODE` where chance decides between two). Tasks are NAME.py of the folder `tasks` in FOLDER or beside it, or of examples/tasks. All programs are rows of one batch
(`tritonsmith verify --batch`), those of one task behind each other. `# golden: ID` in the place of `# task: NAME` is a task and an
adapter for a program that is not here (tests/golden/README.md): both are written into a temporary folder, or that of --keep.
--repeat judges every program N times (in separate batches, so that hidden inputs are drawn again) and demands the same
answer every time. --seed fixes hidden inputs instead (N, N + 1, ... where programs are judged again): ctest's runs are
the same each time, and what chance decides is looked for with --repeat.
FOLDER/known_failures.txt lists programs that the judge does not yet see as stated, one a line: `NAME: why`. They are
reported and do not count; one that passes after all does count, so that the list shrinks, unless its line says
`NAME: by chance: why`.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from golden_programs import GoldenPrograms

ROOT = Path(__file__).resolve().parents[1]
HEADER = re.compile(r"# (?:task: (?P<task>\w+)|golden: G-\w+(?: repaired)?)(?:  reason: (?P<reason>[\w|]+))?$")
UNJUDGEABLE = {"task_error", "task_random", "task_degenerate", "unsupported_operation"}


class Program:
    """A file of a suite, and what its first line states."""

    def __init__(self, path, known_failures, device):
        header = HEADER.match(path.read_text().splitlines()[0])
        if not header:
            sys.exit(f"{path}: the first line must be '# task: NAME' or '# task: NAME  reason: CODE'")
        self.path, self.task = path, None
        self.reasons = header["reason"].split("|") if header["reason"] else [None]
        self.name = f"{path.parent.name}/{path.stem}"
        if self.reasons == ["shape_specialised"] and device != "cpu":
            self.reasons = [None]  # a device runs the whole of it at the task's own size
        reason = self.reasons[0]
        self.status = "accepted" if not reason else "unjudgeable" if reason in UNJUDGEABLE else "rejected"
        self.known = known_failures.get(path.stem)
        if not header["task"]:
            return
        folders = [path.parent / "tasks", path.parent.parent / "tasks", ROOT / "examples/tasks"]
        places = [f / f"{header['task']}.py" for f in folders]
        self.task = next((p for p in places if p.exists()), None)
        if self.task is None:
            sys.exit(f"{path}: there is no task {header['task']} in {folders[0]}")

    def difference(self, verdict):
        """What differs from the statement; empty if nothing does."""
        if verdict["status"] != self.status or verdict["reason"] not in self.reasons:
            return f"expected {'|'.join(filter(None, self.reasons)) or self.status}, found {verdict['reason'] or verdict['status']}: {verdict['message']}"
        if verdict["accepted"] != (self.status == "accepted"):
            return "'accepted' contradicts 'status'"
        return ""


def programs_of(folder, only, device):
    listed = folder / "known_failures.txt"
    lines = [line.split(":", 1) for line in listed.read_text().splitlines()] if listed.exists() else []
    known = {line[0].strip(): line[1].strip() for line in lines if len(line) == 2}
    files = sorted(folder.glob("*.py"))
    unknown = sorted(set(known) - {f.stem for f in files})
    if unknown:
        sys.exit(f"{listed} names {unknown[0]}, which is not in the folder")
    return [Program(f, known, device) for f in files if not only or any(text in f.stem for text in only)]


def verdicts(binary, programs, jobs, device, seed):
    """One verdict for each program, in order, as they come."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as batch:
        for program in programs:
            batch.write(json.dumps({"task": str(program.task), "candidate": str(program.path)}) + "\n")
        batch.flush()
        command = [binary, "verify", "--no-cache", "--device", device, "--batch", batch.name, *(["--jobs", str(jobs)] if jobs else []),
                   *(["--seed", str(seed)] if seed is not None else [])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as run:
            for program in programs:
                line = run.stdout.readline()
                if not line:
                    sys.exit(f"the batch ended before {program.name}: {run.communicate()[1].strip()[-2000:]}")
                yield program, json.loads(line)
            run.communicate()
            if run.returncode != 0:
                sys.exit(f"the batch ended with exit code {run.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=ROOT / "tritonsmith")
    parser.add_argument("--jobs", type=int, default=0, help="programs judged at a time (default: one per core)")
    parser.add_argument("--device", default="cpu", help="where programs run at full size: cpu (nowhere), cuda:N, emulated")
    parser.add_argument("--verdicts", type=Path, help="file to which every verdict is added, one a line")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--seed", type=int, help="fixes hidden inputs (default: drawn)")
    parser.add_argument("--brief", action="store_true", help="show only what is not as stated")
    parser.add_argument("--only", default="", help="judge the programs whose names have one of these texts in them")
    parser.add_argument("-v", "--verbose", action="store_true", help="show every verdict")
    parser.add_argument("--keep", type=Path, help="where tasks and candidates made for golden programs are left")
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    only = [text for text in options.only.split(",") if text]
    programs = [p for folder in options.folders for p in programs_of(folder.resolve(), only, options.device)]
    if not programs:
        sys.exit("no programs")
    made = tempfile.TemporaryDirectory()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    if any(program.task is None for program in programs):
        golden = GoldenPrograms(options.keep.resolve() if options.keep else made.name)
        for program in programs:
            if program.task is None:
                program.task, program.path = golden.compose(program.path)
    programs.sort(key=lambda program: str(program.task))
    counts = {"ok": 0, "FAILED": 0, "known": 0, "FIXED": 0}
    begin = time.time()
    for round in range(options.repeat):
        seed = None if options.seed is None else options.seed + round
        for program, verdict in verdicts(options.binary, programs, options.jobs, options.device, seed):
            difference = program.difference(verdict)
            chance = (program.known or "").startswith("by chance")
            word = ("known" if difference or chance else "FIXED") if program.known else "FAILED" if difference else "ok"
            if word == "FIXED":
                difference = "is as stated now: take it out of known_failures.txt"
            counts[word] += 1
            seconds = sum(stage["seconds"] for stage in verdict["stages"])
            line = f"line {verdict['line']}" if verdict.get("line") else ""
            if word != "ok" or not options.brief:
                print(f"{word:6} {program.name:48} {seconds:5.1f} s {verdict['reason'] or verdict['status']:24} "
                      f"{verdict['checked']:7} {line:9} {difference}", flush=True)
            if options.verdicts:
                with options.verdicts.open("a") as kept:
                    kept.write(json.dumps({**verdict, "program": program.name}) + "\n")
            if options.verbose:
                print(json.dumps(verdict, indent=1), flush=True)
    seconds = time.time() - begin
    print(f"{counts['ok']} as stated, {counts['FAILED']} not, {counts['known']} known failures, {counts['FIXED']} fixed, "
          f"in {seconds:.0f} s ({sum(counts.values()) / seconds:.2f}/s)")
    sys.exit(1 if counts["FAILED"] + counts["FIXED"] else 0)


if __name__ == "__main__":
    main()
