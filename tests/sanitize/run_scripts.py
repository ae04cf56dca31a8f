#!/usr/bin/env python3
"""Runs `tritonsmith sanitize` on every script here and compares what it says with what the script states.

usage: run_scripts.py TRITONSMITH [NAME...]

First line of a script: `# exit N: REASON… ` (findings in order; `clean`), then `; warnings: REASON…`, `; unchecked: REASON…`,
`; script_exit N`, `; launches N`. Lines after it: `# arguments: …`, `# options: …`, `# stdout: …` (a line of it), `# stderr: …` (part of it).
A finding lies where its script says `# <- REASON`, a warning at `# <~ REASON`, what is not checked at `# <? REASON` (`interpret_timeout` has no line);
a launch at `# <- launched`, where that is said.
"""
import concurrent.futures
import json
import pathlib
import re
import resource
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MARKS = {"findings": "# <- ", "warnings": "# <~ ", "unchecked": "# <? "}


def stated(text):
    lines = text.splitlines()
    exit_code, rest = re.fullmatch(r"# exit (\d): (.*)", lines[0]).groups()
    parts = [part.strip() for part in rest.split(";")]
    want = {"exit": int(exit_code), "findings": parts[0].replace("clean", "").split(), "warnings": [], "unchecked": [], "script_exit": 0, "launches": None,
            "arguments": [], "options": [], "stdout": [], "stderr": []}
    for part in parts[1:]:
        name, value = re.fullmatch(r"(\w+):? (.*)", part).groups()
        want[name] = int(value) if name in ("script_exit", "launches") else value.split()
    for line in lines[1:]:
        found = re.fullmatch(r"# (arguments|options|stdout|stderr): (.*)", line)
        if found is None:
            break
        want[found[1]] += [found[2]] if found[1].startswith("std") else found[2].split()
    return want


def source_line(file, line):
    return pathlib.Path(file).read_text().splitlines()[line - 1]


def differences(script, want, ran):
    answer = json.loads(ran.stdout.splitlines()[-1])
    if ran.returncode != want["exit"]:
        yield f"exit code {ran.returncode}, not {want['exit']}"
    if answer["script_exit"] != want["script_exit"]:
        yield f"the script's exit code {answer['script_exit']}, not {want['script_exit']}"
    if want["launches"] not in (None, answer["launches"]):
        yield f"{answer['launches']} launches, not {want['launches']}"
    for kind, mark in MARKS.items():
        reasons = [entry["reason"] for entry in answer[kind]]
        if sorted(set(reasons)) != sorted(set(want[kind])):
            yield f"{kind}: {reasons}, not {want[kind]}"
        for entry in answer[kind]:
            if entry["reason"] != "interpret_timeout" and mark + entry["reason"] not in source_line(entry["file"], entry["line"]):
                yield f"{entry['reason']} at {entry['file']}:{entry['line']}, where nothing says so"
            if "# <- launched" in pathlib.Path(entry["file"]).read_text() and "# <- launched" not in source_line(entry["host_file"], entry["host_line"]):
                yield f"launched at {entry['host_file']}:{entry['host_line']}, where nothing says so"
    texts = [script, *(script.parent.glob("*.py") if script.parent != HERE else ())]
    marks = sum(pathlib.Path(t).read_text().count(mark + reason + "\n") for t in set(texts) for kind, mark in MARKS.items()
                for reason in set(want[kind]))
    seen = sum(e["reason"] != "interpret_timeout" for kind in MARKS for e in answer[kind])
    if marks != seen:
        yield f"{seen} lines are named, {marks} are marked"
    # Under --json the script's stdout goes to stderr.
    lines = ran.stderr.splitlines()
    for line in want["stdout"]:
        if line not in lines:
            yield f"no line {line!r} is printed"
    for text in want["stderr"]:
        if text not in ran.stderr:
            yield f"nothing says {text!r}"


def check(program, script):
    want = stated(script.read_text())
    begin = time.monotonic()
    command = [program, "sanitize", "--json", *want["options"], script, "--", *want["arguments"]]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=HERE, timeout=300)
    try:
        problems = list(differences(script, want, ran))
    except (ValueError, IndexError, KeyError) as error:
        problems = [f"no answer: {error!r}, exit code {ran.returncode}"]
    return script, problems, ran, time.monotonic() - begin


def check_text(program):
    """Without --json: the script's stdout is its own, and findings are texts with their lines."""
    ran = subprocess.run([program, "sanitize", "several_files/main.py"], capture_output=True, text=True, cwd=HERE, timeout=300)
    wanted = ["several_files/kernels.py:8: out_of_bounds: load at element 8 of 8 (", "  >    8 |     return tl.load(by + i)",
              "  in kernel shifted, program (0, 0, 0) of launch 2, launched at several_files/kernels.py:19",
              "tritonsmith: 3 launches of 1 kernel, 1 finding"]
    problems = [f"nothing says {text!r}" for text in wanted if text not in ran.stderr]
    if ran.stdout != "ended\n" or ran.returncode != 1:
        problems.append(f"stdout {ran.stdout!r}, exit code {ran.returncode}")
    for bad in ("no_such_file.py", "several_files"):
        missing = subprocess.run([program, "sanitize", bad], capture_output=True, text=True, cwd=HERE)
        if missing.returncode != 2 or len(missing.stderr.splitlines()) != 1 or bad not in missing.stderr:
            problems.append(f"{bad}: exit code {missing.returncode}, {missing.stderr!r}")
    return HERE / "text", problems, ran, 0.0


def main():
    program, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    scripts = [p for p in sorted([*HERE.glob("*.py"), *HERE.glob("*/main.py")]) if p.name != "run_scripts.py"]
    scripts = [p for p in scripts if not names or any(name in str(p.relative_to(HERE)) for name in names)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(check, program, script) for script in scripts]
        if not names:
            answers.append(pool.submit(check_text, program))
        for answer in answers:
            script, problems, ran, seconds = answer.result()
            failed += bool(problems)
            print(f"{'FAILED' if problems else 'ok':6} {script.relative_to(HERE)} {seconds:.1f} s", flush=True)
            for problem in problems:
                print(f"       {problem}")
            if problems:
                print(ran.stderr[-3000:], flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(answers) - failed} as stated, {failed} not, {used.ru_utime + used.ru_stime:.0f} s of processor time")
    return 1 if failed or not scripts else 0


sys.exit(main())
