"""Tasks and candidates made of the files of tests/golden and the golden programs of TritonBench-G (tests/golden/README.md)."""
import json
import os
import re
import sys
from pathlib import Path

DATA = "TRITONSMITH_DEV_DATA"
HEADER = re.compile(r"# golden: (?P<id>G-\w+)(?P<repaired> repaired)?")
END_OF_PROGRAM = re.compile(r"^#{146}\s*$", re.MULTILINE)  # its own tests follow
ADAPTER = "\n# adapter\n"
SKIPPED = 77  # ctest's word for a skipped test


class GoldenPrograms:
    """Writes task and candidate of each file into a folder. Ends the process as skipped where the data is absent."""

    def __init__(self, folder):
        self.folder = Path(folder)
        rows = Path(os.environ.get(DATA, "")) / "tritonbench_dev.jsonl"
        if not os.environ.get(DATA) or not rows.exists():
            print(f"SKIPPED: {DATA} names no folder with tritonbench_dev.jsonl")
            sys.exit(SKIPPED)
        with open(rows) as lines:
            self.rows = {row["id"]: row for row in map(json.loads, lines)}

    def compose(self, path):
        """(task, candidate): the files made of `path`."""
        text = path.read_text()
        header = HEADER.match(text)
        program, version = header["id"], "code_repaired" if header["repaired"] else "code"
        if text.count(ADAPTER) != 1:
            sys.exit(f"{path}: one line '# adapter' must stand between the task and the adapter")
        if program not in self.rows:
            sys.exit(f"{path}: the data has no program {program}")
        task, adapter = text.split(ADAPTER)
        golden = END_OF_PROGRAM.split(self.rows[program][version])[0]
        written = self.folder / f"{path.stem}.task.py", self.folder / f"{path.stem}.py"
        for place, content in zip(written, (task, f"{golden}\nimport torch\nimport torch.nn as nn\n{adapter}")):
            place.write_text(content)
        return written
