"""The integers that a program's sizes are made of: found in its text, and rewritten to scale a task down."""

import ast
import operator

from .errors import TraceError

_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}
_SIGNS = {ast.USub: operator.neg, ast.UAdd: operator.pos}
_LARGEST = 2**63 - 1
_TABLE = 16  # integers in one expression; beyond, they are a table and not sizes
# What a module is built and called with belongs to the task as its module-level names do.
_FUNCTIONS = ("get_inputs", "get_init_inputs")


def integer(node):
    """The value of an expression of integer literals alone; None for everything else."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int and node.value <= _LARGEST else None
    if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
        inner = integer(node.operand)
        return None if inner is None else _SIGNS[type(node.op)](inner)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = integer(node.left), integer(node.right)
        if left is None or right is None or (isinstance(node.op, (ast.Pow, ast.LShift, ast.RShift)) and not 0 <= right < 64):
            return None
        try:
            value = _OPERATORS[type(node.op)](left, right)
        except ZeroDivisionError:
            return None
        return value if -_LARGEST <= value <= _LARGEST else None
    return None


class _Place:
    """An expression that is one integer, with what holds it."""

    def __init__(self, name, container, field, index=None):
        self.name, self._container, self._field, self._index = name, container, field, index
        self.value = integer(self._node())

    def _node(self):
        held = getattr(self._container, self._field)
        return held if self._index is None else held[self._index]

    def set(self, value):
        new = ast.copy_location(ast.Constant(value), self._node())
        if self._index is None:
            setattr(self._container, self._field, new)
        else:
            getattr(self._container, self._field)[self._index] = new
        self.value = value


def _held(node):
    """(field, index, child) of each child, in the order of the text."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield field, None, value
        elif isinstance(value, list):
            yield from ((field, i, child) for i, child in enumerate(value) if isinstance(child, ast.AST))


def _within(node, name, found):
    """Integers anywhere below a node, numbered: name#0, name#1 …"""
    for field, index, child in _held(node):
        if integer(child) is None:
            _within(child, name, found)
        else:
            found.append(_Place(f"{name}#{len(found)}", node, field, index))
    return found


def _sizes(places):
    return places if len(places) <= _TABLE else []


def _in_elements(sequence, name):
    """Integers of a tuple or list: name[0], name[1] …, and name[0][1] where they are nested."""
    found = []
    for i, element in enumerate(sequence.elts):
        if integer(element) is not None:
            found.append(_Place(f"{name}[{i}]", sequence, "elts", i))
        elif isinstance(element, (ast.Tuple, ast.List)):
            found += _in_elements(element, f"{name}[{i}]")
    return found


def _in_value(name, holder, field="value", index=None):
    held = getattr(holder, field)
    value = held if index is None else held[index]
    if integer(value) is not None:
        return [_Place(name, holder, field, index)]
    if isinstance(value, (ast.Tuple, ast.List)):
        return _sizes(_in_elements(value, name))
    return _sizes(_within(value, name, []))


def _is_sequence_of_names(target, value):
    return isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts)


def _separate(statement):
    """`height = width = 128` as two assignments: each name is a size of its own."""
    if isinstance(statement, ast.Assign) and len(statement.targets) > 1 and integer(statement.value) is not None:
        for target in statement.targets:
            yield ast.copy_location(ast.Assign([target], ast.copy_location(ast.Constant(integer(statement.value)), statement.value)), statement)
    else:
        yield statement


def _places(tree):
    """The places of all integers of module-level assignments and of the functions that make the inputs.

    `N = 2 * 2048` is "N", the second element of `shape = (16, 3)` is "shape[1]", `a, b = 1, 2` are "a" and "b", and the
    integers of another expression are numbered: `widths = [1024] * 8` holds "widths#0" and "widths#1". A name within an
    expression is no place: what is made from another constant follows it. Names assigned more than once are left out:
    which assignment counts is the program's affair.
    """
    found = []
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name in _FUNCTIONS:
            body = ast.Module(statement.body, [])
            found += _sizes(_within(body, statement.name, []))
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            target = targets[0]
            if isinstance(target, ast.Name):
                found += _in_value(target.id, statement)
            elif _is_sequence_of_names(target, statement.value):
                for i, name in enumerate(target.elts):
                    if isinstance(name, ast.Name):
                        found += _in_value(name.id, statement.value, "elts", i)
    names = [place.name for place in found]
    return [place for place in found if names.count(place.name) == 1]


def override(tree, values):
    """Rewrites integers of a program in place. Returns all of them by name, as they are now.
    @raises TraceError where a value's name is none of them."""
    tree.body = [part for statement in tree.body for part in _separate(statement)]
    constants = {}
    for place in _places(tree):
        if place.name in values:
            place.set(int(values[place.name]))
        constants[place.name] = place.value
    missing = sorted(set(values) - set(constants))
    if missing:
        raise TraceError(f'no integer of the task is named "{missing[0]}"; there are: {", ".join(constants) or "none"}')
    return constants
