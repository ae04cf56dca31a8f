"""Do two TTIR texts mean the same to Triton? ptx.py [--read] ORIGINALS REPRINTED [NAME_smXX.ttir ...]

Compiles the texts of the same name in both folders down to PTX (no GPU needed) and compares it; with --read only reads both
and compares what Triton prints. A text that Triton itself does not compile is not compared. Prints one line for each
difference and a summary; exit code 1 if there is a difference.
"""
import concurrent.futures
import os
import pathlib
import re
import sys

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import IRSource, make_backend


READ_ONLY = "--read" in sys.argv


def ptx_of(path, target):
    gpu = GPUTarget("cuda", target, 32)
    backend = make_backend(gpu)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    if READ_ONLY:
        return ir.parse_mlir_module(str(path), context).str_nodebug()
    source = IRSource(str(path), context, backend)
    options = backend.parse_options(source.parse_options())
    stages = {}
    backend.add_stages(stages, options, source.language)
    metadata = {"target": gpu, **options.__dict__}
    module = source.make_ir(gpu, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    for stage in ("ttgir", "llir", "ptx"):
        module = stages[stage](module, metadata)
    return str(module)


def compare(original, reprinted):
    target = int(re.search(r"_sm(\d+)\.ttir$", original.name).group(1))
    try:
        expected = ptx_of(original, target)
    except Exception as error:
        return "skipped", f"{original.name}: Triton refuses the original: {str(error)[:200]}"
    try:
        found = ptx_of(reprinted, target)
    except Exception as error:
        return "different", f"{original.name}: Triton refuses the reprinted text: {str(error)[:500]}"
    if expected == found:
        return "same", ""
    pairs = zip(expected.splitlines(), found.splitlines())
    first = next(((a, b) for a, b in pairs if a != b), ("", "one is longer"))
    return "different", f"{original.name}: {first[0].strip()!r} became {first[1].strip()!r}"


def main():
    words = [w for w in sys.argv[1:] if w != "--read"]
    originals, reprinted = pathlib.Path(words[0]), pathlib.Path(words[1])
    names = words[2:] or sorted(p.name for p in originals.glob("*.ttir"))
    counts = {"same": 0, "different": 0, "skipped": 0}
    with concurrent.futures.ProcessPoolExecutor(max_workers=max(1, min(8, (os.cpu_count() or 2) // 2))) as pool:
        for outcome, message in pool.map(compare, [originals / n for n in names], [reprinted / n for n in names]):
            counts[outcome] += 1
            if message:
                print(message)
    print(f"{counts['same']} same, {counts['different']} different, {counts['skipped']} skipped")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
