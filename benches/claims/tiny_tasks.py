"""A family of tasks and a tiny model that answers them, for claims about reinforcement learning that take many runs.

A task is `f((x OP y) OP z)`: an optional function of two operations on two matrices. The model's tokens are pieces of programs: an
answer is seven of them, and still a whole file that the real judge traces, interprets and compares. It can be right or
wrong (an operation, an operand, the function), slow (a copy that nobody needs), or a cheat of two kinds: PyTorch alone, and
PyTorch beside a kernel that nothing launches."""
import itertools
import json
import random

OPERATIONS = ("+", "-", "*")
FUNCTIONS = ("", "exp", "sigmoid")


def cancels(first, second, last):
    """Whether an input falls out again: (x + y) - y."""
    return "*" not in (first, second) and (second == "-" if last == "x" else first != second)


TASKS = [(function, first, second, last) for function, first, second, last in itertools.product(FUNCTIONS, OPERATIONS, OPERATIONS, ("x", "y"))
         if not cancels(first, second, last) and not (function == "exp" and "*" in (first, second))]  # exponentials stay finite
KINDS = ("fast", "slow", "plain", "fake")

TASK_HEAD = '''import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return '''
TASK_TAIL = '''


def get_inputs():
    return [torch.randn(64, 64), torch.randn(64, 64)]


def get_init_inputs():
    return []
'''
PLANS = {"fast": "One kernel reads both matrices and writes the result.\n\n",
         "slow": "One kernel copies the first matrix, another one computes the result.\n\n",
         "plain": "PyTorch computes this well.\n\n", "fake": "A kernel stands ready, and PyTorch computes.\n\n"}
IMPORTS = '''```python
import torch
import triton
import triton.language as tl


'''
COPY = '''@triton.jit
def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)


'''
COMPUTE = '''@triton.jit
def compute(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    y = tl.load(y_ptr + at, mask=at < n)
    tl.store(out_ptr + at, '''
MODULE = '''class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        '''
HEADS = {"fast": IMPORTS + COMPUTE, "slow": IMPORTS + COPY + COMPUTE,
         "plain": "```python\nimport torch\n\n\n" + MODULE + "return ",
         "fake": IMPORTS + COPY.replace("copy", "compute") + MODULE + "return "}
STORED = ", mask=at < n)\n\n\n"
TAILS = {"fast": STORED + MODULE + '''out = torch.empty_like(x)
        compute[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        return out
```''',
         "slow": STORED + MODULE + '''first, out = torch.empty_like(x), torch.empty_like(x)
        grid = (triton.cdiv(x.numel(), 256),)
        copy[grid](x, first, x.numel(), BLOCK=256)
        compute[grid](first, y, out, x.numel(), BLOCK=256)
        return out
```''',
         "plain": "\n```", "fake": "\n```"}
OPENINGS = {"torch": {"": "((x", "exp": "torch.exp((x", "sigmoid": "torch.sigmoid((x"}, "tl": {"": "((x", "exp": "tl.exp((x", "sigmoid": "tl.sigmoid((x"}}


def expression(library, function, first, second, last):
    return f"{OPENINGS[library][function]} {first} y) {second} {last})"


def task_text(task):
    return TASK_HEAD + expression("torch", *task) + TASK_TAIL


def fenced(source):
    return f"```python\n{source}```\n"


def pieces():
    """The tokens beside single bytes."""
    found = [TASK_TAIL + "```\n", "```python\n" + TASK_HEAD, *PLANS.values(), *dict.fromkeys([*HEADS.values(), *TAILS.values()])]
    found += dict.fromkeys([*OPENINGS["torch"].values(), *OPENINGS["tl"].values()])
    return found + [f" {first} y) " for first in OPERATIONS] + [f"{second} {last})" for second in OPERATIONS for last in "xy"]


def answer(kind, task):
    return PLANS[kind] + HEADS[kind] + expression("tl" if kind in ("fast", "slow") else "torch", *task) + TAILS[kind]


def lessons(tasks, seed, rows=600, wrong=0.45):
    """What the model learns before: of every kind alike, and often another program than the task asks for. PyTorch's are right."""
    draw = random.Random(seed)
    for _ in range(rows):
        task, kind = draw.choice(tasks), draw.choice(KINDS)
        known = task
        if kind in ("fast", "slow") and draw.random() < wrong:
            known = draw.choice([other for other in TASKS if sum(a != b for a, b in zip(other, task, strict=True)) == 1])
        yield {"messages": [{"role": "user", "content": fenced(task_text(task))}, {"role": "assistant", "content": answer(kind, known)}]}


def split(seed=0, held=8):
    """Tasks that are learned, and tasks that nothing is learned from."""
    order = random.Random(seed).sample(TASKS, len(TASKS))
    return order[held:], order[:held]


def write(folder, write_model_folder, seed=0):
    learned, held = split(seed)
    for name, tasks in (("tasks", learned), ("held", held)):
        rows = [{"id": f"{name}-{i}", "code": task_text(task), "families": [task[0] or "none"]} for i, task in enumerate(tasks)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "lessons.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lessons(learned, seed)))
    write_model_folder(folder / "model", pieces())
    (folder / "model/tritonsmith.json").write_text('{"prompt": "brief"}')
