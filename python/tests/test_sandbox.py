"""The sandbox as Python children enter it. What it stops is tested in src/base/sandbox/sandbox_test.cpp and tests/hostile."""
import os
import sys
import tempfile
import unittest

import tritonsmith

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(tritonsmith.__file__)))
sys.path.insert(0, os.path.join(PACKAGE, "native"))

from tritonsmith import sandbox  # noqa: E402

import _sandbox  # noqa: E402


def in_child(enter, body):
    """Exit status and signal of a child that entered the sandbox and then ran `body`; 99 where it could not enter."""
    pid = os.fork()
    if pid == 0:
        status = 99
        try:
            enter()
            status = 1
            status = body() or 0
        except PermissionError:
            status = 13
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    return (os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)


class SandboxTest(unittest.TestCase):

    def setUp(self):
        if not sandbox.features()["seccomp"]:
            self.skipTest("this kernel has no seccomp filters")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        parent = os.getpid()
        self.trace = lambda: sandbox.enter_trace(self.folder.name, [], 10, parent)

    def test_features(self):
        features = sandbox.features()
        self.assertEqual(set(features), {"landlock_abi", "seccomp", "user_namespaces"})
        self.assertIsInstance(features["landlock_abi"], int)

    def test_own_folder_and_libraries(self):
        own = os.path.join(self.folder.name, "file")

        def body():
            with open(own, "w") as file:
                file.write("x")
            import colorsys  # a module that nothing has imported yet
            return 0 if colorsys else 2

        self.assertEqual(in_child(self.trace, body), (0, 0))

    def test_other_files(self):
        if not sandbox.features()["landlock_abi"]:
            self.skipTest("this kernel has no Landlock")
        self.assertEqual(in_child(self.trace, lambda: open("/etc/passwd")), (13, 0))
        self.assertEqual(in_child(self.trace, lambda: open(__file__)), (13, 0), "the project's tests")

    def test_refusals_come_as_exceptions(self):
        import socket
        import subprocess
        for body in (os.fork, socket.socket, lambda: subprocess.run(["true"]), lambda: os.kill(os.getppid(), 0)):
            self.assertEqual(in_child(self.trace, body), (13, 0))

    def test_without_landlock_calls_are_still_filtered(self):
        import ctypes
        import signal

        def enter():
            _sandbox.enter("trace", read_write=[self.folder.name], no_landlock=True)

        self.assertEqual(in_child(enter, lambda: open("/etc/passwd").close()), (0, 0))
        self.assertEqual(in_child(enter, lambda: ctypes.CDLL(None).fork())[1], signal.SIGSYS)

    def test_a_process_of_the_gpu_reaches_no_other_files_and_sockets(self):
        import socket
        parent = os.getpid()

        def enter():
            sandbox.enter_gpu(self.folder.name, [], [], 20, parent)

        self.assertEqual(in_child(enter, socket.socket), (13, 0))
        self.assertEqual(in_child(enter, lambda: os.kill(os.getppid(), 0)), (13, 0))
        if not sandbox.features()["landlock_abi"]:
            self.skipTest("this kernel has no Landlock")
        self.assertEqual(in_child(enter, lambda: open("/etc/passwd")), (13, 0))
        self.assertEqual(in_child(enter, lambda: open(__file__)), (13, 0), "the project's tests")

    def test_bad_arguments(self):
        with self.assertRaises(ValueError):
            _sandbox.enter("open")
        with self.assertRaises(TypeError):
            _sandbox.enter("trace", read_only=[7])
        with self.assertRaises(TypeError):
            _sandbox.enter("trace", keep=["x"])
        missing = os.path.join(self.folder.name, "missing")
        self.assertEqual(in_child(lambda: _sandbox.enter("trace", read_write=[missing]), lambda: 0), (99, 0))
        self.assertEqual(in_child(lambda: _sandbox.enter("trace", parent=1), lambda: 0), (99, 0), "another parent")

    def test_a_process_of_the_gpu_compiles_as_triton_does(self):
        from triton.runtime.build import compile_module_from_src

        from tritonsmith.services import compiler

        assembler = compiler.Service()
        source = ("#include <Python.h>\nstatic struct PyModuleDef made = {PyModuleDef_HEAD_INIT, \"made\"};\n"
                  "PyMODINIT_FUNC PyInit_made(void) { return PyModule_Create(&made); }\n")
        ttir = "module {\n  tt.func public @nothing() attributes {noinline = false} {\n    tt.return\n  }\n}\n"
        folder, parent = self.folder.name, os.getpid()

        def enter():
            os.chdir(folder)
            os.environ.update(HOME=folder, TMPDIR=folder, TRITON_CACHE_DIR=folder)
            tempfile.tempdir = None
            sandbox.enter_gpu(folder, assembler.executable, [], 60, parent)

        def body():
            module = compile_module_from_src(source, "made")
            cubin, *_ = compiler.lower(ttir, 90, {"num_warps": 4})
            try:
                open("/etc/passwd")
            except PermissionError:
                return 0 if module.__name__ == "made" and len(cubin) > 100 else 2
            return 3

        self.assertEqual(in_child(enter, body), (0, 0))


if __name__ == "__main__":
    unittest.main()
