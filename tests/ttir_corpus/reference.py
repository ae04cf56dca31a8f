"""Reference results for the corpus: reference.py FOLDER. (reference.py --usable: whether they can be had here.)

Runs every case on random CPU tensors under Triton's own interpreter, or, where that does not define the operations (TF32,
libdevice, inline assembly), by the case's float64 reference. Writes NAME.json (grid, arguments) and NAME.bin (each tensor
before and after the launch, contiguous).
"""
import json
import os
import pathlib
import sys

if sys.argv[1:] == ["--usable"]:  # newer numpy breaks Triton's interpreter
    import numpy

    sys.exit([int(part) for part in numpy.__version__.split(".")[:2]] >= [2, 4])

os.environ["TRITON_INTERPRET"] = "1"

import torch  # noqa: E402

import corpus  # noqa: E402
import kernels_basic, kernels_control, kernels_dot, kernels_math, kernels_memory, kernels_reduce, kernels_shape  # noqa: E401,E402,F401


def make(t, generator):
    dtype = getattr(torch, corpus.DTYPES[t.dtype][0])
    if t.fill == "zeros":
        return torch.zeros(t.shape, dtype=dtype)
    if t.fill == "range":
        return torch.arange(torch.Size(t.shape).numel()).reshape(t.shape).to(dtype)
    if t.fill == "ints":
        return torch.randint(t.low, t.high + 1, t.shape, generator=generator).to(dtype)
    if t.fill == "uniform":
        return torch.rand(t.shape, generator=generator).to(dtype)
    values = torch.randn(t.shape, generator=generator)
    return (values.abs() + 0.1 if t.fill == "positive" else values).to(dtype)


def raw(tensor):
    return bytes(tensor.contiguous().flatten().view(torch.uint8).numpy().tobytes())


def run(case, folder):
    generator = torch.Generator().manual_seed(sum(case.name.encode()))
    arguments = {n: make(v, generator) if isinstance(v, corpus.T) else v for n, v in case.arguments.items()}
    before = {n: raw(v) for n, v in arguments.items() if isinstance(v, torch.Tensor)}
    if case.reference:
        case.reference(arguments)
    else:
        case.kernel[case.grid](**arguments)
    data, described = b"", []
    for name in case.runtime():
        value = arguments[name]
        if isinstance(value, torch.Tensor):
            after = raw(value)
            described.append({"name": name, "dtype": case.arguments[name].dtype, "bytes": len(after), "before": len(data),
                              "after": len(data) + len(after)})
            data += before[name] + after
        elif isinstance(value, float):
            described.append({"name": name, "float": value})
        else:
            described.append({"name": name, "int": value})
    (folder / f"{case.name}.bin").write_bytes(data)
    (folder / f"{case.name}.json").write_text(json.dumps({
        "name": case.name, "grid": case.grid, "targets": case.targets, "ulp": case.ulp, "absolute": case.absolute,
        "refused": case.refused, "arguments": described}))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    only, failed, done = set(sys.argv[2:]), 0, 0
    for case in corpus.CASES:
        if not case.compare or (only and case.name not in only):
            continue
        try:
            run(case, folder)
            done += 1
        except Exception as error:
            failed += 1
            print(f"{case.name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    print(f"{done} references, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
