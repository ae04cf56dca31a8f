"""The judge's times against those of an ordinary Python process, on a GPU, for honest kernels.

    TRITONSMITH_DEV_DATA=FOLDER .venv/bin/python benches/timing_agreement.py [--repeats 10] [--only softmax,L1-23-tuned] [--output FILE]

`candidate_ms` of `tritonsmith verify --device cuda:0` stands against triton.testing.do_bench (median) of the same module on the same sizes, and
`baseline_ms.eager` against CUDA events around the reference in eager mode (median of 50 calls, L2 cleared before each). Each is taken --repeats
times; the spread is (largest - smallest) / median. FOLDER (kernelbench_dev.jsonl) is needed for benches/judge's candidates alone.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benches/judge"))
EXAMPLES = ("softmax", "layernorm", "rmsnorm", "matmul", "bias_gelu", "row_reduction", "cross_entropy", "max_pool", "conv2d", "attention")
CANDIDATES = ("L1-19-plain", "L1-1-tuned", "L1-23-tuned", "L1-47-tuned", "L1-45-tuned", "L2-63-tuned")
EAGER_CALLS, WARM_UPS, FLUSH_BYTES = 50, 3, 256 << 20


@dataclass
class Case:
    name: str
    task: str  # as verify takes it
    code: str


def cases(only):
    from candidates import everything

    found = []
    for name in EXAMPLES:
        code = (ROOT / f"examples/kernels/{name}.py").read_text()
        task = code.splitlines()[0].split("task: ")[1].split()[0]
        found.append(Case(name, str(ROOT / f"examples/tasks/{task}.py"), code))
    problems = Path(os.environ.get("TRITONSMITH_DEV_DATA", ".")) / "kernelbench_dev.jsonl"
    if problems.exists():
        found += [Case(c.name, f"{problems}#{c.problem}", c.code) for c in everything() if c.name in CANDIDATES]
    return [case for case in found if not only or case.name in only.split(",")]


def judged(found, repeats, device, folder):
    """{name: {"candidate": [ms], "eager": [ms]}} of the judge; a reason in the place of times where it does not accept."""
    batch, out = Path(folder) / "batch.jsonl", Path(folder) / "verdicts.jsonl"
    # A comment makes each row another text, so that none has the verdict of one before.
    rows = [(case, f"{case.code}\n# repeat {i}\n") for case in found for i in range(repeats)]
    batch.write_text("".join(json.dumps({"task": case.task, "code": code}) + "\n" for case, code in rows))
    subprocess.run([str(ROOT / "build/release/bin/tritonsmith"), "verify", "--batch", str(batch), "-o", str(out), "--device", device, "--no-cache", "--jobs", "1"], check=True)
    times = {}
    for verdict in map(json.loads, out.read_text().splitlines()):
        case = rows[verdict["row"] - 1][0]
        mine = times.setdefault(case.name, {"candidate": [], "eager": [], "why": ""})
        mine["why"] = mine["why"] or verdict["reason"] or ""
        for key, value in (("candidate", verdict["candidate_ms"]), ("eager", (verdict["baseline_ms"] or {}).get("eager"))):
            if isinstance(value, (int, float)):
                mine[key].append(value)
    return times


def measure(found, repeats, folder):
    """The same of this process."""
    import torch
    import triton
    from public_protocol import moved, names_of, task_text

    times = {}
    for case in found:
        with torch.no_grad():
            with torch.device("cuda"):
                task = names_of(task_text(case.task), folder, f"task_{len(times)}")
                inputs = moved(task["get_inputs"](), "cuda")
                init_inputs = moved(task.get("get_init_inputs", list)(), "cuda")
                reference = task["Model"](*init_inputs).to("cuda")
                candidate = names_of(case.code, folder, f"candidate_{len(times)}")["ModelNew"](*init_inputs).to("cuda")
            call = lambda: candidate(*inputs)  # noqa: E731
            call()
            times[case.name] = {"candidate": [triton.testing.do_bench(call, return_mode="median") for _ in range(repeats)],
                                "eager": [eager(torch, reference, inputs) for _ in range(repeats)]}
        del inputs, init_inputs, reference, candidate, call, task
        torch.cuda.empty_cache()
    return times


def eager(torch, model, inputs):
    flush, pairs = torch.empty(FLUSH_BYTES, dtype=torch.int8, device="cuda"), []
    for _ in range(WARM_UPS):
        model(*inputs)
    for _ in range(EAGER_CALLS):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.zero_()
        begin.record()
        model(*inputs)
        end.record()
        pairs.append((begin, end))
    torch.cuda.synchronize()
    return statistics.median(begin.elapsed_time(end) for begin, end in pairs)


def cell(times):
    if not times:
        return f"{'none':>9}        "
    middle = statistics.median(times)
    return f"{middle:9.4f} ±{(max(times) - min(times)) / middle * 50:5.1f}%"


def table(found, ours, theirs, repeats):
    lines = [f"median and half the spread of {repeats} repeats, ms", f"{'':16}{'candidate_ms':>17}{'do_bench':>17}{'ratio':>7}{'eager, judge':>18}{'events':>17}{'ratio':>7}"]
    for case in found:
        mine, other = ours.get(case.name, {"candidate": [], "eager": [], "why": "no verdict"}), theirs[case.name]
        text = f"{case.name:16}"
        for key in ("candidate", "eager"):
            ratio = f"{statistics.median(mine[key]) / statistics.median(other[key]):7.3f}" if mine[key] else " " * 7
            text += f" {cell(mine[key])} {cell(other[key])}{ratio} "
        lines.append(f"{text} {mine['why']}".rstrip())
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--only")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--output")
    args = parser.parse_args()
    found = cases(args.only)
    if not found:
        sys.exit(f"no such case: {args.only}")
    with tempfile.TemporaryDirectory() as folder:
        ours = judged(found, args.repeats, args.device, folder)  # before this process holds memory of the device
        theirs = measure(found, args.repeats, folder)
    text = table(found, ours, theirs, args.repeats)
    sys.stdout.write(text)
    if args.output:
        Path(args.output).write_text(text)


if __name__ == "__main__":
    main()
