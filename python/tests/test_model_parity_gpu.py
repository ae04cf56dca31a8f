"""src/model against transformers on a GPU: no less exact than transformers itself, and in exact mode the same bits in any batch."""
import tempfile
import unittest
from pathlib import Path

try:
    import torch
    import transformers

    from model_families import FAMILIES, TOOL, Tool, make, reference, texts
    missing = None if TOOL.exists() else f"no {TOOL}"
    if not missing and not torch.cuda.is_available():
        missing = "no GPU"
except ImportError as error:
    missing = str(error)

CUDA = {"device": "cuda:0"}


@unittest.skipIf(missing, missing)
class ModelParityOnGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tool = cls.enterClassContext(Tool())
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def logits(self, folder, tokens, **options):
        return self.tool.logits(folder, tokens, self.folder / "out", **CUDA, **options)

    def test_float32(self):
        for name in ("llama_biases", "qwen2", "qwen3_tied"):
            for plain in (False, True):
                with self.subTest(name, plain=plain):
                    config = FAMILIES[name]
                    folder = self.folder / f"f32_{name}_{plain}"
                    model = make(config, folder)
                    tokens = texts(config.vocab_size, [1, 7, 150, 300])
                    ours, theirs = self.logits(folder, tokens, plain=plain), reference(model, tokens)
                    self.assertLessEqual(((ours["logits"] - theirs).abs().max() / theirs.abs().max()).item(), 1e-4)
                    following = torch.tensor(sum(tokens, [])[1:]).unsqueeze(1)
                    logprobs = theirs[:-1].log_softmax(-1).gather(1, following).squeeze(1)
                    torch.testing.assert_close(ours["logprobs"], logprobs, rtol=1e-4, atol=2e-4)

    def test_half_precision_is_no_less_exact_than_that_of_transformers(self):
        for name, config in FAMILIES.items():
            for dtype in ("bfloat16", "float16"):
                with self.subTest(name, dtype=dtype):
                    folder = self.folder / f"{dtype}_{name}"
                    model = make(config, folder, getattr(torch, dtype))
                    tokens = texts(config.vocab_size, [3, 90, 257])
                    exact = reference(model.float(), tokens)
                    theirs = reference(model.to("cuda", getattr(torch, dtype)), tokens)
                    error = (theirs - exact).square().mean().sqrt().item()
                    for options in ({}, {"plain": True}, {"exact": True}):
                        ours = self.logits(folder, tokens, dtype=dtype, **options)["logits"]
                        self.assertLessEqual((ours - exact).square().mean().sqrt().item(), 1.5 * error, options)

    def test_exact_mode_gives_the_same_bits_in_any_batch(self):
        config = transformers.Qwen3Config(vocab_size=4096, hidden_size=512, intermediate_size=1536, num_hidden_layers=2,
                                          num_attention_heads=8, num_key_value_heads=2, head_dim=128)
        folder = self.folder / "exact"
        make(config, folder, torch.bfloat16)
        tokens = texts(4096, [75] + [5 + 7 * (i % 13) for i in range(63)])
        for dtype in ("bfloat16", "float32"):
            together = self.logits(folder, tokens, dtype=dtype, exact=True)
            for count in (1, 7):
                alone = self.logits(folder, tokens[:count], dtype=dtype, exact=True)
                rows = alone["logits"].shape[0]
                self.assertTrue(torch.equal(alone["logits"], together["logits"][:rows]), (dtype, count))
                self.assertTrue(torch.equal(alone["logprobs"], together["logprobs"][:rows - 1]), (dtype, count))

    def test_saved_and_drawn_on_the_gpu(self):
        config = FAMILIES["qwen3"]
        folder, to, drawn = self.folder / "from", self.folder / "to", self.folder / "drawn"
        model = make(config, folder, torch.bfloat16)
        self.tool.must(do="save", folder=str(folder), to=str(to), dtype="bfloat16", **CUDA)
        loaded = transformers.AutoModelForCausalLM.from_pretrained(to, dtype="auto")
        for key, value in model.state_dict().items():
            self.assertTrue(torch.equal(loaded.state_dict()[key], value), key)
        self.tool.must(do="random", folder=str(folder), to=str(drawn), dtype="bfloat16", seed=5, **CUDA)
        loaded = transformers.AutoModelForCausalLM.from_pretrained(drawn, dtype="auto")
        self.assertAlmostEqual(loaded.model.layers[0].mlp.up_proj.weight.float().std().item(), 0.02, delta=0.001)

    def test_what_is_not_possible_is_said(self):
        folder = self.folder / "int8"
        make(FAMILIES["qwen3"], folder)
        answer = self.tool.ask(do="logits", folder=str(folder), tokens=[[1]], out="", dtype="int8", **CUDA)
        self.assertEqual(answer["kind"], "input", answer)
        self.assertIn("float16", answer["error"])


if __name__ == "__main__":
    unittest.main()
