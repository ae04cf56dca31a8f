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
                  r"|find\(\*\w+, ?|reason [!=]= (?:\S+ \? )?|WorkerError\{|without_judge\((?:row, \{)?|ctx\.warn\(\*\w+, ?)\s*" + CODE)
RETURNED = re.compile(r"return \{" + CODE + ",")  # C++ only: in Python it begins a dictionary
# Words between processes, which the judge translates: internal ones of the table, those of the run as written and of the baseline.
# The rules of lint are advice (docs/lint.md).
INTERNAL = {"deadline_exceeded", "no_device", "process_died", "run_error", "weights_differ", "outputs_differ"}
FOLDERS = ("base", "plan", "ttir", "cuda", "run", "trace", "judge", "sanitize", "cli")


def documented():
    """Codes of the tables, which a test of src/base compares with the program's."""
    verdicts, notes = re.findall(r"<!-- table: \w+ -->\n(.*?)<!-- end -->", TABLE, re.DOTALL)
    return re.findall(r"^\|[^|]*\| `([a-z_]+)` \|", verdicts, re.MULTILINE) + re.findall(r"^\| `([a-z_]+)` \|", notes, re.MULTILINE)


def sources():
    files = [f for folder in FOLDERS for pattern in ("*.cpp", "*.h") for f in (ROOT / "src" / folder).rglob(pattern)]
    files += (ROOT / "python/tritonsmith").glob("*.py")
    return {f: f.read_text() for f in files if not re.search(r"_test\.cpp$|testing\.h$|^build\.h$", f.name)}


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
        notes = set(re.findall(r"^\| `([a-z_]+)` \|", TABLE, re.MULTILINE))
        for code in sorted(set(documented()) - shown - notes):
            row = re.search(rf"^\|[^|]*`{code}`[^|]*\|[^|]+\| `([^`]+)` \|$", EXCEPTIONS, re.MULTILINE)
            self.assertIsNotNone(row, f"{code} has neither an example nor a line that says why")
            self.assertIn(f'"{code}"', (ROOT / row[1]).read_text())

    def test_an_example_of_each_bears_its_name(self):
        named = {re.match(r"[a-z_]+", file.stem)[0] for file in examples()}
        for code in set(examples().values()):
            self.assertTrue(any(name.startswith(code) for name in named), code)

    def test_json_is_written_by_one_function(self):
        """Json::dump throws for text that is no UTF-8; dump() of base/json.h does not."""
        callers = [str(f.relative_to(ROOT)) for f in (ROOT / "src").rglob("*.cpp")
                   if re.search(r"(?:\.|->)dump\(", f.read_text()) and not f.name.endswith("_test.cpp")]
        self.assertEqual(callers, ["src/base/json.cpp"])

    def test_links(self):
        for target in re.findall(r"\]\(([^)#]+)", DOCUMENT):
            self.assertTrue((ROOT / "docs" / target).exists(), target)


if __name__ == "__main__":
    unittest.main()
