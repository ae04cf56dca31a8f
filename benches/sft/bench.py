"""Training steps against transformers, eager and compiled, in the same run: tokens per second.

    .venv/bin/python benches/sft/bench.py --shape qwen3-0.6b --device cuda:0 [--documents 4] [--length 4096] [--recompute elementwise] [--output FILE]
    .venv/bin/python benches/sft/bench.py --shape 25m --device cpu --float32 --documents 2 --length 256 --steps 3

Weights and tokens are random: the work is the same. Both sides train all tokens with AdamW and clip gradients to norm 1. transformers gets documents of equal length as a batch without padding,
weights, gradients and states in the dtypes that are named, PyTorch's fused AdamW, and flash attention through scaled_dot_product_attention. The median step counts, after a warm-up.
"""
import argparse
import datetime
import gc
import json
import os
import platform
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


def ours(options, folder):
    command = [options.binary, "--model", folder, "--device", options.device, "--documents", options.documents, "--length", options.length, "--steps", options.steps,
               "--recompute", options.recompute]
    command += [] if options.float32 else ["--bf16"]
    command += ["--bf16-gradients"] if options.bf16_gradients else []
    command += ["--bf16-states"] if options.bf16_states else []
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def theirs(options, config, compiled):
    import torch
    from transformers import AutoModelForCausalLM

    torch.manual_seed(1)
    with torch.device(options.device):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32 if options.float32 else torch.bfloat16, attn_implementation="sdpa")
    model.train()
    tokens = torch.randint(0, config.vocab_size, (options.documents, options.length), device=options.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    forward = torch.compile(model) if compiled else model

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
    del model, optimizer, forward
    gc.collect()
    if options.device != "cpu":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    return options.documents * options.length / sorted(times)[len(times) // 2], peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
    parser.add_argument("--binary", default=ROOT / "build/release/bin/sft_bench")
    parser.add_argument("--output")
    options = parser.parse_args()

    from transformers import Qwen3Config

    config = Qwen3Config(**SHAPES[options.shape], max_position_embeddings=max(4096, options.length), rope_theta=1e6, dtype="bfloat16", bos_token_id=None, eos_token_id=None, pad_token_id=None)
    with tempfile.TemporaryDirectory() as folder:
        config.save_pretrained(folder)
        mine = ours(options, folder)
    speed = mine["tokens_per_second"]
    lines = [f"{' '.join(['python', 'benches/sft/bench.py', *sys.argv[1:]])}   {datetime.date.today()}, {platform.processor() or platform.machine()}, {os.cpu_count()} processors",
             f"{options.shape}: {mine['parameters'] / 1e6:.0f} M parameters, {options.documents} documents of {options.length} tokens, {'float32' if options.float32 else 'bfloat16'} on {options.device}",
             f"  ours: {speed:.0f} tokens/s, {mine['tflops']:.0f} TFLOP/s, {mine['tflops'] / options.peak_tflops:.0%} of {options.peak_tflops:.0f}; {mine['peak_bytes'] / 1e9:.1f} GB"]
    for peer in options.peers:
        import transformers

        rate, peak = theirs(options, config, peer == "compiled")
        lines.append(f"  transformers {transformers.__version__}, {peer}: {rate:.0f} tokens/s, {peak / 1e9:.1f} GB; ratio {speed / rate:.2f}")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.output:
        with open(options.output, "a") as file:
            file.write(text)


if __name__ == "__main__":
    main()
