"""src/train against transformers on a GPU: gradients as exact as those of autograd, through the flash operator and without it."""
import os
import tempfile
import unittest
from pathlib import Path

try:
    import torch
    from safetensors.torch import load_file

    from model_families import FAMILIES, PROGRAMS, Tool, make, texts
    TRAIN_TOOL = PROGRAMS / "tritonsmith-train-tool"
    missing = None if TRAIN_TOOL.exists() else f"no {TRAIN_TOOL}"
    if not missing and not torch.cuda.is_available():
        missing = "no GPU"
except ImportError as error:
    missing = str(error)


def autograd(model, tokens):
    """Gradients of the mean loss over all documents, on the model's device and in its dtype."""
    model.zero_grad()
    count = sum(len(text) - 1 for text in tokens)
    for text in tokens:
        ids = torch.tensor(text, device=model.device)
        logits = model(ids.unsqueeze(0)).logits[0, :-1].float()
        (torch.nn.functional.cross_entropy(logits, ids[1:], reduction="sum") / count).backward()
    return {name: parameter.grad.float().cpu() for name, parameter in model.named_parameters()}


def mean_errors(found, exact):
    """Of each gradient: the root of the mean squared error, relative to the gradient."""
    squares = {key: [((one[key].float() - right[key]).norm() / right[key].norm()).item() ** 2 for one, right in zip(found, exact)] for key in exact[0]}
    return {key: (sum(values) / len(values)) ** 0.5 for key, values in squares.items()}


@unittest.skipIf(missing, missing)
class TrainParityOnGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tool = cls.enterClassContext(Tool(TRAIN_TOOL))
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def ours(self, folder, tokens, **options):
        out = self.folder / "out"
        self.tool.must(do="gradients", folder=str(folder), tokens=tokens, learned=[[1] * len(text) for text in tokens], out=str(out),
                       device="cuda:0", **options)
        tensors = {name: tensor.clone() for name, tensor in load_file(out).items()}
        os.unlink(out)
        del tensors["logprobs"]
        return tensors

    def test_float32(self):
        for name in ("llama_biases", "qwen2", "qwen3_tied"):
            with self.subTest(name):
                folder = self.folder / f"f32_{name}"
                model = make(FAMILIES[name], folder).to("cuda")
                tokens = texts(499, [7, 150, 600])
                theirs = autograd(model, tokens)
                for recompute in ("nothing", "layer"):
                    ours = self.ours(folder, tokens, recompute=recompute)
                    for key, gradient in theirs.items():
                        self.assertLessEqual(((ours[key] - gradient).abs().max() / gradient.abs().max()).item(), 1e-4, key)

    def test_bfloat16(self):
        for name in ("llama_biases", "qwen3", "qwen3_tied"):
            with self.subTest(name):
                folder = self.folder / f"bf16_{name}"
                model = make(FAMILIES[name], folder, torch.bfloat16)
                # Rounding errors are random: their mean squares over several texts are compared.
                batches = [texts(499, [3, 200, 900], seed) for seed in range(1, 7)]
                exact = [autograd(model.float().to("cuda"), tokens) for tokens in batches]
                model.set_attn_implementation("sdpa")  # the flash operator there too: it rounds as ours does
                model.bfloat16()
                theirs = mean_errors([autograd(model, tokens) for tokens in batches], exact)
                for dtype in ("float32", "bfloat16"):
                    ours = mean_errors([self.ours(folder, tokens, dtype="bfloat16", gradients=dtype) for tokens in batches], exact)
                    for key, error in ours.items():
                        self.assertLessEqual(error, 1.5 * theirs[key], key)
                    self.assertLessEqual(sum(ours.values()), 1.05 * sum(theirs.values()))


if __name__ == "__main__":
    unittest.main()
