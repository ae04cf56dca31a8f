"""Rows of a batch with every kind of bad candidate: texts that are none, programs that attack or exhaust the process that traces
them, the wrong examples, and honest kernels in between."""

import json
import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TASK = "examples/tasks/row_reduction.py"
HONEST = ROOT / "examples/kernels/row_reduction.py"
# They run into a limit of time or memory: some of each kind are enough.
SLOW = {"trace_timeout", "trace_memory", "trace_output", "interpret_timeout", "out_of_memory"}
# Gets a hostile program past lint.
KERNEL = "import triton\n\n\n@triton.jit\ndef k():\n    pass\n\n\n"


class Row:
    """A line of the batch file, and what its verdict must say: reasons, of which one is expected (None: accepted; "any": rejected)."""

    def __init__(self, name, line, reasons):
        self.name, self.reasons = name, reasons
        self.line = line if isinstance(line, bytes) else json.dumps(line).encode()

    def admits(self, verdict):
        expected = verdict["reason"] in self.reasons or (self.reasons == ("any",) and verdict["reason"] is not None)
        return expected and verdict["status"] == ("rejected" if verdict["reason"] else "accepted")


def coded(name, text, *reasons):
    return Row(name, {"task": TASK, "code": text}, reasons)


def of_file(name, folder, content, *reasons):
    path = folder / f"{name}.py"
    path.write_bytes(content)
    return Row(name, {"task": TASK, "candidate": str(path)}, reasons)


def broken_texts(folder):
    """What a model or a disk may leave in place of a program."""
    good = HONEST.read_text()
    chinese = "    # " + "这一行里的注释很长" * 30
    fails = good.replace("    def forward(", f"    def forward(self, *a):  # {'é' * 100}\n        raise ValueError('{'错' * 900}')\n\n    def other(")
    long_line = re.sub(r"\n    def forward\(.*", lambda m: m[0] + "\n        raise ValueError('x')" + chinese, good, count=1)
    assert fails != good and long_line != good
    return [
        of_file("latin_1", folder, good.encode() + "# caf\xe9\n".encode("latin-1"), "not_text"),
        of_file("utf_16", folder, good.encode("utf-16"), "not_text"),
        of_file("nul", folder, good.encode() + b"\0\n", "not_text"),
        of_file("half_a_character", folder, good.encode() + "# 行".encode()[:-1], "not_text"),
        of_file("only_bytes", folder, bytes(range(256)) * 8, "not_text"),
        of_file("two_mebibytes", folder, good.encode() + b"#" * (2 << 20), "not_text"),
        of_file("empty", folder, b"", "no_triton_kernel"),
        of_file("windows_lines", folder, good.replace("\n", "\r\n").encode(), None),
        of_file("byte_order_mark", folder, b"\xef\xbb\xbf" + good.encode(), None),
        coded("nul_in_code", good + "\0", "not_text"),
        coded("surrogate", good + "# \ud83d\n", "not_text"),
        coded("low_surrogate_first", "\udc00\ud800" + good, "not_text"),
        coded("large_code", good + "#" * (1 << 20), "not_text"),
        coded("no_code", "", "no_triton_kernel"),
        coded("blank", "\n \n", "no_triton_kernel"),
        coded("prose", "Here is the kernel you asked for:\n```python\n" + good + "```\n", "syntax_error"),
        coded("chinese_comment_at_the_cut", long_line, "trace_error"),
        coded("chinese_exception", fails, "trace_error"),
        coded("emoji_syntax_error", good + "\n    )" + "😀" * 200, "syntax_error"),
        coded("controls", good.replace("class ModelNew", "raise ValueError('\x1b[2J\\x07\u202e')\n\n\nclass ModelNew"), "trace_error"),
        coded("surrogate_in_exception", good.replace("class ModelNew", "raise ValueError('\\ud83d')\n\n\nclass ModelNew"), "trace_error"),
        coded("deep", good + "x = " + "(" * 5000 + ")" * 5000 + "\n", "syntax_error", "trace_error", "trace_memory"),
        coded("one_long_line", good + "x = [" + "0," * 300000 + "]\n", None),
        Row("invalid_bytes", json.dumps({"task": TASK, "code": good + "# @@\n"}).encode().replace(b"@@", b"\xff\xfe"), ("not_text",)),
    ]


def hostile():
    rows, slow = [], {}
    for path in sorted((ROOT / "tests/hostile").glob("*.py")):
        reasons = re.match(r"# reason: ([\w|]+)", path.read_text())
        if not reasons or reasons[1] == "none":
            continue
        reasons = reasons[1].split("|")
        if SLOW & set(reasons):
            slow[reasons[0]] = slow.get(reasons[0], 0) + 1
            if slow[reasons[0]] > 2:
                continue
        rows.append(coded(f"hostile/{path.stem}", KERNEL + path.read_text(), *reasons))
    return rows


def wrong():
    rows = []
    for path in sorted((ROOT / "examples/wrong").glob("*.py")):
        task, reason = re.match(r"# task: (\w+)  reason: (\w+)", path.read_text()).groups()
        rows.append(Row(f"wrong/{path.stem}", {"task": f"examples/tasks/{task}.py", "candidate": str(path)}, (reason,)))
    return rows


def all_rows(folder, count, seed=1):
    """`count` rows: all of the texts, and of the others as many as there is room for, a fifth of all rows honest."""
    chance = random.Random(seed)
    texts, others = broken_texts(folder), hostile() + wrong()
    chance.shuffle(others)
    honest = [Row("honest", {"task": TASK, "candidate": str(HONEST)}, (None,)) for _ in range(count // 5)]
    rows = texts + honest + others[: count - len(texts) - len(honest)]
    assert len(rows) == count, f"there are only {len(rows)} kinds"
    chance.shuffle(rows)
    return rows
