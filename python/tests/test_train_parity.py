"""src/train against transformers on the CPU: the same loss and the same gradients of all weights."""
import os
import tempfile
import unittest
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads that wait for each other cost more than such a model's work
try:
    import torch
    from safetensors.torch import load_file, save_file

    from model_families import FAMILIES, PROGRAMS, Tool, make, texts
    TRAIN_TOOL = PROGRAMS / "tritonsmith-train-tool"
    missing = None if TRAIN_TOOL.exists() else f"no {TRAIN_TOOL}"
except ImportError as error:
    missing = str(error)


def all_learned(tokens):
    return [[1] * len(text) for text in tokens]


def alternating(tokens):
    """Some spans of each document are answers; the first token of a document, which nothing predicts, is in one."""
    return [[int(i // 5 % 2 == 0) for i in range(len(text))] for text in tokens]


def autograd(model, tokens, learned, z=0.0):
    """Loss and gradients by PyTorch, one document at a time."""
    model.zero_grad()
    count = sum(sum(flags[1:]) for flags in learned)
    total = 0.0
    for text, flags in zip(tokens, learned):
        logits = model(torch.tensor([text])).logits[0, :-1].float()
        rows = torch.tensor(flags[1:], dtype=torch.bool)
        lse = logits.logsumexp(-1)
        losses = lse - logits.gather(1, torch.tensor(text[1:]).unsqueeze(1)).squeeze(1) + z * lse.square()
        loss = losses[rows].sum() / count
        loss.backward()
        total += loss.item()
    return total, {name: parameter.grad.float().clone() for name, parameter in model.named_parameters()}


@unittest.skipIf(missing, missing)
class TrainParity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tool = cls.enterClassContext(Tool(TRAIN_TOOL))
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def ours(self, folder, tokens, learned, **options):
        out = self.folder / "out"
        loss = self.tool.must(do="gradients", folder=str(folder), tokens=tokens, learned=learned, out=str(out), **options)["loss"]
        tensors = {name: tensor.clone() for name, tensor in load_file(out).items()}
        os.unlink(out)
        return loss, tensors.pop("logprobs"), tensors

    def compare(self, ours, theirs, bound):
        self.assertEqual(ours.keys(), theirs.keys())
        for name, gradient in theirs.items():
            error = (ours[name].float() - gradient).abs().max() / gradient.abs().max()
            self.assertLessEqual(error.item(), bound, name)

    def test_float32_gradients_are_those_of_autograd(self):
        for name, config in FAMILIES.items():
            with self.subTest(name):
                folder = self.folder / f"f32_{name}"
                model = make(config, folder)
                tokens = texts(config.vocab_size, [2, 7, 150, 600])
                for learned, z in (all_learned(tokens), 0.0), (alternating(tokens), 1e-3):
                    loss, _, gradients = self.ours(folder, tokens, learned, z=z)
                    theirs, expected = autograd(model, tokens, learned, z)
                    self.assertAlmostEqual(loss, theirs, delta=1e-5 * abs(theirs))
                    self.compare(gradients, expected, 1e-4)

    def test_gradients_of_adapters_are_those_of_autograd(self):
        """Of W + alpha / rank B A, for every matrix of the layers."""
        for name in ("llama_biases", "qwen3_tied"):
            config, folder, rank, alpha = FAMILIES[name], self.folder / f"lora_{name}", 4, 6.0
            model = make(config, folder)
            weights = {key: value.detach() for key, value in model.named_parameters()}
            generator = torch.Generator().manual_seed(3)
            adapters = {}
            for key, value in weights.items():
                if "proj" in key and value.dim() == 2:
                    at = "base_model.model." + key.removesuffix("weight")
                    adapters[at + "lora_A.weight"] = torch.randn(rank, value.shape[1], generator=generator).mul(0.1).requires_grad_()
                    adapters[at + "lora_B.weight"] = torch.randn(value.shape[0], rank, generator=generator).mul(0.1).requires_grad_()
            save_file({key: value.detach() for key, value in adapters.items()}, folder / "adapter_model.safetensors")
            changed = dict(weights)
            for key in [key for key in adapters if "lora_A" in key]:
                matrix = key.removeprefix("base_model.model.").replace("lora_A.", "")
                changed[matrix] = weights[matrix] + alpha / rank * adapters[key.replace("lora_A", "lora_B")] @ adapters[key]
            tokens = texts(config.vocab_size, [2, 7, 150])
            count = sum(len(text) - 1 for text in tokens)
            losses = []
            for text in tokens:
                logits = torch.func.functional_call(model, changed, (torch.tensor([text]),)).logits[0, :-1]
                losses.append(torch.nn.functional.cross_entropy(logits, torch.tensor(text[1:]), reduction="sum") / count)
            sum(losses).backward()
            for recompute in ("nothing", "layer"):
                loss, _, gradients = self.ours(folder, tokens, all_learned(tokens), adapters=str(folder), rank=rank, alpha=alpha, recompute=recompute)
                self.assertAlmostEqual(loss, sum(losses).item(), delta=1e-5 * abs(loss))
                self.compare(gradients, {key: value.grad for key, value in adapters.items()}, 1e-4)

    def test_bfloat16_gradients_are_as_exact_as_those_of_autograd(self):
        for name in ("llama_biases", "qwen3", "qwen3_tied"):
            with self.subTest(name):
                config = FAMILIES[name]
                folder = self.folder / f"bf16_{name}"
                model = make(config, folder, torch.bfloat16)
                tokens = texts(config.vocab_size, [3, 200])
                learned = all_learned(tokens)
                _, expected = autograd(model.float(), tokens, learned)  # of the same weights
                _, theirs = autograd(model.bfloat16(), tokens, learned)
                for dtype in "float32", "bfloat16":
                    _, _, gradients = self.ours(folder, tokens, learned, dtype="bfloat16", gradients=dtype)
                    ours, allowed = 0.0, 0.0  # relative errors: which of two roundings is luckier differs between tensors
                    for key, exact in expected.items():
                        one, other = (((found.float() - exact).norm() / exact.norm()).item() for found in (gradients[key], theirs[key]))
                        self.assertLessEqual(one, 1.5 * other, key)
                        ours, allowed = ours + one, allowed + other
                    self.assertLessEqual(ours, 1.05 * allowed)

    def test_recomputation_changes_no_bit(self):
        folder = self.folder / "recompute"
        config = FAMILIES["qwen3"]
        make(config, folder)
        tokens = texts(config.vocab_size, [30, 90])
        runs = [self.ours(folder, tokens, all_learned(tokens), recompute=what) for what in ("nothing", "elementwise", "layer")]
        for _, logprobs, gradients in runs[1:]:
            self.assertTrue(torch.equal(logprobs, runs[0][1]))
            for name, gradient in gradients.items():
                self.assertTrue(torch.equal(gradient, runs[0][2][name]), name)

    def test_packed_documents_are_as_if_alone(self):
        folder = self.folder / "packed"
        config = FAMILIES["qwen3_tied"]
        make(config, folder)
        tokens = texts(config.vocab_size, [1, 40, 300, 17])
        learned = alternating(tokens)
        counts = [sum(flags[1:]) for flags in learned]
        loss, logprobs, gradients = self.ours(folder, tokens, learned)
        sums, alone = 0.0, []
        total = {name: torch.zeros_like(gradient) for name, gradient in gradients.items()}
        for text, flags, count in zip(tokens, learned, counts):
            if count == 0:
                continue
            value, logs, parts = self.ours(folder, [text], [flags])
            sums += value * count
            alone.append(logs)
            for name, part in parts.items():
                total[name] += part * count
        self.assertAlmostEqual(loss, sums / sum(counts), places=6)
        torch.testing.assert_close(logprobs, torch.cat(alone), rtol=1e-5, atol=1e-5)
        self.compare(gradients, {name: gradient / sum(counts) for name, gradient in total.items()}, 1e-5)

    def test_a_chunked_head_is_the_whole_one(self):
        folder = self.folder / "chunks"
        config = FAMILIES["llama"]
        make(config, folder)
        tokens = texts(config.vocab_size, [80])
        whole = self.ours(folder, tokens, all_learned(tokens))
        for rows in 1, 7, 78:
            loss, logprobs, gradients = self.ours(folder, tokens, all_learned(tokens), logits_bytes=rows * 4 * config.vocab_size)
            self.assertAlmostEqual(loss, whole[0], places=6)
            torch.testing.assert_close(logprobs, whole[1], rtol=1e-5, atol=1e-6)
            self.compare(gradients, whole[2], 1e-5)

    def test_quantised_weights_are_refused(self):
        folder = self.folder / "int8"
        make(FAMILIES["llama"], folder)
        answer = self.tool.ask(do="gradients", folder=str(folder), tokens=[[1, 2]], learned=[[1, 1]], out="", dtype="int8")
        self.assertEqual(answer["kind"], "input", answer)


if __name__ == "__main__":
    unittest.main()
