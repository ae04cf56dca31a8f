"""Writes the corpus as TTIR: generate.py FOLDER [CASE ...].

One file NAME_smXX.ttir for each case and target. No GPU is needed: Triton is stopped after its TTIR stage.
"""
import argparse
import pathlib
import sys
import traceback

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

import corpus
import kernels_basic, kernels_control, kernels_dot, kernels_math, kernels_memory, kernels_reduce, kernels_shape  # noqa: E401,F401


def ttir_of(kernel, signature, constants, attributes, target, **options):
    """The text of the TTIR stage for `target` (80, 90 or 100)."""
    gpu = GPUTarget("cuda", target, 32)
    backend = make_backend(gpu)
    source = ASTSource(kernel, signature, constexprs=constants, attrs=attributes)
    parsed = backend.parse_options(options)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(gpu, parsed, backend.get_codegen_implementation(parsed), backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, parsed, source.language)
    return str(stages["ttir"](module, {}))


def generate(folder, only=None):
    """Returns the number of texts and a list of failures."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written, failures = 0, []
    for case in corpus.CASES:
        if only and case.name not in only:
            continue
        for target in case.targets:
            try:
                text = ttir_of(case.kernel, case.signature(), case.constants(), case.attributes(), target,
                               num_warps=case.num_warps, debug=case.name == "diagnostics")
            except Exception as error:
                failures.append(f"{case.name} sm_{target}: {type(error).__name__}: {str(error)[-400:]}")
                continue
            (folder / f"{case.name}_sm{target}.ttir").write_text(text)
            written += 1
    return written, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("cases", nargs="*", help="only these")
    arguments = parser.parse_args()
    written, failures = generate(arguments.folder, set(arguments.cases))
    print(f"{written} texts of {len(corpus.CASES)} cases")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:
        traceback.print_exc()
        sys.exit(2)
