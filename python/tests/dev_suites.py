"""How much of the development halves of KernelBench and TritonBench-G traces. Skipped where the data is absent:
TRITONSMITH_DEV_DATA names the folder of kernelbench_dev.jsonl and tritonbench_dev.jsonl. Results: docs/suites.md.

    TRITONSMITH_DEV_DATA=… TRITONSMITH_PACKAGE=build/release/package python python/tests/dev_suites.py [ID …]
"""

import json
import os
import sys
import unittest

from zygote import Zygote

DATA = os.environ.get("TRITONSMITH_DEV_DATA", "")
ONLY = set(os.environ.get("TRITONSMITH_DEV_ONLY", "").split())
SMALL = 4 << 20


def rows(name):
    with open(os.path.join(DATA, name)) as lines:
        found = [json.loads(line) for line in lines]
    return [row for row in found if not ONLY or row["id"] in ONLY]


def peak_bytes(plan):
    """Most bytes that live at once."""
    size = {b["id"]: b["bytes"] for b in plan["buffers"]}
    alive, now, peak = set(), 0, 0
    for step in plan["steps"]:
        if step["kind"] == "aten":
            stack = [step["result"]]
            while stack:
                value = stack.pop()
                if isinstance(value, list):
                    stack += value
                elif isinstance(value, dict) and "tensor" in value and value["tensor"]["buffer"] not in alive:
                    alive.add(value["tensor"]["buffer"])
                    now += size[value["tensor"]["buffer"]]
        elif step["kind"] == "free" and step["buffer"] in alive:
            alive.discard(step["buffer"])
            now -= size[step["buffer"]]
        peak = max(peak, now)
    return peak


def draws(plan):
    """Inputs and weights as drawn: the same for every device that a task is traced on, which links them. (Dropout in the
    forward phase is another operator on each device; such tasks are random and not judged.)"""
    return [(s["phase"], s["draw"], s["op"], s["result"]["tensor"]["shape"]) for s in plan["steps"]
            if "draw" in s and s["phase"] != "forward"]


def shrunk(zygote, row):
    """Constants for which the task still traces on the device that computes nothing, and is small: a plain search, the
    judge's own is in C++. Returns (constants, bytes)."""
    answer = zygote.trace(row["code"], "reference", filename=row["id"] + ".py")
    if "plan" not in answer:
        return {}, 0
    constants, fixed, best = dict(answer["plan"]["constants"]), set(), {}
    bytes_now = peak_bytes(answer["plan"])
    while bytes_now > SMALL:
        names = [n for n, v in constants.items() if n not in fixed and v > 1]
        if not names:
            break
        name = max(names, key=constants.get)
        attempt = {**best, name: max(1, constants[name] // 2)}
        answer = zygote.trace(row["code"], "reference", filename=row["id"] + ".py", constants=attempt)
        if "plan" in answer and peak_bytes(answer["plan"]) <= bytes_now:
            best, bytes_now = attempt, peak_bytes(answer["plan"])
            constants[name] = attempt[name]
        else:
            fixed.add(name)
    return best, bytes_now


@unittest.skipUnless(DATA, "TRITONSMITH_DEV_DATA names no folder")
class Suites(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote()

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()

    def report(self, what, total, failed):
        print(f"\n{what}: {total - len(failed)} of {total}")
        for name, error in failed.items():
            print(f"  {name}: {error['reason']} at line {error['line']}: {error['message'][:160]!r}")

    def test_references_on_the_device_that_computes_nothing(self):
        failed, all_rows = {}, rows("kernelbench_dev.jsonl")
        for row in all_rows:
            answer = self.zygote.trace(row["code"], "reference", filename=row["id"] + ".py")
            if "error" in answer:
                failed[row["id"]] = answer["error"]
        self.report("KernelBench references on cuda, full size", len(all_rows), failed)
        self.assertLessEqual(len(failed), 2)

    def test_references_on_the_cpu(self):
        failed, all_rows = {}, rows("kernelbench_dev.jsonl")
        for row in all_rows:
            constants, size = shrunk(self.zygote, row)
            answer = self.zygote.trace(row["code"], "reference", filename=row["id"] + ".py", device="cpu", constants=constants)
            if "error" in answer:
                failed[row["id"]] = {**answer["error"], "message": f"{answer['error']['message']} ({size} bytes)"}
                continue
            on_gpu = self.zygote.trace(row["code"], "reference", filename=row["id"] + ".py", constants=constants)
            if draws(answer["plan"]) != draws(on_gpu["plan"]):
                failed[row["id"]] = {"reason": "draws", "line": 0, "message": "inputs or weights are drawn differently on cuda"}
        self.report("KernelBench references on cpu, shrunk", len(all_rows), failed)
        self.assertLessEqual(len(failed), 2)

    def test_tritonbench_programs(self):
        """With their own tests; a read of values in a test after its launches ends a trace that has done its work."""
        failed, reads = {}, {}
        all_rows = [row for row in rows("tritonbench_dev.jsonl") if row["id"].startswith("G-")]
        for row in all_rows:
            answer = self.zygote.trace(row.get("code_repaired") or row["code"], "script", filename=row["id"] + ".py")
            error = answer.get("error")
            if error is None:
                self.assertTrue(any(s["kind"] in ("launch", "choice") for s in answer["plan"]["steps"]), row["id"])
            elif error["reason"] == "host_read" and error.get("launches"):
                reads[row["id"]] = error
            else:
                failed[row["id"]] = error
        self.report("TritonBench-G programs up to the end or a host read after launches", len(all_rows), failed)
        print("  stopped at a host read after launches: " + ", ".join(reads))
        self.assertLessEqual(len(failed), 7)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ONLY = set(sys.argv[1:])
    unittest.main(argv=sys.argv[:1], verbosity=2)
