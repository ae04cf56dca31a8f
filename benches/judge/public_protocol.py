"""What a public evaluator of Triton candidates does, for one candidate, in this process: the rival of `tritonsmith verify`.

    python benches/judge/public_protocol.py TASK CANDIDATE [--device cuda:0] [--trials 5] [--runs 100]

Written from the description of KernelBench's protocol, with none of its code: the task's inputs are made on the host and moved; reference
and candidate are built after the same seed; five trials, each of a seed of its own, are compared with torch.allclose (1e-4 for
float32, 1e-2 for narrower types); then, if all agreed, a hundred runs are timed with CUDA events after three warm-ups, with
the L2 cache cleared before each. Prints one JSON line. TASK: a file, or FILE.jsonl#ID. On "cpu" nothing is timed (for testing).
"""
import argparse
import json
import statistics
import sys
import tempfile
import time
import traceback
from pathlib import Path

SEED, WARM_UPS, FLUSH_BYTES = 42, 3, 256 << 20


def task_text(spec):
    path, _, number = spec.partition("#")
    if not number:
        return Path(path).read_text()
    rows = (json.loads(line) for line in Path(path).read_text().splitlines() if line.strip())
    return next(row["code"] for row in rows if row["id"] == number)


def names_of(source, folder, name):
    """Runs a source from a file: Triton looks up the text of kernels there."""
    path = Path(folder) / f"{name}.py"
    path.write_text(source)
    names = {"__name__": name, "__file__": str(path)}
    exec(compile(source, str(path), "exec"), names)
    return names


def moved(values, device):
    import torch

    return [v.to(device) if isinstance(v, torch.Tensor) else v for v in values]


def built(entry, task, device):
    import torch

    torch.manual_seed(SEED)
    return entry(*moved(task.get("get_init_inputs", list)(), device)).to(device)


def outputs_of(result):
    return list(result) if isinstance(result, (list, tuple)) else [result]


def difference(expected, found):
    """Why the outputs are not close; empty where they are."""
    import torch

    expected, found = outputs_of(expected), outputs_of(found)
    if len(expected) != len(found):
        return f"{len(found)} outputs, expected {len(expected)}"
    for a, b in zip(expected, found):
        if a.shape != b.shape:
            return f"shape {list(b.shape)}, expected {list(a.shape)}"
        tolerance = 1e-4 if a.dtype in (torch.float32, torch.float64) else 1e-2
        if not torch.allclose(a, b.to(a.dtype), atol=tolerance, rtol=tolerance):
            return f"outputs differ by up to {(a.float() - b.float()).abs().max().item():.3g}"
    return ""


def wait(device):
    import torch

    if torch.device(device).type == "cuda":
        torch.cuda.synchronize(device)


def compare(task, reference, candidate, device, trials):
    import torch

    for trial in range(trials):
        torch.manual_seed(SEED + trial)
        inputs = moved(task["get_inputs"](), device)
        expected = reference(*inputs)
        wait(device)
        found = candidate(*inputs)
        wait(device)
        why = difference(expected, found)
        if why:
            return f"trial {trial}: {why}"
        del inputs, expected, found
    return ""


def times(model, inputs, device, runs):
    """ms of each run."""
    import torch

    for _ in range(WARM_UPS):
        model(*inputs)
    wait(device)
    flush, taken = torch.empty(FLUSH_BYTES, dtype=torch.int8, device=device), []
    for _ in range(runs):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.zero_()
        begin.record()
        model(*inputs)
        end.record()
        wait(device)
        taken.append(begin.elapsed_time(end))
    return taken


def evaluate(task_source, candidate_source, device, trials, runs):
    """{"accepted", "compiled", "message", "ms"}"""
    import torch

    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        task = names_of(task_source, folder, "task")
        reference = built(task["Model"], task, device)
        try:
            candidate = built(names_of(candidate_source, folder, "candidate")["ModelNew"], task, device)
            wait(device)
        except Exception as error:
            return {"accepted": False, "compiled": False, "message": f"{type(error).__name__}: {error}"[:300], "ms": None}
        try:
            why = compare(task, reference, candidate, device, trials)
            if why:
                return {"accepted": False, "compiled": True, "message": why, "ms": None}
            taken = None
            if torch.device(device).type == "cuda":
                torch.manual_seed(SEED)
                taken = statistics.mean(times(candidate, moved(task["get_inputs"](), device), device, runs))
            return {"accepted": True, "compiled": True, "message": "", "ms": taken}
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            return {"accepted": False, "compiled": True, "message": f"{type(error).__name__}: {error}"[:300] + f" ({last.name})", "ms": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("candidate")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--runs", type=int, default=100)
    args = parser.parse_args()
    begin = time.monotonic()
    answer = evaluate(task_text(args.task), Path(args.candidate).read_text(), args.device, args.trials, args.runs)
    print(json.dumps({**answer, "seconds": round(time.monotonic() - begin, 3)}))


if __name__ == "__main__":
    sys.exit(main())
