"""Candidates judged per second, without a GPU, and what Triton's own interpreter (TRITON_INTERPRET=1) takes for the same ones.

    .venv/bin/python benches/judge_throughput.py build/release/bin/tritonsmith [--rows 240] [--jobs 2] [--device cuda:0] [--cold] [--own-tasks] [--skip-rival] [-- FLAGS OF VERIFY]

Honest and dishonest candidates of examples/, half and half, over all twelve tasks, in an order without pattern as a training run
would send them, grouped by task as its prompts are. Every row's text is another (a comment is added), so that no verdict comes from a cache. Left out are the
programs that exist to run into a time limit: they measure the limit.

With --own-tasks each row also has a task of its own, as data pipelines have: the first constant of its text that is large is another
one in each, so that nothing of a row's preparation serves another row.

Triton's interpreter then does what a reward made of it would do for the distinct candidates among these: in --jobs processes that
import everything once, it builds the task shrunk as ours was, runs reference and candidate on the CPU, once, on one set of inputs,
and compares. It has no checks, and no full size. A candidate that takes longer than a minute is counted as a minute; one that our judge rejects
before anything of it runs (a program that forks or crashes must not run here unguarded) as no time at all.
"""
import argparse, concurrent.futures, json, os, random, re, resource, subprocess, sys, tempfile, threading, time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LIMITS = {"interpret_timeout", "trace_timeout", "trace_memory", "out_of_memory"}  # programs named so run into one
MOST_SECONDS = 60


def task_of(path):
    return re.match(r"# task: (\w+)", path.read_text()).group(1)


def candidates(rows, seed, cold=False):
    """(task, file, text) of each row."""
    chance = random.Random(seed)
    honest = [p for p in sorted((EXAMPLES / "kernels").glob("*.py")) if not (cold and "triton.autotune" in p.read_text())]
    wrong = [p for p in sorted((EXAMPLES / "wrong").glob("*.py")) if p.stem not in LIMITS]
    tasks = {p.stem for p in (EXAMPLES / "tasks").glob("*.py")}
    assert cold or {task_of(p) for p in honest} == tasks, "an example task has no honest kernel"
    chosen = []
    for i in range(rows):
        pool = honest if i % 2 == 0 else wrong
        chosen.append(pool[i // 2 % len(pool)])
    chance.shuffle(chosen)
    chosen.sort(key=task_of)
    return [(task_of(p), p, f"{renamed(p.read_text(), i) if cold else p.read_text()}\n# row {i}\n") for i, p in enumerate(chosen)]


def renamed(text, row):
    """Its kernels have names of their own, so that no compiled one of another row serves."""
    for name in set(re.findall(r"@triton\.jit\s*\ndef (\w+)", text)):
        text = re.sub(rf"\b{name}\b", f"{name}_{row}", text)
    return text


def own_task(text, row):
    """The task with another size."""
    sizes = re.findall(r"^([A-Z]\w*) = (\d+)$", text, re.M)
    name, value = next((n, int(v)) for n, v in sizes if int(v) >= 16)
    # A multiple of what the kernels' tiles are made of, where there is room for many.
    return re.sub(rf"^{name} = \d+$", f"{name} = {value + (64 if value >= 1024 else 1) * (row + 1)}", text, flags=re.M)


def tree(pid):
    """Process ids of `pid` and all its descendants."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def proportional_mib(pids):
    """Memory of processes, what they share counted once."""
    total = 0
    for pid in pids:
        try:
            total += int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M).group(1))
        except (OSError, AttributeError):
            continue
    return total / 1024


def judge(binary, rows, jobs, device, flags, own_tasks):
    """Verdicts, seconds, processor seconds, and MiB of all processes every two seconds."""
    with tempfile.TemporaryDirectory() as folder:
        batch, lines = Path(folder) / "batch.jsonl", []
        for i, (task, _, text) in enumerate(rows):
            path = EXAMPLES / f"tasks/{task}.py"
            if own_tasks:
                path = Path(folder) / f"{task}_{i}.py"
                path.write_text(own_task((EXAMPLES / f"tasks/{task}.py").read_text(), i))
            lines.append(json.dumps({"task": str(path), "code": text}) + "\n")
        batch.write_text("".join(lines))
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        process = subprocess.Popen([binary, "verify", "--batch", batch, "--no-cache", "--device", device, "--jobs", str(jobs), *flags], stdout=subprocess.PIPE, text=True)
        memory, ended = [], threading.Event()

        def watch():
            while not ended.wait(2):
                memory.append(proportional_mib(tree(process.pid)))

        watcher = threading.Thread(target=watch)
        watcher.start()
        out = process.stdout.read()
        failed = process.wait() != 0
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        ended.set()
        watcher.join()
        if failed:
            sys.exit(f"tritonsmith failed with exit status {process.returncode}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [json.loads(line) for line in out.splitlines()], seconds, cpu, memory


def with_constants(text, scaled):
    for name, (_, small) in scaled.items():
        text = re.sub(rf"^{name} = \d+", f"{name} = {small}", text, flags=re.M)
    return text


def rival(job):
    """Seconds that Triton's interpreter takes for one candidate, and what it says."""
    import importlib.util
    import signal

    import torch

    torch.set_num_threads(1)
    task, path, scaled = job
    start = time.monotonic()

    def stop(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(MOST_SECONDS)
    try:
        torch.manual_seed(0)
        reference = {"__name__": "task"}
        exec(compile(with_constants((EXAMPLES / f"tasks/{task}.py").read_text(), scaled), task, "exec"), reference)
        inputs, init = reference["get_inputs"](), reference["get_init_inputs"]()
        torch.manual_seed(1)
        expected = reference["Model"](*init)(*inputs)
        spec = importlib.util.spec_from_file_location("candidate", path)  # Triton reads the file's text
        candidate = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(candidate)
        torch.manual_seed(1)
        answer = candidate.ModelNew(*init)(*inputs)
        said = "same" if torch.allclose(answer, expected, rtol=1e-2, atol=1e-2) else "other"
    except TimeoutError:
        said = "too slow"
    except BaseException as error:  # a candidate may do anything
        said = f"fails: {type(error).__name__}"
    signal.alarm(0)
    return f"{path.parent.name}/{path.stem}", time.monotonic() - start, said


def rival_ready(_):
    import torch, triton  # noqa: F401


def main():
    argv = sys.argv[1:]
    flags = argv[argv.index("--") + 1 :] if "--" in argv else []
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--rows", type=int, default=240)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cuda:N judges at full size as well")
    parser.add_argument("--cold", action="store_true", help="each row's kernels are compiled, none of another row's serves; no autotuned ones")
    parser.add_argument("--own-tasks", action="store_true", help="each row has a task of its own; no rival")
    parser.add_argument("--skip-rival", action="store_true")
    options = parser.parse_args(argv[: argv.index("--")] if "--" in argv else argv)

    rows = candidates(options.rows, options.seed, options.cold)
    verdicts, seconds, cpu, memory = judge(options.binary, rows, options.jobs, options.device, flags, options.own_tasks)
    accepted = sum(v["accepted"] for v in verdicts)
    astray = sorted({path.stem for (_, path, _), v in zip(rows, verdicts) if v["accepted"] != (path.parent.name == "kernels")})
    print(f"tritonsmith: {len(rows)} candidates ({accepted} accepted) in {seconds:.1f} s on {options.jobs} of {os.cpu_count()} cores: "
          f"{len(rows) / seconds:.2f} candidates/s, {cpu / len(rows):.3f} processor seconds each")
    if len(memory) >= 4:
        quarter = len(memory) // 4
        print(f"  memory of all its processes: at most {max(memory[:quarter]):.0f} MiB in the first quarter of the time, {max(memory[-quarter:]):.0f} MiB in the last")
    for name, kept in (("accepted", True), ("rejected", False)):
        own = [sum(s["seconds"] for s in v["stages"] if s["stage"] != "task") for v in verdicts if v["accepted"] is kept]
        print(f"  a candidate that is {name}: {sum(own) / max(1, len(own)):.3f} s of one of the jobs in the mean")
    stages = {}
    for v in verdicts:
        for s in v["stages"]:
            stages[s["stage"]] = stages.get(s["stage"], 0) + s["seconds"]
    print("  seconds of a job by stage: " + ", ".join(f"{k} {v:.1f}" for k, v in sorted(stages.items(), key=lambda kv: -kv[1])))
    if astray:
        sys.exit(f"verdicts not as the examples state: {', '.join(astray)}")
    if options.skip_rival or options.own_tasks:
        return

    scaled = {task: v["evidence"]["scaled"] for (task, _, _), v in zip(rows, verdicts) if "scaled" in v["evidence"]}
    os.environ["TRITON_INTERPRET"] = "1"
    distinct = sorted({(task, path) for (task, path, _), v in zip(rows, verdicts) if v["stage"] not in ("lint", "trace", "policy")})
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        list(pool.map(rival_ready, range(options.jobs * 4)))
        start = time.monotonic()
        results = list(pool.map(rival, [(task, path, scaled.get(task, {})) for task, path in distinct]))
        elapsed = time.monotonic() - start
    says = {}
    for name, _, said in results:
        says.setdefault(said, []).append(name)
    print(f"Triton's interpreter: {len(distinct)} distinct candidates of these in {elapsed:.1f} s on {options.jobs} cores: {len(distinct) / elapsed:.2f} candidates/s")
    for said, names in sorted(says.items()):
        print(f"  {said}: {len(names)}")
    took = {name: own for name, own, _ in results}
    same_mix = sum(took.get(f"{path.parent.name}/{path.stem}", 0) for _, path, _ in rows) / options.jobs
    print(f"  for the same {len(rows)} rows it would take {same_mix:.0f} s ({len(rows) / same_mix:.2f} candidates/s): ratio {same_mix / seconds:.1f}")


if __name__ == "__main__":
    main()
