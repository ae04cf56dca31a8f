"""The model that comes with tritonsmith writes kernels that the judge accepts, on this machine's CPU."""
import json
import os
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TRITONSMITH_BINARY_DIR", ROOT / "build/release")) / "bin" / "tritonsmith"


class ShippedModel(unittest.TestCase):
    def test_writes_verified_kernels(self):
        for task in ("softmax", "layernorm", "matmul"):
            with self.subTest(task):
                done = subprocess.run([str(PROGRAM), "generate", str(ROOT / f"examples/tasks/{task}.py"), "--smith", "model", "--device", "cpu",
                                       "--samples", "8", "--max-tokens", "2000", "--json"], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                report = json.loads(done.stdout)
                self.assertLess(report["answers"], 8, "the first that is accepted ends it, and few are under way at a time")
                best = report["best"]["verdict"]
                self.assertEqual((best["status"], best["evidence"]["origin"]["smith"]), ("accepted", "model"))


if __name__ == "__main__":
    unittest.main()
