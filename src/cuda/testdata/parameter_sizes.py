"""Writes parameter_sizes.txt: the bytes of every kernel parameter as Triton's PTX declares them, a line for each TTIR file.

parameter_sizes.py > parameter_sizes.txt   (no GPU needed)
"""
import pathlib
import re

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import IRSource, make_backend

HERE = pathlib.Path(__file__).resolve().parent


def ptx_of(path, capability):
    backend = make_backend(GPUTarget("cuda", capability, 32))
    options = backend.parse_options({})
    context = ir.context()
    source = IRSource(str(path), context, backend)
    stages = {}
    backend.add_stages(stages, options, source.language)
    metadata = dict(options.__dict__)
    module = source.make_ir(backend.target, options, backend.get_codegen_implementation(options),
                            backend.get_module_map(), context)
    for stage in ("ttgir", "llir", "ptx"):
        module = stages[stage](module, metadata)
    return str(module)


def sizes(ptx):
    entry = re.search(r"\.entry [^(]*\((.*?)\)", ptx, re.S).group(1)
    for line in entry.strip().splitlines():
        array = re.search(r"\.b8 \w+\[(\d+)\]", line)
        yield int(array.group(1)) if array else int(re.search(r"\.[a-z](\d+)", line.split(".param")[1]).group(1)) // 8


def main():
    for folder in (HERE, HERE.parent.parent / "ttir" / "testdata"):
        for path in sorted(folder.glob("*.ttir")):
            capability = int(re.search(r"sm(\d+)", path.name).group(1))
            try:
                found = list(sizes(ptx_of(path, capability)))
            except Exception:  # texts that only our own parser shall read
                continue
            print(path.name, *found)


main()
