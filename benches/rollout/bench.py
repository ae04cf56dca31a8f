"""The rollout engine against transformers' generate, in the same run: tokens per second for prompts of random tokens.

    .venv/bin/python benches/rollout/bench.py --shape qwen3-0.6b --device cuda:0 [--prompts 256] [--samples 1] [--prompt-tokens 512] [--new-tokens 256] [--cache-dtype fp8] [--exact] [--output FILE]
    .venv/bin/python benches/rollout/bench.py --shape qwen3-0.6b --prompts 32 --samples 8 [--no-sharing]
    .venv/bin/python benches/rollout/bench.py --shape 60m --device cpu --prompts 8 --prompt-tokens 64 --new-tokens 64 [--dtype int8]

Weights are random: the work is the same. Both sides sample at temperature 1 from the whole vocabulary, ends of the text are ignored, so that each answer has its full
length. transformers gets all prompts as one batch (its fastest way) and an allocator whose segments grow; the fastest of its rounds counts; the engine gets them as so many requests, and its
second round counts (the first records CUDA graphs). With --samples each prompt has so many answers: one request with n samples here, num_return_sequences there. The limit printed is what
reading weights and cache once a step costs at --bandwidth, a prompt's keys and values once for all of its samples.
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
SHAPES = {
    "25m": dict(hidden_size=384, intermediate_size=1024, num_hidden_layers=8, num_attention_heads=6, num_key_value_heads=2, head_dim=64, vocab_size=16384, tie_word_embeddings=True),
    "60m": dict(hidden_size=512, intermediate_size=1536, num_hidden_layers=14, num_attention_heads=8, num_key_value_heads=4, head_dim=64, vocab_size=32768, tie_word_embeddings=True),
    "qwen3-0.6b": dict(hidden_size=1024, intermediate_size=3072, num_hidden_layers=28, num_attention_heads=16, num_key_value_heads=8, head_dim=128, vocab_size=151936, tie_word_embeddings=True),
    "qwen3-8b": dict(hidden_size=4096, intermediate_size=12288, num_hidden_layers=36, num_attention_heads=32, num_key_value_heads=8, head_dim=128, vocab_size=151936, tie_word_embeddings=False),
}


def config_of(shape):
    from transformers import Qwen3Config

    return Qwen3Config(**SHAPES[shape], max_position_embeddings=4096, rope_theta=1e6, dtype="bfloat16", bos_token_id=None, eos_token_id=None, pad_token_id=0)


def ours(options, folder):
    command = [options.binary, "--model", folder, "--random-weights", "--device", options.device, "--dtype", options.dtype, "--prompts", options.prompts,
               "--samples", options.samples, "--prompt-tokens", options.prompt_tokens, "--new-tokens", options.new_tokens, "--max-batch", max(options.prompts * options.samples, 1), "--rounds", options.rounds,
               "--chunk-tokens", options.chunk_tokens, "--cache-dtype", options.cache_dtype]
    command += ["--exact"] if options.exact else []
    command += ["--no-sharing"] if options.no_sharing else []
    command += ["--threads", options.threads] if options.threads else []
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def theirs(options, config):
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")  # its cache grows by a token each step
    import torch
    from transformers import AutoModelForCausalLM

    if options.threads:
        torch.set_num_threads(options.threads)
    dtype = torch.float32 if options.dtype == "float32" else torch.bfloat16
    torch.manual_seed(1)
    with torch.device(options.device):
        model = AutoModelForCausalLM.from_config(config, dtype=dtype).eval()
    prompts = torch.randint(0, config.vocab_size, (options.prompts, options.prompt_tokens), device=options.device)

    def generate():
        return model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=options.new_tokens, min_new_tokens=options.new_tokens, do_sample=True,
                              num_return_sequences=options.samples, temperature=1.0, top_k=0, top_p=1.0, eos_token_id=None, pad_token_id=0)

    def wait():
        if options.device != "cpu":
            torch.cuda.synchronize()

    with torch.no_grad():
        times = []
        for _ in range(options.peer_rounds):
            wait()
            start = time.perf_counter()
            out = generate()
            wait()
            times.append(time.perf_counter() - start)
    assert out.shape == (options.prompts * options.samples, options.prompt_tokens + options.new_tokens), out.shape
    del model
    gc.collect()
    if options.device != "cpu":
        torch.cuda.empty_cache()
    return options.prompts * options.samples * options.new_tokens / min(times)


def limit(options, mine):
    """Tokens per second if a step cost no more than reading the weights and the cache once."""
    context = options.prompt_tokens + options.samples * options.new_tokens / 2
    cache = mine["cache_bytes_per_token"] * context * options.prompts
    weights = mine["weight_bytes"]
    return options.prompts * options.samples * options.bandwidth * 1e9 / (weights + cache), weights, cache


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=SHAPES, default="qwen3-0.6b")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--cache-dtype", choices=("auto", "fp8"), default="auto", help="of the engine's keys and values")
    parser.add_argument("--prompts", type=int, default=256)
    parser.add_argument("--samples", type=int, default=1, help="of each prompt")
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--new-tokens", type=int, default=256)
    parser.add_argument("--chunk-tokens", type=int, default=8192)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--peer-rounds", type=int, default=2, help="of transformers, the fastest counts; 0: not run")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--no-sharing", action="store_true", help="the engine reads each sample's keys and values alone (CUDA)")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--bandwidth", type=float, default=0, help="of the device's memory, measured, GB/s; 0: 4300 on a GPU (H200), on the CPU what reading as many bytes as the weights have reaches beside this run")
    parser.add_argument("--binary", default=ROOT / "build/release/bin/rollout_bench")
    parser.add_argument("--output")
    options = parser.parse_args()

    config = config_of(options.shape)
    with tempfile.TemporaryDirectory() as folder:
        config.save_pretrained(folder)
        mine = ours(options, folder)
    best = max(mine["rounds"], key=lambda r: r["tokens_per_second"])
    options.bandwidth = options.bandwidth or mine.get("read_bytes_per_second", 4300e9) / 1e9
    most, weights, cache = limit(options, mine)
    lines = [f"{' '.join(['python', 'benches/rollout/bench.py', *sys.argv[1:]])}   {datetime.date.today()}, {platform.processor() or platform.machine()}, {os.cpu_count()} processors",
             f"{options.shape}: {mine['parameters'] / 1e6:.0f} M parameters, {options.prompts} prompts of {options.prompt_tokens} tokens, {f'{options.samples} samples of each, ' if options.samples > 1 else ''}{options.new_tokens} new ones each, {options.dtype}{', cache in fp8' if options.cache_dtype == 'fp8' else ''}{', exact' if options.exact else ''} on {options.device}",
             f"  engine: {best['tokens_per_second']:.0f} tokens/s ({best['seconds']:.2f} s; first tokens of all after {best['last_first_token_seconds']:.2f} s, then {best['decode_tokens_per_second']:.0f} tokens/s; "
             f"rounds: {', '.join('%.2f s' % r['seconds'] for r in mine['rounds'])})",
             f"  reading weights ({weights / 1e9:.2f} GB) and cache ({cache / 1e9:.2f} GB in the mean) once a step at {options.bandwidth:.{0 if options.bandwidth > 100 else 1}f} GB/s: {most:.0f} tokens/s; decoding reaches {best['decode_tokens_per_second'] / most:.0%} of it"]
    if options.peer_rounds:
        import transformers

        peer = theirs(options, config)
        lines.append(f"  transformers {transformers.__version__} generate: {peer:.0f} tokens/s; ratio {best['tokens_per_second'] / peer:.2f}")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.output:
        with open(options.output, "a") as file:
            file.write(text)


if __name__ == "__main__":
    main()
