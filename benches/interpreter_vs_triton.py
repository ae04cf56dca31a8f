"""Our interpreter against Triton's (TRITON_INTERPRET=1): the same kernels, inputs and grids, one after the other.

    .venv/bin/python benches/interpreter_vs_triton.py build/release/bin/run_launch [threads]

Prints a line for each kernel: medians of ours and Triton's, as wall-clock and as processor time (which other programs on
the machine disturb less), both ratios, and the largest difference of the results. Our times include all checks. Both
sides have the given number of threads (1). Exit status 1 if a result differs or a ratio of processor times is below 20.
"""
import json, os, subprocess, sys, tempfile, time

import torch
import triton
import triton.language as tl

N = 1 << 20


@triton.jit
def add(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def softmax(x, o, s, n, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + r * s + c, mask=c < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(o + r * s + c, e / tl.sum(e, axis=0), mask=c < n)


@triton.jit
def layernorm(x, w, b, o, s, n, eps, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    m = c < n
    v = tl.load(x + r * s + c, mask=m, other=0.0)
    d = tl.where(m, v - tl.sum(v, 0) / n, 0.0)
    y = d / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(o + r * s + c, y * tl.load(w + c, mask=m, other=0.0) + tl.load(b + c, mask=m, other=0.0), mask=m)


@triton.jit
def matmul(a, b, c, M, K, P, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (rk + k)[None, :], mask=(rm[:, None] < M) & ((rk + k)[None, :] < K), other=0.0)
        y = tl.load(b + (rk + k)[:, None] * P + rn[None, :], mask=((rk + k)[:, None] < K) & (rn[None, :] < P), other=0.0)
        acc += tl.dot(x, y, input_precision="ieee")
    tl.store(c + rm[:, None] * P + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < P))


def cases():
    torch.manual_seed(0)
    x, y, square = torch.randn(N), torch.randn(N), torch.randn(1024, 1024)
    w, b = torch.randn(1024), torch.randn(1024)
    a, c = torch.randn(1024, 256), torch.randn(256, 1024)
    return [
        ("add", add, (N // 1024,), [x, y, torch.zeros(N), N], {"B": 1024}),
        ("softmax", softmax, (1024,), [square, torch.zeros(1024, 1024), 1024, 1000], {"B": 1024}),
        ("layernorm", layernorm, (1024,), [square, w, b, torch.zeros(1024, 1024), 1024, 1000, 1e-5], {"B": 1024}),
        ("matmul", matmul, (16, 16), [a, c, torch.zeros(1024, 1024), 1024, 256, 1024], {"BM": 64, "BN": 64, "BK": 32}),
    ]


def ttir_of(kernel, arguments, constants):
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend

    rest = iter(arguments)
    signature = {}
    for name in kernel.arg_names:
        if name in constants:
            signature[name] = "constexpr"
            continue
        a = next(rest)
        signature[name] = "*fp32" if isinstance(a, torch.Tensor) else "fp32" if isinstance(a, float) else "i32"
    target = GPUTarget("cuda", 90, 32)
    source = ASTSource(kernel, signature, constexprs=constants, attrs={})
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    return str(stages["ttir"](module, {}))


def ours(program, threads, kernel, grid, arguments, constants, folder):
    args, files, buffers, address = [], [], [], 0x7f0000000000
    for i, a in enumerate(arguments):
        if isinstance(a, torch.Tensor):
            path = os.path.join(folder, f"{i}.bin")
            a.numpy().tofile(path)
            args.append({"pointer": {"buffer": len(buffers), "offset": 0}})
            files.append(path)
            buffers.append({"file": path, "address": address})
            address += (a.numel() * a.element_size() // 0x100000 + 1) * 0x100000
        else:
            args.append(a)
    with open(os.path.join(folder, "k.ttir"), "w") as f:
        f.write(ttir_of(kernel, arguments, constants))
    with open(os.path.join(folder, "launch.json"), "w") as f:
        json.dump({"buffers": buffers, "args": args, "grid": [*grid, 1, 1][:3], "threads": threads, "repeat": 15}, f)
    command = [program, os.path.join(folder, "k.ttir"), os.path.join(folder, "launch.json")]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    outputs = [torch.frombuffer(bytearray(open(p, "rb").read()), dtype=torch.float32) for p in files]
    return outputs, report


def median(values):
    return sorted(values)[len(values) // 2]


def triton_alone(path, threads):
    """Medians of three runs of every case under Triton's interpreter, and what they wrote; run with TRITON_INTERPRET=1."""
    torch.set_num_threads(threads)
    results = {}
    for name, kernel, grid, arguments, constants in cases():
        kernel[(1,)](*[a.clone() if isinstance(a, torch.Tensor) else a for a in arguments], **constants)  # its first use patches the kernel
        wall, cpu = [], []
        for _ in range(3):
            begin, cpu_begin = time.perf_counter(), time.process_time()
            kernel[grid](*arguments, **constants)
            wall.append(time.perf_counter() - begin)
            cpu.append(time.process_time() - cpu_begin)
        results[name] = (median(wall), median(cpu), [a.flatten() for a in arguments if isinstance(a, torch.Tensor)])
    torch.save(results, path)


def main():
    program, threads = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if os.environ.get("TRITON_INTERPRET") == "1":
        return triton_alone(program, threads)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, "triton.pt")
        count = str(threads)
        subprocess.run([sys.executable, __file__, saved, count], check=True,
                       env={**os.environ, "TRITON_INTERPRET": "1", "OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count})
        theirs = torch.load(saved)
        print(f"{'':10} {'ours, ms':>18} {'triton, ms':>18} {'ratio':>12} {'largest':>11}")
        print(f"{'':10} {'wall':>9}{'cpu':>9} {'wall':>9}{'cpu':>9} {'wall':>6}{'cpu':>6} {'difference':>11}")
        for name, kernel, grid, arguments, constants in cases():
            outputs, report = ours(program, threads, kernel, grid, arguments, constants, folder)
            wall, cpu, expected = theirs[name]
            error = max((a - b).abs().max().item() for a, b in zip(outputs, expected))
            bad = error > 1e-3 or cpu / report["cpu_seconds"] < 20 or report["findings"] or report["unsupported"]
            failed = failed or bool(bad)
            print(f"{name:10} {report['seconds'] * 1e3:9.2f}{report['cpu_seconds'] * 1e3:9.2f} {wall * 1e3:9.1f}{cpu * 1e3:9.1f} "
                  f"{wall / report['seconds']:6.0f}{cpu / report['cpu_seconds']:6.0f} {error:11.1e}{'   BAD' if bad else ''} {report['findings'] or ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
