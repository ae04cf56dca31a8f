"""src/train/optimizer against torch.optim: the same weights after the same gradients."""
import os
import tempfile
import unittest
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads that wait for each other cost more than such a model's work
try:
    import torch
    from safetensors.torch import load_file, save_file

    from model_families import PROGRAMS, Tool
    TRAIN_TOOL = PROGRAMS / "tritonsmith-train-tool"
    missing = None if TRAIN_TOOL.exists() else f"no {TRAIN_TOOL}"
except ImportError as error:
    missing = str(error)

SHAPES = {"down": (24, 40), "up": (40, 24), "norm": (40,)}
RATES = [1e-3, 2e-3, 2e-3, 1.5e-3, 1e-3, 5e-4]


@unittest.skipIf(missing, missing)
class TrainOptimizers(unittest.TestCase):
    def setUp(self):
        self.tool = self.enterContext(Tool(TRAIN_TOOL))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        generator = torch.Generator().manual_seed(5)
        self.values = {name: torch.randn(shape, generator=generator) for name, shape in SHAPES.items()}
        self.gradients = [{name: torch.randn(shape, generator=generator) * 0.1 for name, shape in SHAPES.items()} for _ in RATES]

    def ours(self, method):
        save_file(self.values, self.folder / "values")
        files = []
        for i, gradients in enumerate(self.gradients):
            files.append(str(self.folder / f"gradients-{i}"))
            save_file(gradients, files[-1])
        out = self.folder / "out"
        self.tool.must(do="optimize", values=str(self.folder / "values"), gradients=files, learning_rates=RATES, method=method,
                       weight_decay=0.1, out=str(out))
        return load_file(out)

    def theirs(self, make):
        """@param make optimizers of the parameters by name"""
        parameters = {name: torch.nn.Parameter(value.clone()) for name, value in self.values.items()}
        optimizers = make(parameters)
        for gradients, rate in zip(self.gradients, RATES, strict=True):
            for name, parameter in parameters.items():
                parameter.grad = gradients[name].clone()
            for optimizer in optimizers:
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.step()
        return {name: parameter.detach() for name, parameter in parameters.items()}

    def compare(self, ours, theirs, atol):
        self.assertEqual(ours.keys(), theirs.keys())
        for name, value in theirs.items():
            self.assertFalse(torch.equal(value, self.values[name]))
            torch.testing.assert_close(ours[name], value, rtol=0, atol=atol, msg=lambda text, name=name: f"{name}: {text}")

    def test_adamw(self):
        def make(parameters):
            groups = [{"params": [parameters["up"], parameters["down"]], "weight_decay": 0.1}, {"params": [parameters["norm"]], "weight_decay": 0.0}]
            return [torch.optim.AdamW(groups, betas=(0.9, 0.95), eps=1e-8)]
        self.compare(self.ours("adamw"), self.theirs(make), 1e-6)

    def test_muon(self):
        def make(parameters):
            return [torch.optim.Muon([parameters["up"], parameters["down"]], weight_decay=0.1, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
                    torch.optim.AdamW([parameters["norm"]], betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0)]
        self.compare(self.ours("muon"), self.theirs(make), 1e-5)


if __name__ == "__main__":
    unittest.main()
