#!/usr/bin/env python3
"""Judges every program of a folder and compares status, reason and exit code with what each file's first line states.

usage: verify_suite.py [--binary PATH] [--server COMMAND] [--jobs N] [--repeat N] [--only TEXT[,TEXT...]] [-v] FOLDER...

The first line of a program is `# task: NAME` where it must be accepted, `# task: NAME  reason: CODE` where it must not
be. Tasks are NAME.py of the folder `tasks` beside FOLDER, or of examples/tasks.
--repeat judges every program N times (hidden inputs are drawn anew each time) and demands the same answer every time.
--server names a program that judges many: it reads lines "TASK CANDIDATE" (paths) and answers each with one line, the
verdict in JSON. Without it, `tritonsmith verify --json` is started for every program.
FOLDER/known_failures.txt lists programs that the judge does not yet see as stated, one a line: `NAME: why`. They are
reported and do not count; one that passes after all does count, so that the list shrinks.
"""
import argparse
import json
import re
import shlex
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER = re.compile(r"# task: (?P<task>\w+)(?:  reason: (?P<reason>\w+))?$")
EXIT_CODES = {"accepted": 0, "rejected": 1, "unjudgeable": 4}
UNJUDGEABLE = {"task_error", "task_random", "task_degenerate", "unsupported_operation", "shape_specialised"}


class Program:
    """A file of a suite, and what its first line states."""

    def __init__(self, path, known_failures):
        header = HEADER.match(path.read_text().splitlines()[0])
        if not header:
            sys.exit(f"{path}: the first line must be '# task: NAME' or '# task: NAME  reason: CODE'")
        self.path, self.reason = path, header["reason"]
        self.name = f"{path.parent.name}/{path.stem}"
        self.status = "accepted" if not self.reason else "unjudgeable" if self.reason in UNJUDGEABLE else "rejected"
        self.known = known_failures.get(path.stem)
        folders = [path.parent.parent / "tasks", ROOT / "examples/tasks"]
        places = [f / f"{header['task']}.py" for f in folders]
        self.task = next((p for p in places if p.exists()), None)
        if self.task is None:
            sys.exit(f"{path}: there is no task {header['task']} in {folders[0]}")

    def difference(self, verdict, exit_code):
        """What differs from the statement; empty if nothing does."""
        found, stated = (verdict["status"], verdict["reason"]), (self.status, self.reason)
        if found != stated:
            return f"expected {self.reason or self.status}, found {verdict['reason'] or verdict['status']}: {verdict['message']}"
        if verdict["accepted"] != (self.status == "accepted"):
            return "'accepted' contradicts 'status'"
        if exit_code not in (None, EXIT_CODES[self.status]):
            return f"exit code {exit_code}"
        return ""


class OneByOne:
    """Starts the program anew for every candidate."""

    def __init__(self, binary):
        self.binary = binary

    def judge(self, program):
        run = subprocess.run([self.binary, "verify", program.task, program.path, "--json"], capture_output=True,
                             text=True, cwd=ROOT)
        try:
            return json.loads(run.stdout), run.returncode
        except ValueError:
            raise RuntimeError(f"exit code {run.returncode}, no JSON: {run.stderr.strip()[-600:]}") from None


class Server:
    """One server for each thread, so that its tracer and workers stay warm."""

    def __init__(self, command):
        self.command = shlex.split(command)
        self.local = threading.local()

    def judge(self, program):
        server = getattr(self.local, "server", None)
        if server is None or server.poll() is not None:
            server = self.local.server = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                          stderr=subprocess.DEVNULL, text=True, cwd=ROOT)
        server.stdin.write(f"{program.task} {program.path}\n")
        server.stdin.flush()
        line = server.stdout.readline()
        if not line:
            raise RuntimeError(f"the server ended with {server.wait()}")
        return json.loads(line), None


def programs_of(folder, only):
    listed = folder / "known_failures.txt"
    lines = [line.split(":", 1) for line in listed.read_text().splitlines()] if listed.exists() else []
    known = {line[0].strip(): line[1].strip() for line in lines if len(line) == 2}
    files = sorted(folder.glob("*.py"))
    unknown = sorted(set(known) - {f.stem for f in files})
    if unknown:
        sys.exit(f"{listed} names {unknown[0]}, which is not in the folder")
    return [Program(f, known) for f in files if not only or any(text in f.stem for text in only)]


def judge_task(judge, programs, repeat):
    """All programs of one task one after the other, so that a server prepares it once."""
    for program in programs:
        for _ in range(repeat):
            begin = time.time()
            verdict = {}
            try:
                verdict, exit_code = judge.judge(program)
                difference = program.difference(verdict, exit_code)
            except (RuntimeError, ValueError, OSError) as error:
                difference = str(error)
            yield program, verdict, difference, time.time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=ROOT / "tritonsmith")
    parser.add_argument("--server")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--only", default="", help="judge the programs whose names have one of these texts in them")
    parser.add_argument("-v", "--verbose", action="store_true", help="show every verdict")
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    judge = Server(options.server) if options.server else OneByOne(options.binary)
    only = [text for text in options.only.split(",") if text]
    by_task = {}
    for folder in options.folders:
        for program in programs_of(folder.resolve(), only):
            by_task.setdefault(program.task, []).append(program)
    counts = {"ok": 0, "FAILED": 0, "known": 0, "MENDED": 0}
    printing = threading.Lock()

    def run(programs):
        for program, verdict, difference, seconds in judge_task(judge, programs, options.repeat):
            word = ("known" if difference else "MENDED") if program.known else "FAILED" if difference else "ok"
            if word == "MENDED":
                difference = "is as stated now: take it out of known_failures.txt"
            line = f"line {verdict['line']}" if verdict.get("line") else ""
            with printing:
                counts[word] += 1
                print(f"{word:6} {program.name:48} {seconds:5.1f} s {verdict.get('reason') or verdict.get('status', ''):24} "
                      f"{verdict.get('checked', ''):7} {line:9} {difference}", flush=True)
                if options.verbose:
                    print(json.dumps(verdict, indent=1), flush=True)

    begin = time.time()
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(run, by_task.values()))
    print(f"{counts['ok']} as stated, {counts['FAILED']} not, {counts['known']} known failures, "
          f"{counts['MENDED']} mended, in {time.time() - begin:.0f} s")
    sys.exit(1 if counts["FAILED"] + counts["MENDED"] or not sum(counts.values()) else 0)


main()
