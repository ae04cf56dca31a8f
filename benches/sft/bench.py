"""Training steps against transformers, eager and compiled: tokens per second.

    python benches/sft/bench.py --goals [--output FILE]     the shapes that have goals, on one GPU
    python benches/sft/bench.py --shape qwen3-0.6b --device cuda:0 [--documents 4] [--length 4096] [--recompute elementwise]
    python benches/sft/bench.py --shape 25m --device cpu --float32 --documents 2 --length 256 --steps 3

Weights and tokens are random: the work is the same, and nothing is fetched. Both sides train all tokens with AdamW
and clip gradients to norm 1. transformers gets documents of equal length as a batch without padding, weights,
gradients and states in the dtypes that are named, PyTorch's fused AdamW, and flash attention through
scaled_dot_product_attention. The median step counts, after a warm-up. Each side is a process of its own with --limit
seconds, and each line is written as soon as it is known. Exit status 1: one of ours failed.
"""
import argparse
import copy
import datetime
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QWEN3 = dict(num_attention_heads=16, num_key_value_heads=8, head_dim=128, vocab_size=151936, tie_word_embeddings=True, num_hidden_layers=28)
SHAPES = {
    "25m": dict(hidden_size=384, intermediate_size=1024, num_hidden_layers=8, num_attention_heads=6, num_key_value_heads=2, head_dim=64, vocab_size=16384, tie_word_embeddings=True),
    "60m": dict(hidden_size=512, intermediate_size=1536, num_hidden_layers=14, num_attention_heads=8, num_key_value_heads=4, head_dim=64, vocab_size=32768, tie_word_embeddings=True),
    "qwen3-0.6b": dict(QWEN3, hidden_size=1024, intermediate_size=3072),
    "qwen3-1.7b": dict(QWEN3, hidden_size=2048, intermediate_size=6144),
    "qwen3-8b": dict(QWEN3, hidden_size=4096, intermediate_size=12288, num_hidden_layers=36, num_attention_heads=32, tie_word_embeddings=False),
}
# What --goals measures: times of transformers, compiled; the last shape has to fit on the device.
GOALS = [
    dict(shape="qwen3-0.6b", documents=4, goal=1.4, peers=["compiled"]),
    dict(shape="qwen3-1.7b", documents=2, goal=1.3, peers=["compiled"]),
    dict(shape="qwen3-8b", documents=2, bf16_gradients=True, bf16_states=True, goal=None, peers=[]),
]


class Failed(Exception):
    pass


def run(command, limit):
    """The JSON object on the last line of what a command prints."""
    words = [str(word) for word in command]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # torch.compile's workers too
        process.communicate()
        raise Failed(f"not done within {limit} s") from None
    if process.returncode != 0:
        told = next((line for line in reversed(errors.splitlines()) if line.strip()), "no message")
        raise Failed(f"exit status {process.returncode}: {told[:300]}")
    return json.loads(output.splitlines()[-1])


def ours(options, folder):
    command = [options.binary, "--model", folder, "--device", options.device, "--documents", options.documents, "--length", options.length, "--steps", options.steps,
               "--recompute", options.recompute]
    command += [] if options.float32 else ["--bf16"]
    command += ["--bf16-gradients"] if options.bf16_gradients else []
    command += ["--bf16-states"] if options.bf16_states else []
    return run(command, options.limit)


def theirs(options, peer):
    command = [sys.executable, __file__, "--only", peer, "--shape", options.shape, "--device", options.device, "--documents", options.documents,
               "--length", options.length, "--steps", options.steps]
    command += ["--float32"] if options.float32 else []
    return run(command, options.limit)


def config_of(options):
    """What config.json has."""
    return dict(SHAPES[options.shape], model_type="qwen3", architectures=["Qwen3ForCausalLM"], max_position_embeddings=max(4096, options.length), rope_theta=1e6, rms_norm_eps=1e-6,
                hidden_act="silu", attention_bias=False, bos_token_id=None, eos_token_id=None, pad_token_id=None)


def measure_peer(options):
    """In a process of its own: tokens per second and memory of transformers."""
    import torch
    import transformers

    torch.manual_seed(1)
    config = transformers.Qwen3Config(**config_of(options))
    with torch.device(options.device):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32 if options.float32 else torch.bfloat16, attn_implementation="sdpa")
    model.train()
    tokens = torch.randint(0, config.vocab_size, (options.documents, options.length), device=options.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    forward = torch.compile(model) if options.only == "compiled" else model

    def step():
        loss = forward(input_ids=tokens, labels=tokens).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if options.device != "cpu":
            torch.cuda.synchronize()

    times = []
    for number in range(3 + options.steps):
        start = time.perf_counter()
        step()
        if number >= 3:
            times.append(time.perf_counter() - start)
    peak = torch.cuda.max_memory_allocated() if options.device != "cpu" else 0
    print(json.dumps({"tokens_per_second": tokens.numel() / sorted(times)[len(times) // 2], "peak_bytes": peak, "version": transformers.__version__}))


def device_name(options):
    if options.device == "cpu":
        return f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors"
    import torch

    return f"{torch.cuda.get_device_name(options.device)}, {os.cpu_count()} processors, torch {torch.__version__}"


def measure(options, tell):
    """@return whether ours ran"""
    dtypes = "float32" if options.float32 else "bfloat16"
    if not options.float32:
        dtypes += f", ours with {'bfloat16' if options.bf16_gradients else 'float32'} gradients and {'bfloat16' if options.bf16_states else 'float32'} states"
    tell(f"{options.shape}: {options.documents} documents of {options.length} tokens, {dtypes} on {options.device}")
    try:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "config.json").write_text(json.dumps(config_of(options)))
            mine = ours(options, folder)
    except Failed as error:
        tell(f"  ours: {error}")
        return False
    speed = mine["tokens_per_second"]
    tell(f"  ours: {mine['parameters'] / 1e6:.0f} M parameters, {speed:.0f} tokens/s, {mine['tflops']:.0f} TFLOP/s, {mine['tflops'] / options.peak_tflops:.0%} of {options.peak_tflops:.0f}; "
         f"{mine['peak_bytes'] / 1e9:.1f} GB")
    for peer in options.peers:
        try:
            other = theirs(options, peer)
        except Failed as error:
            tell(f"  transformers, {peer}: {error}")
            continue
        goal = f" (goal {options.goal})" if options.goal else ""
        tell(f"  transformers {other['version']}, {peer}: {other['tokens_per_second']:.0f} tokens/s, {other['peak_bytes'] / 1e9:.1f} GB; ratio {speed / other['tokens_per_second']:.2f}{goal}")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--goals", action="store_true", help="the shapes that have goals; they replace --shape, --documents, --peers and dtypes")
    parser.add_argument("--shape", choices=SHAPES, default="qwen3-0.6b")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--documents", type=int, default=4)
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--recompute", choices=("nothing", "elementwise", "layer"), default="elementwise")
    parser.add_argument("--float32", action="store_true", help="weights and activations; else bfloat16")
    parser.add_argument("--bf16-gradients", action="store_true", help="of ours; transformers' have the weights' dtype")
    parser.add_argument("--bf16-states", action="store_true", help="of ours; transformers' have the weights' dtype")
    parser.add_argument("--peak-tflops", type=float, default=790, help="of the device's products, measured; for MFU")
    parser.add_argument("--peers", nargs="*", choices=("eager", "compiled"), default=["eager", "compiled"])
    parser.add_argument("--limit", type=float, default=240, help="seconds of each side of a shape, compilation included")
    parser.add_argument("--binary", default=ROOT / "build/release/bin/sft_bench")
    parser.add_argument("--output", help="file that lines are added to")
    parser.add_argument("--only", choices=("eager", "compiled"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.goal = None
    if options.only:
        measure_peer(options)
        return 0
    if not Path(options.binary).exists():
        sys.exit(f"{options.binary} is not built: ninja -C build/release sft_bench")

    def tell(line):
        print(line, flush=True)
        if options.output:
            with open(options.output, "a") as file:
                file.write(line + "\n")

    tell(f"{' '.join(['python', 'benches/sft/bench.py', *sys.argv[1:]])}   {datetime.date.today()}, {device_name(options)}")
    done = True
    for changes in GOALS if options.goals else [{}]:
        one = copy.copy(options)
        vars(one).update(changes)
        done = measure(one, tell) and done
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
