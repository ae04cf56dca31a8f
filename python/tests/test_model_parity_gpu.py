"""src/model against transformers on a GPU: no less exact than transformers itself, and in exact mode the same bits in any batch."""
import tempfile
import unittest
from pathlib import Path

try:
    import torch
    import transformers

    from model_families import FAMILIES, SHAPE, TOOL, Tool, make, reference, texts
    missing = None if TOOL.exists() else f"no {TOOL}"
    if not missing and not torch.cuda.is_available():
        missing = "no GPU"
except ImportError as error:
    missing = str(error)

CUDA = {"device": "cuda:0"}


def in_e4m3(rows):
    """Each row rounded to e4m3 with a scale of its own, in float32."""
    scales = rows.float().abs().amax(-1, keepdim=True) / 448
    return (rows.float() / scales.where(scales > 0, 1)).to(torch.float8_e4m3fn).float() * scales


def quantised(model):
    """The model in bfloat16 on the GPU, its layers' products of rows and weights that are rounded to e4m3."""
    model = model.to("cuda", torch.bfloat16)
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear) and "lm_head" not in name:
            def forward(x, weight=in_e4m3(module.weight), bias=module.bias):
                product = in_e4m3(x) @ weight.t()
                return (product if bias is None else product + bias.float()).to(torch.bfloat16)
            module.forward = forward
    return model


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

    @unittest.skipIf(not missing and torch.cuda.get_device_capability() < (8, 9), "no fp8 below compute capability 8.9")
    def test_in_fp8_products_are_those_of_rounded_rows_and_weights(self):
        for name, config in FAMILIES.items():
            with self.subTest(name):
                folder = self.folder / f"fp8_{name}"
                model = make(config, folder, torch.bfloat16)
                tokens = texts(config.vocab_size, [3, 90, 257])
                exact = reference(model.float(), tokens)
                theirs = reference(quantised(model), tokens)
                of_rounding = (theirs - exact).square().mean().sqrt().item()
                for options in ({}, {"exact": True}):
                    ours = self.logits(folder, tokens, dtype="fp8", **options)["logits"]
                    # A bit of bfloat16 more or less can be a step of e4m3, so the two drift apart; products of what is not rounded
                    # would be as far away as the rounding.
                    self.assertLess((ours - theirs).square().mean().sqrt().item(), 0.8 * of_rounding, options)

    def test_exact_mode_gives_the_same_bits_in_any_batch(self):
        config = transformers.Qwen3Config(vocab_size=4096, hidden_size=512, intermediate_size=1536, num_hidden_layers=2,
                                          num_attention_heads=8, num_key_value_heads=2, head_dim=128)
        folder = self.folder / "exact"
        make(config, folder, torch.bfloat16)
        tokens = texts(4096, [75] + [5 + 7 * (i % 13) for i in range(63)])
        for dtype in ("bfloat16", "float32", *(["fp8"] if torch.cuda.get_device_capability() >= (8, 9) else [])):
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
        odd = transformers.Qwen3Config(**dict(SHAPE, intermediate_size=168), head_dim=32)
        make(odd, self.folder / "odd")
        answer = self.tool.ask(do="logits", folder=str(self.folder / "odd"), tokens=[[1]], out="", dtype="fp8", **CUDA)
        self.assertEqual(answer["kind"], "input", answer)
        self.assertRegex(answer["error"], r"multiples of 16: .*down_proj.weight is \[64, 168\]; take bfloat16")


if __name__ == "__main__":
    unittest.main()
