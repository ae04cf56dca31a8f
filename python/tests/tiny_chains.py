"""A tiny real set: tasks of two elementwise operators each, their kernels, and a model whose tokens are pieces of both.

The model must read two operators from a task and write both into a kernel. Names and shapes vary, and mean nothing."""
import itertools
import json
import random
import re

from tiny_training import write_model_folder

# Of PyTorch, of Triton. No two of them make a constant of normal numbers or give the input back: the judge calls such tasks degenerate.
OPERATORS = (
    ("torch.relu({})", "tl.maximum({}, 0.0)"), ("torch.sigmoid({})", "tl.sigmoid({})"), ("torch.square({})", "{} * {}"),
    ("torch.exp(-torch.abs({}))", "tl.exp(-tl.abs({}))"), ("torch.abs({})", "tl.abs({})"), ("{} * -3.0", "{} * -3.0"), ("{} * 2.0", "{} * 2.0"),
    ("{} * 0.75", "{} * 0.75"), ("{} + 1.0", "{} + 1.0"), ("{} - 0.25", "{} - 0.25"), ("torch.sin({})", "tl.sin({})"), ("torch.cos({})", "tl.cos({})"),
    ("torch.nn.functional.silu({})", "{} * tl.sigmoid({})"), ("torch.clamp({}, -1.0, 1.0)", "tl.minimum(tl.maximum({}, -1.0), 1.0)"),
)
INPUTS, VALUES = ("x", "a", "inputs", "features"), ("y", "b", "hidden", "value")
TASK = '''import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, <input>):
        <value> = <first>
        return <second>


def get_inputs():
    return [torch.randn(<rows>, <columns>)]


def get_init_inputs():
    return []
'''
ANSWER = '''```python
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, out_ptr, total, BLOCK: tl.constexpr):
    offset = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offset, mask=offset < total)
    y = <first>
    y = <second>
    tl.store(out_ptr + offset, y, mask=offset < total)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
```'''


def fenced(source):
    return f"```python\n{source}```\n"


def filled(text, **fields):
    return re.sub("<([a-z]+)>", lambda field: str(fields[field[1]]), text)


def task_and_answer(operators, rng):
    (first, first_kernel), (second, second_kernel) = operators
    x, y = rng.choice(INPUTS), rng.choice(VALUES)
    task = filled(TASK, input=x, value=y, first=first.replace("{}", x), second=second.replace("{}", y), rows=rng.randint(1, 64), columns=rng.randint(1, 300))
    return task, filled(ANSWER, first=first_kernel.replace("{}", "x"), second=second_kernel.replace("{}", "y"))


def write_set(folder, pairs=2000, held=40, seed=7):
    """train.jsonl: conversations. tasks.jsonl: tasks of pairs of operators that no conversation has. model/: its folder."""
    rng = random.Random(seed)
    chains = list(itertools.product(OPERATORS, repeat=2))
    rng.shuffle(chains)
    with open(folder / "train.jsonl", "w") as file:
        for _ in range(pairs):
            task, answer = task_and_answer(rng.choice(chains[held:]), rng)
            file.write(json.dumps({"messages": [{"role": "user", "content": fenced(task)}, {"role": "assistant", "content": answer}]}) + "\n")
    with open(folder / "tasks.jsonl", "w") as file:
        for number, chain in enumerate(chains[:held]):
            file.write(json.dumps({"id": f"held-{number}", "code": task_and_answer(chain, rng)[0]}) + "\n")
    texts = [*re.split("<[a-z]+>", fenced(TASK)), *re.split("<[a-z]+>", ANSWER), *INPUTS, *VALUES]
    texts += [piece for operator in OPERATORS for text in operator for piece in text.split("{}")]
    write_model_folder(folder / "model", sorted({text for text in texts if len(text) > 1}))
    (folder / "model/tritonsmith.json").write_text('{"prompt": "brief"}')


def configuration(folder):
    """`train sft` on them, about ten seconds of one core."""
    return {"run": {"folder": str(folder / "run"), "steps": 300, "seed": 1, "checkpoint_every": 0},
            "model": {"folder": str(folder / "model"), "scratch": True, "dtype": "float32", "recompute": "nothing"},
            "data": {"tokens": 2048, "longest": 256, "shuffle_window": 2000, "pack_window": 100, "threads": 1, "sources": [{"files": str(folder / "train.jsonl")}]},
            "optimizer": {"method": "muon", "beta2": 0.98},
            "schedule": {"learning_rate": 6e-3, "floor": 0.05, "warmup": 20}}
