"""A warm process that forks a child for each request (docs/protocols.md).

The server is trusted and stays small: it reads requests from its socket, forks, names the child, and reports how each
child ended. What a child does with its request, and what it writes to its result pipe, is no concern of the server: the
C++ side reads the pipes, keeps the deadline and kills.
"""
import gc
import json
import os
import selectors
import signal
import socket
import struct
import sys
import tempfile
import traceback

from tritonsmith import pages

LARGEST_REQUEST = 1 << 30
CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS,
           signal.SIGQUIT, signal.SIGXCPU, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2)


def frame(message):
    # A program may put half a surrogate pair into its message: no UTF-8 has one.
    body = json.dumps(message, allow_nan=False, ensure_ascii=False).encode("utf-8", "replace")
    return struct.pack("<I", len(body)) + body


def write_frame(fd, message):
    """The child's one answer, whole."""
    data = memoryview(frame(message))
    while data:
        data = data[os.write(fd, data):]


def receive(connection):
    """One request and its descriptors; None at the end of the conversation."""
    data, descriptors, flags, _ = socket.recv_fds(connection, 4, 16)
    while data and len(data) < 4:
        data += connection.recv(4 - len(data))
    if len(data) < 4:
        return None
    size, = struct.unpack("<I", data)
    if size > LARGEST_REQUEST or flags & socket.MSG_CTRUNC:
        raise ValueError("a request that is too large")
    body = bytearray()
    while len(body) < size:
        piece = connection.recv(min(size - len(body), 1 << 20))
        if not piece:
            return None
        body += piece
    for fd in descriptors:
        os.set_inheritable(fd, False)
    return json.loads(body), descriptors


def _close_all_but(*kept):
    begin = 3
    for fd in sorted(kept):
        os.closerange(begin, fd)
        begin = fd + 1
    os.closerange(begin, 4096)


def _become_child(request, descriptors, run):
    """In the child: streams and folder in place, then `run`, which enters the sandbox and answers."""
    status = 1
    try:
        pages.small_pages()
        result, output, *given = descriptors
        for number in CRASHES:  # LLVM's handlers look for a symbolizer and print for seconds
            signal.signal(number, signal.SIG_DFL)
        for number in (signal.SIGXFSZ, signal.SIGPIPE):  # exceptions in Python
            signal.signal(number, signal.SIG_IGN)
        null = os.open("/dev/null", os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        _close_all_but(result, *given)  # the server's socket above all
        folder = request["folder"]
        os.chdir(folder)
        os.environ.update(HOME=folder, TMPDIR=folder, TRITON_CACHE_DIR=os.path.join(folder, "triton"))
        tempfile.tempdir = None
        run(request, result, *given)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)


def _fork(request, descriptors, run):
    """@returns the child's process id and the answer that names it, or None and an error."""
    try:
        pid = os.fork()
    except OSError as error:
        return None, {"id": request["id"], "error": f"fork: {error}"}
    if pid == 0:
        _become_child(request, descriptors, run)
    return pid, {"id": request["id"], "pid": pid}


def _reap(number, pid):
    """The last answer to a request: how its child ended."""
    _, status, usage = os.wait4(pid, 0)
    return {
        "id": number,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
    }


class _DeferredAction:
    """Work that children may ask their server to do, once, for the children that come after: `action` is called at the first byte
    of any. Each child has a pipe of its own, so that none hears of another; those that come after have none."""

    def __init__(self, events, action):
        self.events, self.action = events, action

    def pipe(self):
        """The end that the next child writes to, or none."""
        if self.action is None:
            return []
        ours, theirs = os.pipe()
        self.events.register(ours, selectors.EVENT_READ, self)
        return [theirs]

    def on_readable(self, fd):
        asked = os.read(fd, 1)
        self.events.unregister(fd)
        os.close(fd)
        if asked and self.action is not None:
            action, self.action = self.action, None
            action()
            gc.freeze()


def serve(fd, greeting, run, action=None):
    """Serves until the other side hangs up. `run(request, result_fd, *given)` is called in each child (given: descriptors
    that came with the request behind the two pipes'); what it raises is printed on the child's own output. The process
    must have one thread at each fork. `action` is what a child may ask for: `run` then gets a descriptor more, which it writes
    a byte to, until the first has done so."""
    connection = socket.socket(fileno=fd)
    connection.sendall(frame(greeting))
    better_pages = pages.improve()
    gc.freeze()  # children that collect garbage must not copy the parent's pages
    events = selectors.DefaultSelector()
    events.register(connection, selectors.EVENT_READ, None)
    deferred = _DeferredAction(events, action)
    while True:
        for key, _ in events.select():
            if key.data is None:
                received = receive(connection)
                if received is None:
                    os._exit(0)  # the children end with their parent
                request, descriptors = received
                descriptors += deferred.pipe()
                pid, answer = _fork(request, descriptors, run)
                for descriptor in descriptors:
                    os.close(descriptor)
                if pid is not None:
                    events.register(os.pidfd_open(pid), selectors.EVENT_READ, (request["id"], pid))
            elif key.data is deferred:
                deferred.on_readable(key.fd)
                continue
            else:
                events.unregister(key.fd)
                os.close(key.fd)
                connection.sendall(frame(_reap(*key.data)))
                next(better_pages, None)
                continue
            connection.sendall(frame(answer))
