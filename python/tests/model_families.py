"""Random-weight models of the families that src/model knows, written by transformers, and the tool that runs ours."""
import json
import os
import subprocess
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file

PROGRAMS = Path(os.environ["TRITONSMITH_SOURCE_DIR"]) / "build/release/bin"
if "PYTHONPATH" in os.environ:  # as set by ctest: the build's own folder
    beside = Path(os.environ["PYTHONPATH"].split(":")[0]).parent / "bin"
    PROGRAMS = beside if beside.is_dir() else PROGRAMS
TOOL = PROGRAMS / "tritonsmith-model-tool"

transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()

SHAPE = dict(vocab_size=499, hidden_size=64, intermediate_size=176, num_hidden_layers=3, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=2048, bos_token_id=None, eos_token_id=None)
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 64}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}

FAMILIES = {
    "llama": transformers.LlamaConfig(**SHAPE, rope_theta=500000.0, rope_scaling=dict(LLAMA3)),
    "llama_biases": transformers.LlamaConfig(**SHAPE, attention_bias=True, mlp_bias=True, rope_scaling={"rope_type": "linear", "factor": 4.0}),
    "llama_wide_heads": transformers.LlamaConfig(**SHAPE, head_dim=48, tie_word_embeddings=True),
    "qwen2": transformers.Qwen2Config(**SHAPE, tie_word_embeddings=True, rope_theta=1e6, rope_scaling=dict(YARN)),
    "qwen2_yarn_not_truncated": transformers.Qwen2Config(**SHAPE, rope_scaling=dict(YARN, truncate=False, attention_factor=1.25, beta_fast=16.0)),
    "qwen3": transformers.Qwen3Config(**SHAPE, head_dim=32, rope_theta=1e6),
    "qwen3_tied": transformers.Qwen3Config(**dict(SHAPE, num_key_value_heads=1), head_dim=128, tie_word_embeddings=True, attention_bias=True),
}


def make(config, folder, dtype=torch.float32, seed=0, **options):
    """A model with weights far from their initial ones (norms and biases too), saved as transformers saves."""
    torch.manual_seed(seed)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="eager")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.uniform_(0.5, 1.5)
            else:
                parameter.normal_(0, 0.3 if name.endswith("bias") else 0.08)
    model.eval().save_pretrained(folder, **options)
    return model


def texts(vocabulary, lengths, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randint(vocabulary, (length,), generator=generator).tolist() for length in lengths]


def reference(model, tokens):
    with torch.no_grad():
        rows = [model(torch.tensor([text], device=model.device)).logits[0].float().cpu() for text in tokens]
    return torch.cat(rows)


class Tool:
    """A tool as a process; every request is answered or raises."""

    def __init__(self, program=TOOL, **environment):
        self.program, self.environment = program, environment

    def __enter__(self):
        self.process = subprocess.Popen([self.program], env=os.environ | self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the tool died: {self.process.wait()}")
        return json.loads(line)

    def must(self, **request):
        answer = self.ask(**request)
        if not answer["ok"]:
            raise RuntimeError(answer["error"])
        return answer

    def logits(self, folder, tokens, out, **options):
        self.must(do="logits", folder=str(folder), tokens=tokens, out=str(out), **options)
        tensors = load_file(out)
        os.unlink(out)
        return tensors
