"""The traced program: its text as a module, its integer constants, its lines."""

import ast
import linecache
import sys
import types

from .errors import TraceError


def _integer(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _integer(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def _places(tree):
    """(name, container, field or index, value) of each integer that a module-level assignment gives a name.

    `N = 4096` is "N", the second element of `shape = (16, 3)` is "shape[1]", and `a, b = 1, 2` are "a" and "b".
    Names assigned more than once are left out: which assignment counts is the program's affair.
    """
    found = []
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target = statement.target
        else:
            continue
        value = statement.value
        if isinstance(target, ast.Name):
            if _integer(value) is not None:
                found.append((target.id, statement, None, _integer(value)))
            elif isinstance(value, (ast.Tuple, ast.List)):
                for i, element in enumerate(value.elts):
                    if _integer(element) is not None:
                        found.append((f"{target.id}[{i}]", value, i, _integer(element)))
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for i, (name, element) in enumerate(zip(target.elts, value.elts)):
                if isinstance(name, ast.Name) and _integer(element) is not None:
                    found.append((name.id, value, i, _integer(element)))
    names = [name for name, *_ in found]
    return [place for place in found if names.count(place[0]) == 1]


def override_constants(tree, overrides):
    """Rewrites module-level integers in place. Returns all of them as they are now.
    @raises TraceError where an override names none."""
    constants = {}
    for name, container, index, value in _places(tree):
        if name in overrides:
            value = int(overrides[name])
            old = container.value if index is None else container.elts[index]
            new = ast.copy_location(ast.Constant(value), old)
            if index is None:
                container.value = new
            else:
                container.elts[index] = new
        constants[name] = value
    missing = sorted(set(overrides) - set(constants))
    if missing:
        raise TraceError(f'no module-level integer is named "{missing[0]}"; there are: {", ".join(constants) or "none"}')
    return constants


class Program:
    """Text that has been read, and runs as a module of the given name."""

    def __init__(self, source, filename, name, overrides=None):
        self.source, self.filename, self.name = source, filename, name
        # Lines without a file: inspect.getsource, and so triton.jit, ask linecache.
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        tree = ast.parse(source, filename)
        self.constants = override_constants(tree, overrides or {})
        self._code = compile(tree, filename, "exec")

    def run(self):
        module = types.ModuleType(self.name)
        module.__file__ = self.filename
        sys.modules[self.name] = module
        exec(self._code, module.__dict__)
        return module

    def line_of(self, error):
        """The program's own innermost line in a traceback, following the causes; 0 where there is none."""
        seen = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            line, traceback = 0, error.__traceback__
            while traceback is not None:
                if traceback.tb_frame.f_code.co_filename == self.filename:
                    line = traceback.tb_lineno
                traceback = traceback.tb_next
            if line:
                return line
            error = error.__cause__ or error.__context__
        return 0
