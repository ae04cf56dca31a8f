"""src/model against transformers on the CPU: the same logits from the same files, and files that transformers reads."""
import json
import os
import tempfile
import unittest
from pathlib import Path

try:
    import torch
    import transformers
    from safetensors.torch import load_file, save_file

    from model_families import FAMILIES, TOOL, Tool, make, reference, texts
    missing = None if TOOL.exists() else f"no {TOOL}"
except ImportError as error:
    missing = str(error)


@unittest.skipIf(missing, missing)
class ModelParity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tool = cls.enterClassContext(Tool())
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def compare(self, ours, theirs, bound):
        error = (ours - theirs).abs().max() / theirs.abs().max()
        self.assertLessEqual(error.item(), bound)

    def test_float32_logits_are_those_of_transformers(self):
        for name, config in FAMILIES.items():
            with self.subTest(name):
                folder = self.folder / f"f32_{name}"
                model = make(config, folder)
                tokens = texts(config.vocab_size, [1, 7, 150, 700])
                ours = self.tool.logits(folder, tokens, self.folder / "out")
                theirs = reference(model, tokens)
                self.compare(ours["logits"], theirs, 1e-5)
                following = torch.tensor(sum(tokens, [])[1:]).unsqueeze(1)
                logprobs = theirs[:-1].log_softmax(-1).gather(1, following).squeeze(1)
                torch.testing.assert_close(ours["logprobs"], logprobs, rtol=1e-4, atol=1e-4)
                plain = self.tool.logits(folder, tokens, self.folder / "out", plain=True)
                self.compare(plain["logits"], theirs, 1e-5)

    def test_bfloat16_files_are_read_as_they_are(self):
        for name in ("llama_biases", "qwen2", "qwen3"):
            with self.subTest(name):
                config = FAMILIES[name]
                folder = self.folder / f"bf16_{name}"
                model = make(config, folder, torch.bfloat16)
                tokens = texts(config.vocab_size, [3, 90])
                exact = reference(model.float(), tokens)  # the same weights, sums and activations in float32
                self.compare(self.tool.logits(folder, tokens, self.folder / "out", dtype="bfloat16")["logits"], exact, 1e-5)
                # With activations in bfloat16 no worse than transformers' own.
                theirs = (reference(model.bfloat16(), tokens) - exact).square().mean().sqrt()
                plain = self.tool.logits(folder, tokens, self.folder / "out", dtype="bfloat16", plain=True)["logits"]
                self.assertLessEqual((plain - exact).square().mean().sqrt().item(), 1.1 * theirs.item())

    def test_float16_files(self):
        folder = self.folder / "f16"
        model = make(FAMILIES["llama"], folder, torch.float16)
        tokens = texts(499, [40])
        self.compare(self.tool.logits(folder, tokens, self.folder / "out")["logits"], reference(model.float(), tokens), 1e-5)
        answer = self.tool.ask(do="logits", folder=str(folder), tokens=tokens, out="", dtype="float16")
        self.assertEqual(answer["kind"], "input", answer)
        self.assertIn("bfloat16", answer["error"])

    def test_int8_weights_lose_little(self):
        folder = self.folder / "int8"
        model = make(FAMILIES["qwen3"], folder)
        tokens = texts(499, [200])
        theirs = reference(model, tokens)
        ours = self.tool.logits(folder, tokens, self.folder / "out", dtype="int8")["logits"]
        self.compare(ours, theirs, 0.05)
        self.assertGreater((ours.argmax(1) == theirs.argmax(1)).float().mean().item(), 0.9)

    def test_shards(self):
        folder = self.folder / "shards"
        model = make(FAMILIES["llama"], folder, max_shard_size="200KB")
        self.assertTrue((folder / "model.safetensors.index.json").exists())
        tokens = texts(499, [20])
        self.compare(self.tool.logits(folder, tokens, self.folder / "out")["logits"], reference(model, tokens), 1e-5)

    def test_what_is_saved_is_what_transformers_loads(self):
        for name, config in FAMILIES.items():
            for dtype in ("float32", "bfloat16"):
                with self.subTest(name, dtype=dtype):
                    folder, to = self.folder / f"from_{name}_{dtype}", self.folder / f"to_{name}_{dtype}"
                    model = make(config, folder, getattr(torch, dtype))
                    self.tool.must(do="save", folder=str(folder), to=str(to), dtype=dtype, shard_bytes=100_000)
                    loaded, told = transformers.AutoModelForCausalLM.from_pretrained(to, dtype="auto", output_loading_info=True)
                    self.assertFalse(any(told.values()), told)
                    self.assertEqual(loaded.dtype, getattr(torch, dtype))
                    ours, theirs = loaded.state_dict(), model.state_dict()
                    self.assertEqual(ours.keys(), theirs.keys())
                    for key, value in theirs.items():
                        self.assertTrue(torch.equal(ours[key], value), key)
                    # And once more from our files, where projections lie side by side and are mapped.
                    tokens = texts(config.vocab_size, [40])
                    again = self.tool.logits(to, tokens, self.folder / "out", dtype=dtype)["logits"]
                    self.assertTrue(torch.equal(again, self.tool.logits(folder, tokens, self.folder / "out", dtype=dtype)["logits"]))

    def test_drawn_models(self):
        for name in ("llama_biases", "qwen2", "qwen3_tied"):
            with self.subTest(name):
                folder, to = self.folder / f"config_{name}", self.folder / f"drawn_{name}"
                FAMILIES[name].save_pretrained(folder)
                self.tool.must(do="random", folder=str(folder), to=str(to), seed=3)
                model, told = transformers.AutoModelForCausalLM.from_pretrained(to, dtype="auto", output_loading_info=True)
                self.assertFalse(any(told.values()), told)
                self.assertAlmostEqual(model.model.layers[0].mlp.up_proj.weight.std().item(), 0.02, delta=0.001)
                tokens = texts(499, [300])
                self.compare(self.tool.logits(to, tokens, self.folder / "out")["logits"], reference(model, tokens), 1e-5)

    def test_a_folder_is_never_written_over(self):
        folder = self.folder / "kept"
        make(FAMILIES["qwen2"], folder)
        before = (folder / "model.safetensors").read_bytes()
        answer = self.tool.ask(do="save", folder=str(folder), to=str(folder), dtype="float32")
        self.assertEqual(answer["kind"], "input")
        self.assertIn("not empty", answer["error"])
        self.assertEqual((folder / "model.safetensors").read_bytes(), before)

    def test_files_that_do_not_fit(self):
        folder = self.folder / "broken"
        make(FAMILIES["qwen3"], folder)
        weights, config = folder / "model.safetensors", folder / "config.json"
        whole, fields = weights.read_bytes(), json.loads(config.read_text())
        tensors = {name: tensor.clone() for name, tensor in load_file(weights).items()}  # not mapped: the file is written to

        def refused(*words):
            answer = self.tool.ask(do="logits", folder=str(folder), tokens=[[1, 2]], out=str(self.folder / "out"))
            self.assertEqual(answer.get("kind"), "input", answer)
            for word in words:
                self.assertIn(word, answer["error"])
            self.assertNotIn("\n", answer["error"])

        weights.write_bytes(whole[:-5000])
        refused("model.safetensors", "truncated")
        weights.write_bytes(whole[:5])
        refused("model.safetensors", "truncated")
        weights.unlink()
        refused("no model.safetensors")
        (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'exit'\ntR.")
        refused("pickle")
        save_file({name: value for name, value in tensors.items() if "layers.1.mlp.up" not in name}, weights)
        refused("model.layers.1.mlp.up_proj.weight")
        save_file(tensors | {"model.layers.1.mlp.up_proj.weight": tensors["model.layers.1.mlp.up_proj.weight"][:, :-1].contiguous()}, weights)
        refused("model.layers.1.mlp.up_proj.weight", "[176, 63]", "[176, 64]")
        save_file(tensors | {"model.layers.1.mlp.gate_proj.bias": torch.zeros(176)}, weights)
        refused("model.layers.1.mlp.gate_proj.bias")
        weights.write_bytes(whole)
        for change, word in ({"model_type": "mamba"}, "model_type"), ({"num_hidden_layers": 4000}, "layers"), ({"hidden_size": 1 << 40}, "hidden_size"), \
                ({"use_sliding_window": True, "sliding_window": 16, "max_window_layers": 1, "layer_types": None}, "sliding"), \
                ({"num_experts": 8}, "num_experts"), ({"rope_parameters": {"rope_type": "longrope"}}, "longrope"), ({"hidden_act": "gelu"}, "hidden_act"):
            config.write_text(json.dumps(fields | change))
            refused("config.json", word)
        config.write_text("[" * 100000)
        refused("config.json")
        config.write_text(json.dumps(fields))
        answer = self.tool.ask(do="logits", folder=str(folder), tokens=[[1, 499]], out=str(self.folder / "out"))
        self.assertIn("token 499", answer["error"])


if __name__ == "__main__":
    unittest.main()
