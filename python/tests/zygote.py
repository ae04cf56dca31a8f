"""A tracer process and a client of it, for the tests: the protocol of docs/protocols.md as the C++ side speaks it."""

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time



def _package():
    """The build's package folder: named, or what ctest puts on PYTHONPATH."""
    for folder in (os.environ.get("TRITONSMITH_PACKAGE", ""), *os.environ.get("PYTHONPATH", "").split(":")):
        if folder and os.path.exists(os.path.join(folder, "native", "libfakecudart.so")):
            return folder
    return ""


PACKAGE = _package()


def _exactly(read, size):
    data = b""
    while len(data) < size:
        piece = read(size - len(data))
        if not piece:
            raise EOFError("the tracer hung up")
        data += piece
    return data


def _frame(read):
    (size,) = struct.unpack("<I", _exactly(read, 4))
    return json.loads(_exactly(read, size))


class Zygote:
    def __init__(self, sandbox=True):
        if not PACKAGE:
            raise RuntimeError("TRITONSMITH_PACKAGE must name the build's package folder (build/release/package), with its native libraries built")
        self.folder = tempfile.mkdtemp(prefix="tritonsmith-test-")
        native = os.path.join(PACKAGE, "native")
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.folder, "TMPDIR": self.folder, "OMP_NUM_THREADS": "1", "USER": "tritonsmith",
                       "LD_PRELOAD": f"{native}/libfakecudart.so", "LD_LIBRARY_PATH": f"{native}/fake_cuda",
                       "PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
        if not sandbox:
            environment["TRITONSMITH_NO_SANDBOX"] = "1"
        self.socket, theirs = socket.socketpair()
        self.started = time.monotonic()
        self.process = subprocess.Popen([sys.executable, "-I", f"{PACKAGE}/tritonsmith/services/tracer.py", str(theirs.fileno())],
                                        env=environment, pass_fds=[theirs.fileno()])
        theirs.close()
        self.greeting = _frame(self.socket.recv)
        self.start_seconds = time.monotonic() - self.started
        self._next = 0

    def close(self):
        self.socket.close()
        self.process.wait()
        shutil.rmtree(self.folder)

    def trace(self, source, kind="candidate", **request):
        """The child's answer; `self.last` is how it ended, `self.output` what it printed."""
        self._next += 1
        folder = os.path.join(self.folder, str(self._next))
        os.mkdir(folder)
        request = {"id": self._next, "kind": kind, "device": "cuda", "target": "sm_90", "source": source, "filename": "program.py",
                   "entry": "Model" if kind == "reference" else "ModelNew", "folder": folder,
                   "limits": {"seconds": 60, "memory": 4 << 30}, **request}
        result, result_end = os.pipe()
        output = tempfile.TemporaryFile()
        body = json.dumps(request).encode()
        socket.send_fds(self.socket, [struct.pack("<I", len(body))], [result_end, output.fileno()])
        self.socket.sendall(body)
        os.close(result_end)
        with os.fdopen(result, "rb") as pipe:
            data = pipe.read()
        assert _frame(self.socket.recv)["id"] == self._next
        self.last = _frame(self.socket.recv)
        output.seek(0)
        self.output = output.read().decode()
        output.close()
        shutil.rmtree(folder)
        if len(data) < 4:
            raise AssertionError(f"no answer; the child ended with {self.last} and printed: {self.output[-2000:]}")
        return json.loads(data[4:])


def tensor(shape, dtype="f32", buffer=0):
    """A contiguous input of a candidate's request."""
    stride, step = [], 1
    for size in reversed(shape):
        stride.insert(0, step)
        step *= size
    return {"tensor": {"buffer": buffer, "dtype": dtype, "shape": list(shape), "stride": stride, "offset": 0}}
