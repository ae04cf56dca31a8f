"""docs/reasons.md against the sources and the examples: no code without a line there, no line without code and example."""

import os
import re
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("TRITONSMITH_SOURCE_DIR") or Path(__file__).resolve().parents[2])
DOCUMENT = (ROOT / "docs/reasons.md").read_text()
TABLE, EXCEPTIONS = DOCUMENT.split("## Without an example file")
CODE = r'"([a-z]+(?:_[a-z]+)*)"'
# What stands in front of a reason where a finding is made.
MADE = re.compile(r"(?:Finding ?\{|Finding\(|push_back\(\{|found\(\w+, |failed\(|StepError\(|refusal\(|refusal\(memory \? |restart\(|Refused\(|reason ?= ?"
                  r"|find\(\*\w+, ?|reason == \S+ \? )\s*" + CODE)
RETURNED = re.compile(r"return \{" + CODE + ",")  # C++ only: in Python it begins a dictionary
# The worker's words, which the judge translates, and the rules of lint, which are advice (docs/lint.md).
INTERNAL = {"deadline_exceeded", "no_device"}
FOLDERS = ("base", "plan", "ttir", "cuda", "run", "trace", "judge")


def documented():
    """Codes of the table: those in the second column."""
    codes = []
    for line in TABLE.splitlines():
        cells = line.split("|")
        if len(cells) > 3:
            codes += re.findall(r"`([a-z_]+)`", cells[2])
    return codes


def sources():
    files = [f for folder in FOLDERS for pattern in ("*.cpp", "*.h") for f in (ROOT / "src" / folder).glob(pattern)]
    files += (ROOT / "python/tritonsmith").glob("*.py")
    return {f: f.read_text() for f in files if not re.search(r"_test\.cpp$|_test_support|testing\.h$|_for_tests\.h$|^build\.h$", f.name)}


def examples():
    """Reason by file of examples/."""
    found = {}
    for folder in ("wrong", "unjudgeable"):
        for file in (ROOT / "examples" / folder).glob("*.py"):
            found[file] = re.match(r"# task: \w+  reason: (\w+)$", file.read_text().splitlines()[0])[1]
    return found


class Reasons(unittest.TestCase):
    def test_each_code_stands_there_once(self):
        codes = documented()
        self.assertGreater(len(codes), 40)
        self.assertEqual(sorted(codes), sorted(set(codes)))

    def test_what_the_code_says_is_documented(self):
        made = {}
        for file, text in sources().items():
            for code in MADE.findall(text) + (RETURNED.findall(text) if file.suffix == ".cpp" else []):
                made.setdefault(code, file.name)
        self.assertGreater(len(made), 35, "the pattern finds too little")
        self.assertEqual({c: f for c, f in made.items() if c not in {*documented(), *INTERNAL}}, {})

    def test_what_is_documented_is_in_the_code(self):
        text = "".join([*sources().values(), *(f.read_text() for f in (ROOT / "src/lint").glob("*.cpp"))])
        self.assertEqual([c for c in documented() if f'"{c}"' not in text], [])

    def test_each_code_has_an_example_or_a_test(self):
        shown = set(examples().values())
        self.assertEqual(sorted(shown - set(documented())), [])
        for code in sorted(set(documented()) - shown):
            row = re.search(rf"^\|[^|]*`{code}`[^|]*\|[^|]+\| `([^`]+)` \|$", EXCEPTIONS, re.MULTILINE)
            self.assertIsNotNone(row, f"{code} has neither an example nor a line that says why")
            self.assertIn(f'"{code}"', (ROOT / row[1]).read_text())

    def test_an_example_of_each_bears_its_name(self):
        named = {re.match(r"[a-z_]+", file.stem)[0] for file in examples()}
        for code in set(examples().values()):
            self.assertTrue(any(name.startswith(code) for name in named), code)

    def test_links(self):
        for target in re.findall(r"\]\(([^)#]+)", DOCUMENT):
            self.assertTrue((ROOT / "docs" / target).exists(), target)


if __name__ == "__main__":
    unittest.main()
