"""The whole engine behind its server on a GPU, and `generate --model` beside the judge on the same one."""
import json
import tempfile
import unittest
import urllib.request

from serving import BINARIES, Serving
from test_engine import OnAnyDevice, make_model
from test_soak import soak

REQUESTS = 600


def missing():
    try:
        import torch
    except ImportError as error:
        return f"no torch: {error}"
    return None if torch.cuda.is_available() else "no GPU"


@unittest.skipIf(missing(), missing())
class EngineOnGpu(OnAnyDevice, unittest.TestCase):
    device = "cuda:0"

    @classmethod
    def setUpClass(cls):
        if not (BINARIES / "tritonsmith-gpu-engine").exists():
            raise unittest.SkipTest("tritonsmith-gpu-engine is not built")
        cls.model_folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.tokenizer, cls.model = make_model(cls.model_folder)
        cls.server = cls.enterClassContext(Serving([BINARIES / "tritonsmith", "serve", "model", "--model", cls.model_folder, "--device", cls.device, "--exact", "--port", 0,
                                                    "--model-name", "tiny", "--cache-mib", 256]))

    def post(self, path, **body):
        request = urllib.request.Request(f"{self.server.url}/v1/{path}", json.dumps({"model": "tiny", **body}).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def test_log_probabilities_are_transformers(self):
        import torch

        prompt = self.tokenizer.encode("def kernel(x_ptr").ids
        choice = self.post("completions", prompt=prompt, temperature=0, max_tokens=40, logprobs=1, ignore_eos=True)["choices"][0]
        chosen = choice["logprobs"]["token_logprobs"]
        self.assertEqual(len(chosen), 40)
        # The text tells the tokens only where it is whole characters: greedy tokens are followed in the model itself.
        model = self.model.to("cuda:0", torch.float32)
        tokens = torch.tensor(prompt, device="cuda:0")
        with torch.no_grad():
            for i, ours in enumerate(chosen):
                scores = torch.log_softmax(model(tokens[None]).logits[0, -1].float(), -1)
                best = scores.argmax()
                if (scores.topk(2).values.diff().abs() < 0.1).item():
                    break  # bfloat16 may choose the other one
                self.assertAlmostEqual(ours, scores[best].item(), delta=0.1, msg=f"token {i}")
                tokens = torch.cat([tokens, best[None]])
        self.assertGreater(i, 0)

    def ask(self, seed, n=3):
        answer = self.post("chat/completions", messages=[{"role": "user", "content": "a story"}], n=n, seed=seed, max_tokens=50)
        return [c["message"]["content"] for c in answer["choices"]]

    def test_soak(self):
        soak(self, self.server, REQUESTS, 50e6)


if __name__ == "__main__":
    unittest.main()
