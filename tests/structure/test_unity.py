"""Sources that are compiled as one (cmake/Unity.cmake) share their anonymous namespaces: two functions of one name there
would be overloads of each other, and a call might mean another one than where each source is compiled alone."""

import collections
import os
import re
import unittest

BUILD = os.environ.get("TRITONSMITH_BINARY_DIR", "")
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
FUNCTION = re.compile(r"[A-Za-z_][\w:<>,&*\s\[\]]*[\s&*>]([A-Za-z_]\w*)\(")
TYPE = re.compile(r"(?:struct|class|enum class|enum) (\w+)|using (\w+) =|[^(]*?\b(\w+)(?:\[\w*\])? ?[={]")
# An alias that is the same in both sources is no clash.
ALIAS = re.compile(r"(?:using|namespace) \w+ = [^;]+;")


def names(text):
    """Names at the top of the anonymous namespaces of a source that clang-format has written."""
    inside = False
    for line in RAW_STRING.sub('""', text).splitlines():
        if line == "namespace {":
            inside = True
        elif line == "}  // namespace":
            inside = False
        elif inside and re.match(r"[A-Za-z_\[]", line) and not line.startswith(("template", "static_assert", "TEST")):
            found = FUNCTION.match(line) or TYPE.match(line)
            if found:
                yield next(filter(None, found.groups())), line


def units():
    for folder, _, files in os.walk(BUILD) if BUILD else ():
        if os.path.basename(folder) == "Unity":
            for file in files:
                if file.endswith((".cxx", ".cpp")):
                    yield os.path.join(folder, file)


def clashes(sources):
    seen = collections.defaultdict(dict)
    for source in sources:
        with open(source, encoding="utf-8") as file:
            for name, line in names(file.read()):
                seen[name].setdefault(source, line)
    for name, where in seen.items():
        if len(where) > 1 and not (len(set(where.values())) == 1 and ALIAS.fullmatch(next(iter(where.values())))):
            yield name, where


class Unity(unittest.TestCase):
    def test_finds_what_clashes(self):
        text = "namespace {\n\nstruct A {\n    int b = 1;\n};\n\nint c(int x) {\n    return f(x);\n}\n\nconstexpr int d = 1;\n}  // namespace\nint e() {\n}\n"
        self.assertEqual([name for name, _ in names(text)], ["A", "c", "d"])

    def test_names_of_a_unit_are_its_own(self):
        found = list(units())
        if not found:
            self.skipTest("this build compiles each source alone (TRITONSMITH_UNITY)")
        for unit in found:
            with open(unit, encoding="utf-8") as file:
                sources = re.findall(r'^#include "(/.*)"$', file.read(), re.M)
            self.assertTrue(sources, unit)
            if not all(map(os.path.exists, sources)):
                continue  # of an earlier layout: nothing compiles it
            for name, where in clashes(sources):
                with self.subTest(unit=unit, name=name):
                    self.fail("rename one of: " + ", ".join(f"{os.path.relpath(file, BUILD)}: {line}" for file, line in where.items()))


if __name__ == "__main__":
    unittest.main()
