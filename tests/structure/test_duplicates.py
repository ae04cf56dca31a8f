"""No six lines of code stand twice outside tests, but where the table says why."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES = 6
SUFFIXES = {".h", ".inc", ".c", ".cpp", ".cu", ".py", ".cmake"}
TEST = re.compile(r"(^|/)(tests?|testing|testdata)/|_test\.cpp$|testing\.(h|cpp)$")
FOLDERS = ["src", "python/tritonsmith", "python/native", "tools", "cmake"]
# Pairs of files (or one file) that may, and why.
ALLOWED = {
    ("src/kernels/cuda/decode_tiles.h", "src/kernels/cuda/decode_tiles.h"):
        "queries as rows and as columns: the same loop around other operands of one instruction, whose registers it names",
}


def code(text):
    """(number, line) of the lines that count: no blanks, comments, includes or lone punctuation."""
    for number, line in enumerate(text.splitlines(), 1):
        line = " ".join(line.split())
        if re.search(r"\w{2}", line) and not re.match(r"//|/\*|\*|#(?!pragma unroll)|import |from |using |namespace |} // namespace", line):
            yield number, line


def duplicates(files):
    """One (file, line, file, line) for each run of LINES lines that stands twice. @param files name -> text"""
    seen, found = {}, []
    for name, text in sorted(files.items()):
        lines = list(code(text))
        end = 0  # of the last run that was found: a longer one counts once
        for i in range(len(lines) - LINES + 1):
            run = tuple(line for _, line in lines[i:i + LINES])
            first = seen.setdefault(run, (name, lines[i][0]))
            if first != (name, lines[i][0]) and i >= end:
                found.append((*first, name, lines[i][0]))
                end = i + LINES
    return found


def sources():
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, text=True, capture_output=True, check=True).stdout.split("\n")
    return {name: (ROOT / name).read_text(errors="replace") for name in listed
            if pathlib.Path(name).suffix in SUFFIXES and not TEST.search(name) and (ROOT / name).is_file()}


class Duplicates(unittest.TestCase):
    def test_what_stands_twice_has_a_reason(self):
        if not (ROOT / ".git").exists():
            self.skipTest("no git here")
        for one, at, other, there in duplicates(sources()):
            with self.subTest(f"{one}:{at}"):
                self.assertIn((one, other), ALLOWED, f"{one}:{at} stands again at {other}:{there}")

    def test_it_finds_runs_under_other_indentation_and_only_long_ones(self):
        lines = [f"value_{i} = {i}" for i in range(LINES)]
        one, other = "\n".join(lines), "    " + "\n\n    ".join(lines)
        self.assertEqual(duplicates({"a": one, "b": other}), [("a", 1, "b", 1)])
        self.assertEqual(duplicates({"a": one, "b": "\n".join(lines[1:])}), [])


if __name__ == "__main__":
    unittest.main()
