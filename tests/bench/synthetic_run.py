"""A run of bench that nobody judged: as many problems and answers as wanted, the same for the same numbers."""

import json
import random

REASONS = ["accepted", "wrong_result", "host_compute", "trace_error", "compile_error", "out_of_bounds", "no_code"]
FAMILIES = ["matmul", "convolution", "norm", "softmax", "attention", "reduction"]


def code(problem, sample):
    """About as long as a model's answer. What closes a script, and marks of the page, must stay text."""
    lines = [f"# answer {sample} to {problem}: </script><script>document.title = 'broken'</script> {{{{JS}}}} <!--"]
    lines += ["import torch", "import triton", "import triton.language as tl", "", "@triton.jit"]
    lines += [f"def kernel{i}(x_ptr, n, BLOCK: tl.constexpr):\n    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
              f"    tl.store(x_ptr + at, tl.load(x_ptr + at, mask=at < n) * {sample}.0, mask=at < n)\n" for i in range(8)]
    return "\n".join(lines) + "\n"


def verdict(random_, answer, timed):
    reason = random_.choices(REASONS, [4, 3, 2, 2, 1, 1, 1])[0]
    accepted = reason == "accepted"
    out = {"status": "accepted" if accepted else "rejected", "accepted": accepted, "reason": None if accepted else reason, "stage": "correctness",
           "checked": "small", "valid": reason not in ("no_code", "host_compute"), "compiled": reason in ("accepted", "wrong_result"),
           "message": f"what was found in {answer}", "line": None if accepted else 7,
           "evidence": {"largest_error": random_.random()}, "feedback": {"person": "Mask the access.", "model": "[x] y"}}
    if accepted and timed:
        out.update(speedup=round(random_.lognormvariate(0.2, 0.5), 3), candidate_ms=0.5)
    return out


def write(folder, problems, samples, protocols=("robust", "relaxed"), timed=True):
    random_ = random.Random(7)
    folder.mkdir()
    (folder / "bench.toml").write_text('suite = "kernelbench"\n')
    with open(folder / "problems.jsonl", "w") as of_problems, open(folder / "answers.jsonl", "w") as answers, \
            open(folder / "verdicts.jsonl", "w") as verdicts:
        for number in range(problems):
            level = 1 + number % 3
            name = f"L{level}-{number}"
            row = {"id": name, "suite": "kernelbench", "level": level, "name": f"{number}_Problem_<b>{number}</b>", "family": FAMILIES[number % len(FAMILIES)],
                   "code": "class Model:\n    pass\n"}
            if number % 40 == 3:
                row["flaw"] = "constant output"
            print(json.dumps(row), file=of_problems)
            for sample in range(samples):
                print(json.dumps({"problem": name, "sample": sample, "code": code(name, sample), "origin": "synthetic"}), file=answers)
                for protocol in protocols:
                    one = {"problem": name, "sample": sample, "protocol": protocol, "verdict": verdict(random_, f"{name}/{sample}", timed)}
                    print(json.dumps(one), file=verdicts)


def write_training(folder, steps):
    """The folder of a run of train whose loss falls from 9 to about 1."""
    random_ = random.Random(7)
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps({"kind": "sft", "parameters": 61_000_000, "settings": {"run": {"device": "cuda:0", "folder": "</script>"}}}))
    with open(folder / "metrics.jsonl", "w") as lines:
        for step in range(1, steps + 1):
            loss = 1 + 8 * 0.998**step
            line = {"step": step, "seconds": 1e9 + 0.13 * step, "loss": loss * random_.uniform(0.95, 1.1), "gradient_norm": random_.uniform(0.5, 2),
                    "learning_rate": 1e-3 * min(step / 100, 1 - step / (steps + 1)), "tokens": 65536 * step, "tokens_per_second": random_.uniform(4.8e5, 5.1e5),
                    "mfu": random_.uniform(0.33, 0.35), "time": {"data": 0.001, "passes": 0.12, "optimizer": 0.009}, "data": {"pairs": {"rows": 40 * step, "dropped": 0}}}
            if step % 250 == 0:
                line["evaluation"] = {"loss": loss * 1.02}
            print(json.dumps(line), file=lines)
