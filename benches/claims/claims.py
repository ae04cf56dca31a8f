#!/usr/bin/env python3
"""The seeds' claims about reinforcement learning, small: a tiny model (tiny_tasks.py), the real judge, three seeds, no GPU.

    benches/claims/claims.py build/release/bin/tritonsmith -o runs/claims [--only NAME]

Each claim is a grid of `train ablate`, whose table is printed; its curves are copied to benches/results/claims_NAME.svg with --keep.
A grid that was stopped goes on."""
import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benches/claims"), str(ROOT / "python/tests")]
import tiny_tasks  # noqa: E402
from tiny_training import ONE_THREAD, write_model_folder, write_toml  # noqa: E402

METRICS = ["evaluation/pass_rate", "answers/pass_rate", "answers/cheating", "answers/check_rate", "answers/reward/mean"]
SPEED = ["evaluation/pass_rate", "answers/pass_rate", "answers/cheating", "answers/reward/speed", "answers/reward/mean"]


def lessons(folder, name, steps):
    return {"run": {"folder": str(folder / name), "steps": steps, "checkpoint_every": 0, "keep": 1},
            "model": {"folder": str(folder / "model"), "scratch": True, "dtype": "float32"},
            "data": {"tokens": 2048, "longest": 192, "sources": [{"files": str(folder / "lessons.jsonl")}]},
            "schedule": {"learning_rate": 5e-3, "warmup": 10}}


def reinforcement(folder, steps):
    return {"run": {"folder": str(folder / "unused"), "steps": steps, "checkpoint_every": 0, "keep": 1},
            "model": {"folder": str(folder / "base/checkpoints/last"), "dtype": "float32"},
            "tasks": {"prompts": 6, "sources": [{"files": str(folder / "tasks.jsonl")}]},
            "rollout": {"group": 12, "max_tokens": 16, "cache_mib": 32, "dynamic": False},
            "evaluation": {"files": str(folder / "held.jsonl"), "every": steps, "samples": 8},
            "judge": {"jobs": 3}, "reward": {"overlong_buffer": 0}, "loss": {"tokens": 4096}, "schedule": {"learning_rate": 1e-3, "warmup": 0}}


def claims(folder):
    """By name: what it says, the numbers that show it, and the grids."""
    published = {"reward.check": "kernelbench", "reward.kind": "autotriton", "reward.rule": False}
    robust = {"reward.check": "judge", "reward.kind": "autotriton", "reward.rule": True}
    early = {"model.folder": str(folder / "early/checkpoints/last")}
    return {
        "rule": (METRICS, [{"variants": {"reward": {"outputs alone": published, "outputs, and a kernel in the text": published | {"reward.rule": True},
                                                    "the judge": robust}}}]),
        "sft": (METRICS, [{"variants": {"reward": {"outputs alone": published, "the judge": robust}, "model": {"hardly trained": early}}}]),
        "hrd": (SPEED, [{"fields": {"reward.kind": ["hrd"], "reward.alpha": [0, 0.1, 1]}}, {"fields": {"reward.kind": ["uniform"], "reward.beta": [0, 0.5, 0.9]}}]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--only", help="one claim")
    parser.add_argument("--steps", type=int, default=24, help="of reinforcement learning (default: %(default)s)")
    parser.add_argument("--lessons", type=int, default=300, help="steps of the training before it (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--keep", action="store_true", help="copy the curves to benches/results")
    arguments = parser.parse_args()
    folder, program = arguments.output.resolve(), arguments.program.resolve()
    environment = os.environ | ONE_THREAD
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "tasks.jsonl").exists():
        tiny_tasks.write(folder, write_model_folder)
    for name, steps in ("base", arguments.lessons), ("early", arguments.lessons // 5):
        if not (folder / name / "checkpoints/last").exists():
            shutil.rmtree(folder / name, ignore_errors=True)
            write_toml(folder / f"{name}.toml", lessons(folder, name, steps))
            subprocess.run([program, "train", "sft", folder / f"{name}.toml"], check=True, env=environment)
    write_toml(folder / "grpo.toml", reinforcement(folder, arguments.steps))
    for name, (metrics, grids) in claims(folder).items():
        if arguments.only not in (None, name):
            continue
        write_toml(folder / f"{name}.toml", {"ablation": {"folder": str(folder / name), "configuration": str(folder / "grpo.toml"),
                                                          "seeds": list(range(1, arguments.seeds + 1)), "metrics": metrics, "window": 5},
                                             "grids": grids})
        print(f"\n## {name}", flush=True)
        subprocess.run([program, "train", "ablate", folder / f"{name}.toml"], check=True, env=environment)
        if arguments.keep:
            shutil.copy(folder / name / "curves.svg", ROOT / f"benches/results/claims_{name}.svg")


if __name__ == "__main__":
    main()
