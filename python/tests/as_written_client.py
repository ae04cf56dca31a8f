"""An as-written process and a client of it, for the tests: the protocol of docs/protocols.md as the C++ side speaks it."""

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

import torch
from zygote import PACKAGE, _frame, tensor

from tritonsmith.values import DTYPE_OF, DTYPES

ALIGNMENT = 64


def memory_file(tensors):
    """@param tensors: {name: host tensor}  @returns (descriptor, index)"""
    fd, index, end = os.memfd_create("pack"), [], 0
    for name, value in tensors.items():
        offset = (end + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        data = value.contiguous().view(-1).view(torch.uint8).numpy().tobytes() if value.numel() else b""
        os.pwrite(fd, data, offset)
        end = offset + len(data)
        index.append({"name": name, "dtype": DTYPES[value.dtype], "shape": list(value.shape), "offset": offset})
    return fd, index


def read_pack(fd, index):
    out = {}
    for entry in index:
        dtype, count = DTYPE_OF[entry["dtype"]], 1
        for size in entry["shape"]:
            count *= size
        data = bytearray(os.pread(fd, count * dtype.itemsize, entry["offset"]))
        out[entry["name"]] = (torch.frombuffer(data, dtype=dtype) if count else torch.empty(0, dtype=dtype)).view(entry["shape"])
    return out


class AsWritten:
    def __init__(self, device="cpu", **more_environment):
        self.device, self.folder = device, tempfile.mkdtemp(prefix="tritonsmith-test-")
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.folder, "TMPDIR": self.folder, "OMP_NUM_THREADS": "1", "USER": "tritonsmith", **more_environment}
        if "LD_LIBRARY_PATH" in os.environ and device != "cpu":
            environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        self.socket, theirs = socket.socketpair()
        self.process = subprocess.Popen([sys.executable, "-I", f"{PACKAGE}/tritonsmith/services/as_written.py", str(theirs.fileno())],
                                        env=environment, pass_fds=[theirs.fileno()])
        theirs.close()
        self.greeting = _frame(self.socket.recv)
        self._next = 0

    def close(self):
        self.socket.close()
        self.process.wait()
        shutil.rmtree(self.folder)

    def run(self, source, inputs, weights=None, links=None, room=1 << 20, inputs_described=None, **request):
        """The answer, with "tensors": {name: tensor} where it is ok. @param inputs: host tensors and plain values
        @param weights: {the reference's name: host tensor}"""
        self._next += 1
        folder = os.path.join(self.folder, str(self._next))
        os.mkdir(folder)
        tensors = [v for v in inputs if isinstance(v, torch.Tensor)]
        numbers = iter(range(len(tensors)))
        described = [tensor(list(v.shape), DTYPES[v.dtype], next(numbers)) if isinstance(v, torch.Tensor) else v for v in inputs]
        pack, index = memory_file({**{f"input/{i}": t for i, t in enumerate(tensors)},
                                   **{"weight/" + name: value for name, value in (weights or {}).items()}})
        outputs = os.memfd_create("outputs")
        os.ftruncate(outputs, room)
        if links is None:
            links = {name: name for name in weights or {}}
        request = {"id": self._next, "source": source, "filename": "candidate.py", "entry": "ModelNew", "device": self.device,
                   "inputs": inputs_described or described, "init_inputs": [], "index": index, "links": links, "seed": 7, "folder": folder, "sandbox": True,
                   "limits": {"seconds": 60}, **request}
        result, result_end = os.pipe()
        output = tempfile.TemporaryFile()
        body = json.dumps(request).encode()
        socket.send_fds(self.socket, [struct.pack("<I", len(body))], [result_end, output.fileno(), pack, outputs])
        self.socket.sendall(body)
        os.close(result_end)
        os.close(pack)
        with os.fdopen(result, "rb") as pipe:
            data = pipe.read()
        assert _frame(self.socket.recv)["id"] == self._next
        self.last = _frame(self.socket.recv)
        output.seek(0)
        self.output = output.read().decode()
        output.close()
        shutil.rmtree(folder, ignore_errors=True)
        answer = json.loads(data[4:]) if len(data) >= 4 else None
        if answer and answer["ok"]:
            answer["tensors"] = read_pack(outputs, answer["outputs"])
        os.close(outputs)
        return answer
