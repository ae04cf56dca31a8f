"""The layout of src/ (which module may include which, how many files a folder holds, its README.md), and the docs' lines."""
import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"

# The modules, lowest first. A module may include itself and those that it lists, which must stand above it.
MODULES = {
    "base": [],
    "aten": [],
    "text": ["base"],
    "lint": ["base", "aten"],
    "plan": ["base", "aten"],
    "numerics": ["base", "plan"],
    "kernels": ["base", "numerics"],
    "ttir": ["base"],
    "task": ["base", "plan"],
    "sanitize": ["base", "ttir"],
    "cuda": ["base", "plan", "ttir"],
    "graph": ["base", "lint", "plan"],
    "trace": ["base", "plan"],
    "run": ["base", "aten", "plan", "numerics", "kernels", "ttir", "cuda"],
    "judge": ["base", "aten", "lint", "plan", "numerics", "ttir", "task", "cuda", "trace", "run"],
    "reward": ["base", "lint", "text", "judge"],
    "model": ["base", "kernels"],
    "train": ["base", "text", "kernels", "model"],
    "engine": ["base", "text", "cuda", "kernels", "model"],
    "grpo": ["base", "text", "task", "judge", "reward", "kernels", "model", "train", "engine"],
    "endpoint": ["base", "text"],
    "serve": ["base", "text", "cuda", "kernels", "model", "engine"],
    "forge": ["base", "lint", "plan", "graph"],
    "generate": ["base", "text", "plan", "graph", "task", "trace", "judge", "endpoint", "forge"],
    "data": ["base", "lint", "plan", "graph", "task", "judge", "forge"],
    "bench": ["base", "text", "lint", "plan", "numerics", "task", "trace", "run", "judge"],
    "cli": ["base", "text", "lint", "plan", "numerics", "graph", "task", "cuda", "trace", "judge", "endpoint", "model", "generate", "data", "bench", "reward", "train", "engine", "grpo"],
}
# What the tests of a module include besides.
TESTS = {"data": ["trace"], "graph": ["run", "trace"], "kernels": ["cuda"], "serve": ["endpoint"]}
# Neither may reach the other, through any number of modules.
SEPARATE = [("judge", "model"), ("judge", "engine")]
# Every folder of a module that has folders, lowest first, and what it may include of the module ("text": the files directly in it).
FOLDERS = {
    "aten/tables": [],
    "aten": ["aten/tables"],
    "base": [],
    "base/process": ["base"],
    "base/sandbox": ["base"],
    "text": [],
    "text/tokenizer": ["text"],
    "text/jinja": ["text"],
    "text/prompt": ["text", "text/tokenizer", "text/jinja"],
    "ttir/ir": [],
    "ttir/verify": ["ttir/ir"],
    "ttir/parse": ["ttir/ir", "ttir/verify"],
    "ttir/interp/simd": ["ttir/ir"],
    "ttir/ptx": ["ttir/interp/simd"],
    "ttir/analysis": ["ttir/ir", "ttir/ptx"],
    "ttir/interp/memory": ["ttir/ir"],
    "ttir/interp": ["ttir/ir", "ttir/analysis", "ttir/interp/memory"],
    "ttir/interp/lower": ["ttir/ir", "ttir/interp", "ttir/interp/memory", "ttir/interp/simd"],
    "ttir/interp/ops": ["ttir/ir", "ttir/ptx", "ttir/interp", "ttir/interp/lower", "ttir/interp/memory", "ttir/interp/simd"],
    "ttir/interp/runtime": ["ttir/ir", "ttir/analysis", "ttir/interp", "ttir/interp/lower", "ttir/interp/memory"],
    "ttir/footprint": ["ttir/ir", "ttir/analysis", "ttir/interp", "ttir/interp/lower"],
    "ttir": [],
    "plan/ir": [],
    "plan/analysis": ["plan/ir"],
    "plan/values": ["plan/ir", "plan/analysis"],
    "plan/weights": ["plan/ir", "plan/analysis"],
    "plan/transform": ["plan/ir", "plan/analysis"],
    "plan/policy": ["plan/ir", "plan/analysis", "plan/weights"],
    "plan": [],
    "run": [],
    "run/draw": [],
    "run/client": ["run/draw"],
    "run/worker": ["run/client"],
    "run/worker/memory": ["run/client", "run/worker"],
    "run/worker/aten": ["run/worker", "run/worker/memory"],
    "run/worker/exec": ["run/draw", "run/client", "run/worker", "run/worker/memory", "run/worker/aten"],
    "run/worker/oracle": ["run/draw", "run/worker", "run/worker/memory", "run/worker/aten", "run/worker/exec"],
    "run/worker/sample/buffers": ["run/draw"],
    "run/worker/sample": ["run/draw", "run/client", "run/worker", "run/worker/sample/buffers"],
    "run/worker/sessions": ["run/draw", "run/client", "run/worker", "run/worker/memory", "run/worker/exec", "run/worker/oracle",
                            "run/worker/sample"],
    "run/worker/cuda": ["run/worker", "run/worker/memory", "run/worker/exec", "run/worker/oracle"],
    "judge/compare": [],
    "judge/timing": [],
    "judge/verdict": [],
    "judge/elements": ["judge/compare"],
    "judge/sampling": ["judge/compare", "judge/elements"],
    "judge/services": [],
    "judge/task": ["judge/compare", "judge/verdict", "judge/sampling", "judge/services", "judge/timing"],
    "judge/candidate": ["judge/verdict", "judge/sampling", "judge/services", "judge/timing", "judge/task"],
    "judge/stages": ["judge/compare", "judge/verdict", "judge/sampling", "judge/services", "judge/task", "judge/candidate"],
    "judge/device": ["judge/verdict", "judge/services", "judge/timing", "judge/task", "judge/candidate"],
    "judge": ["judge/compare", "judge/verdict", "judge/services", "judge/task", "judge/candidate", "judge/stages", "judge/device"],
    "judge/batch": ["judge", "judge/verdict"],
    "judge/parity": ["judge/compare", "judge/elements"],
    "graph": [],
    "bench": [],
    "bench/suites": ["bench"],
    "bench/answers": ["bench", "bench/suites"],
    "bench/metrics": [],
    "bench/run": ["bench", "bench/answers", "bench/metrics"],
    "bench/tests": ["bench", "bench/answers"],
    "bench/summary": ["bench", "bench/metrics", "bench/run"],
    "bench/report": ["bench", "bench/answers", "bench/metrics", "bench/run", "bench/summary"],
    "bench/training": ["bench/report", "bench/run"],
    "graph/lift": ["graph"],
    "graph/define": ["graph"],
    "graph/lower": ["graph", "graph/define"],
    "graph/card": ["graph"],
    "model/cpu": ["model"],
    "model/cuda": ["model"],
    "model/weights": ["model"],
    "train/network/cuda": ["train/network"],
    "train/loss": ["train/network"],
    "train/policy": [],
    "train/parallel/cuda": ["train/parallel"],
    "train/sharding": ["train/network", "train/parallel"],
    "train/optimizer": ["train/network", "train/parallel"],
    "train/data": [],
    "train/settings": [],
    "train/run_directory": [],
    "train/checkpoint": ["train/network", "train/parallel", "train/optimizer"],
    "train/trainer": ["train/network", "train/loss", "train/parallel", "train/sharding", "train/optimizer", "train/settings", "train/checkpoint"],
    "train/sft": ["train/network", "train/loss", "train/parallel", "train/optimizer", "train/data", "train/settings",
                  "train/run_directory", "train/checkpoint", "train/trainer"],
    "train/tokenizer": ["train/data", "train/settings"],
    "train": ["train/network", "train/loss", "train/policy", "train/optimizer", "train/sft"],
    "kernels": [],
    "kernels/cuda": ["kernels"],
    "kernels/testing": ["kernels"],
    "engine/api": [],
    "engine/kv_cache": [],
    "engine/scheduler": ["engine/api", "engine/kv_cache"],
    "engine/executor": ["engine/api", "engine/kv_cache"],
    "engine/executor/cuda": ["engine/kv_cache", "engine/executor"],
    "engine": ["engine/api", "engine/executor", "engine/scheduler"],
    "grpo/judging": [],
    "grpo": ["grpo/judging"],
    "serve": [],
    "serve/program": ["serve"],
    "forge/emit": [],
    "forge/field": ["forge/emit"],
    "forge/families": ["forge/emit", "forge/field"],
    "forge/partition": ["forge/emit", "forge/field", "forge/families"],
    "forge/module": ["forge/emit", "forge/field", "forge/partition"],
    "forge": ["forge/emit", "forge/module"],
    "data": [],
    "data/check": [],
    "data/synth": ["data"],
    "data/synth/families": ["data/synth"],
    "cli/sampling": [],
    "cli": ["cli/sampling"],
    "cli/bench": ["cli", "cli/sampling"],
    "cli/reward": ["cli"],
    "cli/train": ["cli"],
}
# Folders that include, and are included by, those below them: they call each device's implementation of their interface.
MUTUAL = {"model", "train/network", "train/parallel"}
MOST_FILES = 40
LONGEST_LINE = 120  # of docs; tables and code are exempt


def reachable(module):
    """All that `module` includes, directly or not."""
    found = set(MODULES[module])
    for name in MODULES[module]:
        found |= reachable(name)
    return found


def folders(source):
    """Every folder of sources, as (name below src, its files)."""
    for path, inner, files in os.walk(source):
        name = pathlib.Path(path).relative_to(source).as_posix()
        if name != "." and "testdata" not in name.split("/") and (files or inner):
            yield name, sorted(files)


def includes(path):
    return re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(errors="replace"), re.MULTILINE)


def wrong_includes(source):
    """One line for each include that the tables do not allow."""
    wrong = []
    for folder, files in folders(source):
        module = folder.split("/")[0]
        if module not in MODULES:
            wrong.append(f"src/{module} is not in MODULES: say what it may include")
            continue
        for file in files:
            if not re.search(r"\.(h|inc|c|cpp|cu)$", file):
                continue
            is_test = bool(re.search(r"_test\.cpp$|testing", folder + "/" + file))
            allowed = {module, *MODULES[module], *(TESTS.get(module, []) if is_test else [])}
            for name in includes(source / folder / file):
                target = name.rpartition("/")[0]
                what = f"src/{folder}/{file} includes {name}"
                if not (source / name).is_file():
                    wrong.append(f"{what}: includes are paths below src/")
                elif target.split("/")[0] not in allowed:
                    wrong.append(f"{what}: {module} may include {', '.join(sorted(allowed))}")
                elif (target.split("/")[0] == module and folder in FOLDERS and target not in {folder, *FOLDERS[folder]}
                      and not is_test and not file.endswith("_main.cpp")):
                    wrong.append(f"{what}: src/{folder} may include {', '.join(FOLDERS[folder]) or 'only itself'}")
    return wrong


def folders_without_rule(source):
    """Folders of modules that have folders, which FOLDERS does not name."""
    names = [name for name, _ in folders(source)]
    divided = {name.split("/")[0] for name in names if "/" in name}
    return [name for name in names if name.split("/")[0] in divided and name not in FOLDERS and name not in MUTUAL]


def wrong_folders(source):
    """One line for each folder that is too large, or lacks its README.md."""
    wrong = []
    for folder, files in folders(source):
        if len(files) > MOST_FILES:
            wrong.append(f"src/{folder} holds {len(files)} files, {MOST_FILES} are the limit: divide it by subject")
        if "README.md" not in files:
            wrong.append(f"src/{folder}: write README.md: what it knows, what it may include, who calls it, where to begin")
    return wrong


def stated(source, folder):
    """What the README.md of a folder says that it "may include", as paths below src; None where it does not say."""
    text = " ".join((source / folder / "README.md").read_text().split())
    sentences = re.findall(r"may include ((?:[^.;`]|`[^`]*`)*)[.;]", text)
    found = set()
    for name in re.findall(r"`(?:src/)?([\w./]+)`", " ".join(sentences)):
        # A sibling, a folder of the module or a module; a file stands for its folder.
        paths = [path.strip("/") for path in (f"{folder.rpartition('/')[0]}/{name}", f"{folder.split('/')[0]}/{name}", name)]
        path = next((path for path in paths if (source / path).exists()), name)
        found.add(path.rpartition("/")[0] if (source / path).is_file() else path)
    return found - {folder} if sentences else None


def wrong_readmes(source):
    """One line for each README.md that does not say what the tables do."""
    wrong = []
    for folder, files in folders(source):
        if "README.md" not in files:
            continue
        module, names = folder.split("/")[0], stated(source, folder)
        if names is None:
            wrong.append(f"src/{folder}/README.md does not say what it may include")
            continue
        outside = {name.split("/")[0] for name in names} - {module}
        allowed = {*MODULES[module], *TESTS.get(module, [])}
        differ = outside - allowed if folder != module else (outside - allowed) | (set(MODULES[module]) - outside)
        if folder != module:
            differ |= {name for name in names if name.split("/")[0] == module} ^ set(FOLDERS.get(folder, []))
        if differ:
            wrong.append(f"src/{folder}/README.md and the tables differ on what it may include: {', '.join(sorted(differ))}")
    return wrong


def expand(path):
    """"a/{b,c}.h": both."""
    found = re.search(r"\{([^{}]*)\}", path)
    return [path] if not found else [one for word in found.group(1).split(",")
                                     for one in expand(path[:found.start()] + word + path[found.end():])]


def missing_paths(text, root):
    """Paths of the repository that a page names and that are not there; examples of names have capitals, or "my_"."""
    named = re.findall(r"`((?:src|python|tests|docs|tools|benches|cmake|examples)/[\w./{},*-]+)`", text)
    named = [path for path in named if not re.search(r"[A-Z]{3}|my_", path)]
    return [path for one in named for path in expand(one) if not (any(root.glob(path)) if "*" in path else (root / path).exists())]


def long_lines(text):
    """Numbers of the lines that are too long."""
    code, found = False, []
    for number, line in enumerate(text.splitlines(), 1):
        code ^= line.startswith("```")
        if len(line) > LONGEST_LINE and not code and not line.startswith("|"):
            found.append(number)
    return found


class Structure(unittest.TestCase):
    def test_modules_are_layers(self):
        above = []
        for name, allowed in MODULES.items():
            self.assertLessEqual(set(allowed), set(above), f"{name} may include only modules that stand above it")
            above.append(name)
        self.assertEqual(set(above), {name.split("/")[0] for name, _ in folders(SOURCE)})
        above = []
        for name, allowed in FOLDERS.items():
            self.assertTrue((SOURCE / name).is_dir(), f"FOLDERS names {name}, which is not there")
            self.assertLessEqual(set(allowed) - MUTUAL, set(above), f"{name} may include only folders that stand above it")
            above.append(name)
        self.assertFalse(folders_without_rule(SOURCE))

    def test_separate_modules_do_not_reach_each_other(self):
        for one, other in SEPARATE:
            self.assertNotIn(other, reachable(one))
            self.assertNotIn(one, reachable(other))

    def test_includes(self):
        wrong = wrong_includes(SOURCE)
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_folders(self):
        wrong = wrong_folders(SOURCE)
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_readmes_say_what_the_tables_do(self):
        wrong = wrong_readmes(SOURCE)
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_folders_of_python(self):
        for part in ("native", "tests", "tritonsmith"):
            for folder, inner, files in os.walk(ROOT / "python" / part):
                inner[:] = [name for name in inner if name != "__pycache__"]
                self.assertLessEqual(len(files), MOST_FILES, folder)
                self.assertIn("README.md", files, folder)

    def test_names_of_tests(self):
        for file in SOURCE.rglob("*_test.cpp"):
            for name in re.findall(r"^TEST(?:_F|_P)?\((\w+, *\w+)\)", file.read_text(), re.MULTILINE):
                self.assertRegex(name, r"^[A-Z][A-Za-z0-9]*, [A-Z][A-Za-z0-9]*$", f"{file}: Subject.WhatHolds")

    def pages(self):
        files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md"), *SOURCE.rglob("README.md"),
                 *(ROOT / "python").rglob("README.md")]
        self.assertGreater(len(files), 20)
        return files

    def test_paths_in_docs(self):
        for file in self.pages():
            self.assertEqual(missing_paths(file.read_text(), ROOT), [], f"{file} names what is not there")
            self.assertNotRegex(file.read_text(), r"(?m)^(<<<<<<<|>>>>>>>) ", f"{file}: a merge was left unfinished")

    def test_lines_of_docs(self):
        for file in self.pages():
            self.assertEqual(long_lines(file.read_text()), [], f"{file}: at most {LONGEST_LINE} columns")


class Check(unittest.TestCase):
    """That the check above can fail."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name)

    def write(self, name, text=""):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_arrows_upward_are_found(self):
        self.write("judge/judge.h", '#include "base/error.h"\n#include <vector>\n')
        self.write("base/error.h", '  #  include "judge/judge.h"\n')
        self.write("engine/kv_cache/cache.h", '#include "engine/engine.h"\n')
        self.write("engine/engine.h", '#include "engine/scheduler/scheduler.h"\n')
        self.write("engine/scheduler/scheduler.h", '#include "engine/kv_cache/cache.h"\n')
        self.write("kernels/rows.h", '#include "cuda/driver.h"\n')
        self.write("kernels/rows_gpu_test.cpp", '#include "cuda/driver.h"\n')
        self.write("cuda/driver.h", '#include "driver.inc"\n')
        self.write("strange/file.h")
        self.assertEqual(sorted(wrong_includes(self.source)), [
            "src/base/error.h includes judge/judge.h: base may include base",
            "src/cuda/driver.h includes driver.inc: includes are paths below src/",
            "src/engine/kv_cache/cache.h includes engine/engine.h: src/engine/kv_cache may include only itself",
            "src/kernels/rows.h includes cuda/driver.h: kernels may include base, kernels, numerics",
            "src/strange is not in MODULES: say what it may include",
        ])

    def test_folders_without_a_rule_are_found(self):
        self.write("forge/forge.h")
        self.write("forge/strange/file.h")
        self.write("lint/file.h")
        self.write("model/cpu/file.h")
        self.assertEqual(folders_without_rule(self.source), ["forge/strange"])

    def test_large_folders_and_missing_readmes_are_found(self):
        for i in range(MOST_FILES):
            self.write(f"model/file{i}.h")
        self.assertEqual([line.split(":")[0] for line in wrong_folders(self.source)], ["src/model"])
        self.write("model/README.md")
        self.write("text/testdata/input.txt")
        self.assertEqual(sorted(line.split(":")[0] for line in wrong_folders(self.source)),
                         [f"src/model holds {MOST_FILES + 1} files, {MOST_FILES} are the limit", "src/text"])

    def test_readmes_that_contradict_the_tables_are_found(self):
        self.write("lint/README.md", "It may include `base` and\n`aten`. `plan` does not.")
        self.write("text/README.md", "It may include `base`; for tests it has `plan`.")
        self.write("text/jinja/README.md", "It may include `text` and `base`.")
        self.write("text/tokenizer/README.md", "It may include\n`base`.")
        self.write("text/prompt/README.md", "Included by `text`.")
        self.write("numerics/README.md", "It may include `plan`, `base` and `judge`.")
        self.write("aten/README.md", "It may include nothing.")
        self.assertEqual([line.split(" ")[0] for line in sorted(wrong_readmes(self.source))],
                         ["src/numerics/README.md", "src/text/prompt/README.md", "src/text/tokenizer/README.md"])

    def test_missing_paths_are_found(self):
        self.write("src/a/b.h")
        text = "`src/a/b.h` `src/a/{b,c}.h` `src/a/*.h` `src/*.h` `src/a/NAME.h` `src/gone`"
        self.assertEqual(missing_paths(text, self.source), ["src/a/c.h", "src/*.h", "src/gone"])

    def test_long_lines_are_found(self):
        long = "x" * (LONGEST_LINE + 1)
        self.assertEqual(long_lines(f"{long[1:]}\n{long}\n| {long}\n```\n{long}\n```\n{long}\n"), [2, 7])


if __name__ == "__main__":
    unittest.main()
