"""Two tasks and a tiny model that solves one in four: for tests of reinforcement learning.

Its tokens are whole pieces of programs, so that it can write kernels which the real judge accepts, rejects, or calls cheating."""
import json

from tiny_training import write_model_folder

TASK = '''import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return {expression}


def get_inputs():
    return [torch.randn(32, 32), torch.randn(32, 32)]


def get_init_inputs():
    return []
'''
BEGIN = '''```python
import torch
import triton
import triton.language as tl


@triton.jit
def combine(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    y = tl.load(y_ptr + at, mask=at < n)
    tl.store(out_ptr + at, '''
END = ''', mask=at < n)


class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        combine[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        return out
```'''
CHEAT = '''```python
import torch


class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        return {expression}
```'''
RIGHT = ("x - y", "x * y")  # of the two tasks
EXPRESSIONS = (*RIGHT, "x + y")
PLAN = "One pass over the elements.\n\n"


def fenced(source):
    return f"```python\n{source}```\n"


def answers():
    """What the model learns for every task: a right answer, two wrong ones, and one that cheats."""
    kernels = [PLAN + BEGIN + expression + END for expression in EXPRESSIONS]
    return kernels + [PLAN + CHEAT.format(expression=RIGHT[0])]


def write_tasks(folder):
    """Files of the tasks, the model's folder, and conversations that teach it all answers alike."""
    tasks = [TASK.format(expression=expression) for expression in RIGHT]
    for name, task in zip(("minus", "times"), tasks, strict=True):
        (folder / f"{name}.py").write_text(task)
    write_model_folder(folder / "model", [*map(fenced, tasks), PLAN, BEGIN, *EXPRESSIONS, END, CHEAT.format(expression=RIGHT[0])])
    (folder / "model/tritonsmith.json").write_text('{"prompt": "brief"}')
    rows = [{"messages": [{"role": "user", "content": fenced(task)}, {"role": "assistant", "content": answer}]} for task in tasks for answer in answers()]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def first_lessons(folder):
    """The configuration of `train sft` that ends with a model which draws one of its answers."""
    return {"run": {"folder": str(folder / "base"), "steps": 60, "checkpoint_every": 0},
            "model": {"folder": str(folder / "model"), "scratch": True, "dtype": "float32"},
            "data": {"tokens": 512, "longest": 128, "sources": [{"files": str(folder / "answers.jsonl")}]},
            "schedule": {"learning_rate": 5e-3, "warmup": 4}}


def configuration(folder, name, /, **changes):
    """Steps of GRPO on the two tasks in FOLDER/NAME; changes are fields by table."""
    base = {"run": {"folder": str(folder / name), "steps": 20, "seed": 1, "checkpoint_every": 1, "keep": 1},
            "model": {"folder": str(folder / "base/checkpoints/last"), "dtype": "float32"},
            "tasks": {"prompts": 2, "sources": [{"files": str(folder / "*.py")}]},
            "rollout": {"group": 8, "max_tokens": 24, "cache_mib": 16, "refills": 1},
            "judge": {"jobs": 2},
            "loss": {"tokens": 2048},
            "schedule": {"learning_rate": 2e-3, "warmup": 0}}
    for table, fields in changes.items():
        base.setdefault(table, {}).update(fields)
    return base
