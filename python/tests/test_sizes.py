"""The integers that a task is scaled down by."""

import ast
import unittest

from tritonsmith import sizes


def constants(text, values=None):
    return sizes.override(ast.parse(text), values or {})


def run(text, values):
    """The names of a program that ran with these integers in their places."""
    tree = ast.parse(text)
    sizes.override(tree, values)
    names = {}
    exec(compile(tree, "task.py", "exec"), names)
    return names


class Sizes(unittest.TestCase):
    def test_constant_expressions_are_their_value(self):
        for text, value in {"16384 * 2": 32768, "-3": -3, "+3": 3, "1 << 20": 1 << 20, "2**12 + 1": 4097, "7 // 2 - 9 % 5": -1, "(64)": 64}.items():
            self.assertEqual(constants(f"N = {text}"), {"N": value}, text)

    def test_what_is_no_integer_has_no_name(self):
        for text in ("2.0", "True", "'16'", "None", "M", "2.0 * N"):
            self.assertEqual(constants(f"N = {text}"), {}, text)

    def test_what_cannot_be_computed_is_left_to_the_program(self):
        self.assertEqual(constants("N = 1 // 0"), {"N#0": 1, "N#1": 0})
        self.assertEqual(constants("N = 1 / 2"), {"N#0": 1, "N#1": 2})
        self.assertNotIn("N", constants("N = 2 ** 2 ** 200"))
        self.assertNotIn("N", constants("N = 3 << 4000000000"))
        self.assertEqual(constants("N = 99999999999999999999"), {})
        self.assertNotIn("N", constants("N = 2**62 * 4"))

    def test_a_constant_made_from_another_follows_it(self):
        text = "heads = 32\nwidth = heads * 128\nouter = width"
        self.assertEqual(constants(text), {"heads": 32, "width#0": 128})
        self.assertEqual(run(text, {"heads": 2})["outer"], 256)
        self.assertEqual(run(text, {"heads": 2, "width#0": 16})["outer"], 32)

    def test_chained_names_are_sizes_of_their_own(self):
        text = "height = width = 64 * 2\nsize = height, width"
        self.assertEqual(constants(text), {"height": 128, "width": 128})
        self.assertEqual(run(text, {"height": 16})["size"], (16, 128))
        self.assertEqual(run(text, {"height": 16, "width": 32})["size"], (16, 32))

    def test_annotated_names(self):
        self.assertEqual(run("N: int = 2 * 1024\nM: int", {"N": 8})["N"], 8)

    def test_tuples_and_lists(self):
        text = "shape = (16, N, [3, 4 * 8])\nkernel, (a, b) = 3, (1, 2)\nx, y = 5, (6, 7)"
        self.assertEqual(constants(text), {"shape[0]": 16, "shape[2][0]": 3, "shape[2][1]": 32, "kernel": 3, "x": 5, "y[0]": 6, "y[1]": 7})
        self.assertEqual(run("N = 1\n" + text, {"shape[2][1]": 2, "y[1]": 9, "N": 4})["shape"], (16, 4, [3, 2]))

    def test_integers_within_expressions_are_numbered(self):
        text = "widths = [1024] * 16\nconfig = dict(hidden=512 * 2, name='x')"
        self.assertEqual(constants(text), {"widths#0": 1024, "widths#1": 16, "config#0": 1024})
        names = run(text, {"widths#0": 64, "config#0": 32})
        self.assertEqual((names["widths"], names["config"]["hidden"]), ([64] * 16, 32))

    def test_integers_of_the_functions_that_make_inputs(self):
        text = "B = 8\ndef get_inputs():\n    side = 2 * 112\n    return [(B, 3, side, 224)]\ndef get_init_inputs():\n    return [1000]\ndef other():\n    return 5"
        self.assertEqual(constants(text), {"B": 8, "get_inputs#0": 224, "get_inputs#1": 3, "get_inputs#2": 224, "get_init_inputs#0": 1000})
        self.assertEqual(run(text, {"get_inputs#0": 32, "get_inputs#2": 64, "B": 2})["get_inputs"](), [(2, 3, 32, 64)])
        self.assertEqual(run(text, {"get_init_inputs#0": 10})["get_init_inputs"](), [10])

    def test_tables_are_no_sizes(self):
        self.assertEqual(constants(f"N = 4\ntable = {list(range(100, 200))}"), {"N": 4})
        self.assertEqual(constants("def get_inputs():\n    return f(" + ", ".join(map(str, range(99))) + ")"), {})

    def test_names_assigned_twice_are_left_out(self):
        self.assertEqual(constants("N = 1\nN = 2\na = b = 3\nb = 4\nM = 5"), {"a": 3, "M": 5})

    def test_modules_classes_and_branches_are_not_looked_into(self):
        self.assertEqual(constants("class Model:\n    N = 4\nif True:\n    M = 5\nfor i in range(9):\n    pass"), {})

    def test_lines_stay(self):
        tree = ast.parse("a = b = 1\nN = (\n  2 *\n  3)\nc = 1 / 0")
        sizes.override(tree, {"N": 7, "a": 2})
        try:
            exec(compile(tree, "task.py", "exec"), {})
        except ZeroDivisionError as error:
            self.assertEqual(error.__traceback__.tb_next.tb_lineno, 5)
        else:
            self.fail("the program ran")


if __name__ == "__main__":
    unittest.main()
