"""`tritonsmith verify` in a folder of its own. Environment: TRITONSMITH_BINARY."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from programs import PROGRAMS, SEED, SHRINK, TASKS

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("TRITONSMITH_BINARY", str(ROOT / "build/release/bin/tritonsmith"))


class WithPrograms(unittest.TestCase):
    """A folder that holds all tasks and programs."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tritonsmith-device")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name, text in TASKS.items():
            (cls.folder / f"task_{name}.py").write_text(text)
        for name, (_, text, _) in PROGRAMS.items():
            (cls.folder / f"{name}.py").write_text(text)
        cls.environment = {**os.environ, "TRITONSMITH_CACHE": str(cls.folder / "cache"), "XDG_RUNTIME_DIR": str(cls.folder)}

    def start(self, *arguments, device="emulated"):
        command = [BINARY, "verify", *map(str, arguments), "--device", device, "--shrink", SHRINK, "--seed", SEED]
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def verify(self, task, candidate, *options, device="emulated"):
        """@returns exit code, verdict or None, and what a person reads."""
        process = self.start(f"task_{task}.py", f"{candidate}.py", "--json", *options, device=device)
        out, err = process.communicate()
        return process.returncode, json.loads(out) if out else None, err
