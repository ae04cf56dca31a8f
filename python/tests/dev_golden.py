"""KernelBench's development half at full size: the operators that the device that computes nothing gets, against those of a real GPU.

    TRITONSMITH_DEV_DATA=FOLDER TRITONSMITH_PACKAGE=build/release/package python python/tests/dev_golden.py [--only ID,ID] [--write FILE | --traced FILE]

Without options it traces each problem of FOLDER/kernelbench_dev.jsonl and runs it on the GPU here. With --write it only traces, needs no GPU, and keeps
what it saw in FILE; with --traced it takes that instead of tracing. Compared are the names of the forward phase's operators, in their order
(of recurrent layers, which are traced whole, the outputs alone). Problems that do not fit the GPU's memory are named.
"""

import argparse
import gc
import json
import os
import sys
import time
from pathlib import Path

from golden_cases import on_this_gpu
from test_golden import described, seen_by_plans, traced

TARGET = "sm_90"
RECURRENT = ("aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu")


def problems(only):
    path = Path(os.environ.get("TRITONSMITH_DEV_DATA", ".")) / "kernelbench_dev.jsonl"
    if not path.exists():
        sys.exit(f"{path} is missing: set TRITONSMITH_DEV_DATA to its folder")
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return {row["id"]: row["code"] for row in rows if not only or row["id"] in only.split(",")}


def trace_all(tasks):
    """{id: {"operators": [name], "output": [[dtype, shape, stride]]}, or {"error": why}}"""
    from zygote import Zygote

    zygote, seen = Zygote(), {}
    for name, text in tasks.items():
        answer = zygote.trace(text, "reference", target=TARGET)
        if "error" in answer:
            seen[name] = {"error": answer["error"]["message"]}
        else:
            plan = answer["plan"]
            seen[name] = {"operators": [op for op, _ in traced(plan)], "output": described(plan["output"])}
    zygote.close()
    return seen


def run(text):
    """The same of the GPU here."""
    import torch

    try:
        torch.manual_seed(0)
        real = on_this_gpu(text)
        return {"operators": [op for op, _ in seen_by_plans(real["steps"])], "output": real["output"]}
    except torch.OutOfMemoryError as error:
        return {"too large": str(error).split(".")[0]}
    except Exception as error:  # of the task's own
        return {"error": f"{type(error).__name__}: {str(error).splitlines()[0]}"}


def difference(fake, real):
    """What differs first; empty where nothing does."""
    if "error" in fake or "error" in real:
        return f"traced: {fake.get('error', 'no error')}; on the GPU: {real.get('error', 'no error')}"
    if not any(op.startswith(RECURRENT) for op in fake["operators"]):
        for i, (ours, theirs) in enumerate(zip(fake["operators"], real["operators"])):
            if ours != theirs:
                return f"operator {i}: traced {ours}, on the GPU {theirs}"
        if len(fake["operators"]) != len(real["operators"]):
            longer = max(fake["operators"], real["operators"], key=len)
            i = min(len(fake["operators"]), len(real["operators"]))
            return f"traced {len(fake['operators'])} operators, on the GPU {len(real['operators'])}: the first beyond is {longer[i]}"
    if fake["output"] != real["output"]:
        return f"outputs: traced {fake['output']}, on the GPU {real['output']}"
    return ""


def compare(tasks, fakes):
    """@returns how many differ"""
    import torch

    if not torch.cuda.is_available():
        sys.exit("SKIPPED: this machine has no GPU; nothing was compared (--write keeps what is traced)")
    capability = "sm_{}{}".format(*torch.cuda.get_device_capability())
    print(f"{torch.cuda.get_device_name()}, {capability}; traced for {TARGET}; torch {torch.__version__}", flush=True)
    counts, begin = {"agreed": 0, "different": 0, "too large": 0}, time.monotonic()
    for name, text in tasks.items():
        start, real = time.monotonic(), run(text)
        gc.collect()
        torch.cuda.empty_cache()
        why = "" if "too large" in real else difference(fakes[name], real)
        outcome = "too large" if "too large" in real else "different" if why else "agreed"
        counts[outcome] += 1
        if outcome != "agreed":
            print(f"{outcome}: {name}: {why or real['too large']}", flush=True)
        if time.monotonic() - start > 5:
            print(f"slow: {name}: {time.monotonic() - start:.1f} s", flush=True)
    print(f"{len(tasks)} problems in {time.monotonic() - begin:.0f} s: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return counts["different"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only")
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--write", type=Path)
    given.add_argument("--traced", type=Path)
    args = parser.parse_args()
    tasks = problems(args.only)
    fakes = json.loads(args.traced.read_text()) if args.traced else trace_all(tasks)
    if args.write:
        args.write.write_text(json.dumps(fakes))
        failed = [name for name, seen in fakes.items() if "error" in seen]
        print(f"{args.write}: {len(fakes)} problems traced for {TARGET}" + (f", not traced: {', '.join(failed)}" if failed else ""))
        return 0
    missing = [name for name in tasks if name not in fakes]
    if missing:
        sys.exit(f"{args.traced} lacks {', '.join(missing)}: make it again with --write")
    return 1 if compare(tasks, fakes) else 0


if __name__ == "__main__":
    sys.exit(main())
