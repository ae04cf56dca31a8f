"""The traced program: its text as a module, its lines."""

import ast
import linecache
import sys
import types

from . import sizes


class Program:
    """Text that has been read, and runs as a module of the given name.
    @param values for the integers of a task's sizes, by name; None where the program is no task, and has none"""

    def __init__(self, source, filename, name, values=None):
        source = source.removeprefix("\ufeff")  # as Python does that reads a file
        self.source, self.filename, self.name = source, filename, name
        # Lines without a file: inspect.getsource, and so triton.jit, ask linecache.
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        tree = ast.parse(source, filename)
        self.constants = {} if values is None else sizes.override(tree, values)
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
