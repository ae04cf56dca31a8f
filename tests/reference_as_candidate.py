#!/usr/bin/env python3
"""Writes a batch whose candidates are the tasks' own references: what the judge must accept, whatever operators a task is made of.

usage: reference_as_candidate.py PROBLEMS.jsonl OUT.jsonl [--only ID[,ID...]]

Each candidate is the reference's text with its class renamed, and a class ModelNew that calls it and lets a Triton kernel copy
the first tensor of its output (`verify --batch OUT.jsonl --relaxed` demands a launch of the candidate's own). `tests/summarise_verdicts.py` counts
what comes of it.
"""
import argparse
import ast
import json
from pathlib import Path

WRAPPER = '''

import torch as _torch
import triton as _triton
import triton.language as _tl


@_triton.jit
def _copy_kernel(x_ptr, y_ptr, n, BLOCK: _tl.constexpr):
    i = _tl.program_id(0).to(_tl.int64) * BLOCK + _tl.arange(0, BLOCK)
    _tl.store(y_ptr + i, _tl.load(x_ptr + i, mask=i < n), mask=i < n)


def _copied(value):
    """The output, its first tensor copied by the kernel."""
    if isinstance(value, _torch.Tensor):
        flat = value.contiguous().view(-1)
        copy = _torch.empty_like(flat)
        _copy_kernel[(_triton.cdiv(flat.numel(), 1024),)](flat, copy, flat.numel(), BLOCK=1024)
        return copy.view(value.shape)
    if isinstance(value, (list, tuple)):
        items = list(value)
        for i, item in enumerate(items):
            if isinstance(item, (_torch.Tensor, list, tuple)):
                items[i] = _copied(item)
                break
        return type(value)(items)
    return value


class ModelNew(_Reference):
    def forward(self, *args, **kwargs):
        return _copied(super().forward(*args, **kwargs))
'''


class Renamed(ast.NodeTransformer):
    """Model → _Reference, also in `super(Model, self)`."""

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        if node.name == "Model":
            node.name = "_Reference"
        return node

    def visit_Name(self, node):
        if node.id == "Model":
            node.id = "_Reference"
        return node


def candidate(code):
    return ast.unparse(Renamed().visit(ast.parse(code))) + WRAPPER


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only")
    args = parser.parse_args()
    problems = [json.loads(line) for line in args.problems.read_text().splitlines() if line.strip()]
    rows = [{"task": f"{args.problems.resolve()}#{problem['id']}", "code": candidate(problem["code"])}
            for problem in problems if not args.only or problem["id"] in args.only.split(",")]
    args.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"{args.out}: {len(rows)} candidates")


if __name__ == "__main__":
    main()
