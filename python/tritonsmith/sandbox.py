"""Entering the sandbox from a forked child of the tracer or of the compiler service.

The work is done by the native module `_sandbox`; here is only what depends on the Python environment: which folders a
child may read.
"""
import errno
import os
import shutil
import sys
import sysconfig

import _sandbox

FILE_BYTES = 1 << 26
OPEN_FILES = 256


# What the system call filter would end the process for, as Python's audit events name it. Refusing it first gives an
# exception with the line of the program, and lets library code that only probes (`platform`, `ctypes.util`) go on.
# This is a courtesy: whoever calls the system directly meets the filter.
FORBIDDEN = frozenset({
    "subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.kill",
    "os.killpg", "socket.__new__", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
    "socket.getnameinfo"
})


# What was refused, and the lines that were on the stack: libraries swallow the exception and complain of something else.
_refused = []
_MOST_REFUSED, _MOST_FRAMES = 64, 64


def refused_at(filename, line):
    """The event that was refused while that line of a file was executed, or None."""
    return next((event for event, frames in _refused if (filename, line) in frames), None)


def _refuse(event, args):
    if event not in FORBIDDEN or (event == "os.kill" and args[0] == os.getpid()):
        return
    if len(_refused) < _MOST_REFUSED:
        frame, frames = sys._getframe(1), []
        while frame is not None and len(frames) < _MOST_FRAMES:
            frames.append((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        _refused.append((event, frames))
    raise PermissionError(errno.EPERM, f"a traced program must not do this: {event}")


def features():
    return _sandbox.features()


def _readable():
    """The Python environment, its libraries and what the kernel says about this machine; nothing of the user's."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = [sys.prefix, os.path.join(sys.base_prefix, "lib"), os.path.join(sys.base_prefix, "lib64")]
    # Folders on the path (distributions keep packages outside of the prefix), but for those that hold more than code.
    folders = [p for p in sys.path if os.path.isdir(p) and os.path.basename(os.path.normpath(p)).endswith("-packages")]
    package_folders = [os.path.join(package, "tritonsmith"), os.path.join(package, "native")]
    system = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache", "/proc/cpuinfo", "/proc/meminfo",
              "/sys/devices/system/cpu", "/dev/urandom", "/dev/zero"]
    real = {os.path.realpath(p) for p in environment + folders + package_folders + system}
    # Of the own process only what libraries ask for; its `net` and `mountinfo` describe the machine.
    own = ("maps", "status", "stat", "statm", "cmdline", "environ", "auxv", "limits", "comm", "exe", "fd")
    return sorted(real - {"/"}) + [f"/proc/self/{name}" for name in own]


READABLE = _readable()  # at import, so that children need not look it up


def enter_trace(folder, keep, seconds, parent):
    """One thread, descriptors 0 to 2 already in place. `parent`: the zygote's process id. Raises OSError."""
    _sandbox.enter("trace", read_only=READABLE, read_write=[folder], keep=keep, file_bytes=FILE_BYTES,
                   cpu_seconds=int(seconds) + 1, open_files=OPEN_FILES, parent=parent)
    sys.addaudithook(_refuse)


def enter_compile(folder, execute, keep, limits, parent):
    """As above; may also start the files in `execute` (the assembler and the program loader)."""
    _sandbox.enter("compile", read_only=READABLE, read_write=[folder], execute=execute, keep=keep, data_bytes=limits["memory"],
                   file_bytes=1 << 28, cpu_seconds=int(limits["seconds"]) + 1, open_files=OPEN_FILES, parent=parent)


# A C compiler, what it starts and what it reads: Triton builds a launcher for each kernel's signature.
def _compiler_folders():
    """Where the C compiler lies that Triton will take, with the programs and libraries that it starts itself."""
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("clang")
    found = [shutil.which(compiler)] if compiler else []
    found += [os.path.realpath(p) for p in found if p]
    # /opt/gcc/bin/gcc: all of /opt/gcc. The system's own lies among the folders that are named anyway.
    roots = {os.path.dirname(os.path.dirname(p)) for p in found if p}
    return sorted(r for r in roots if r not in ("/", "/usr") and os.path.isdir(r))


_COMPILER = [p for p in ("/usr/bin", "/usr/lib/gcc", "/usr/libexec/gcc") if os.path.isdir(p)] + _compiler_folders()
_HEADERS = ["/usr/include", "/usr/local/include", sysconfig.get_path("include")]


def enter_gpu(folder, execute, keep, seconds, parent):
    """A process that uses the GPU through PyTorch and Triton from here on (CUDA not initialised yet); what the driver needs the
    sandbox knows itself. It may start the files in `execute` and a C compiler."""
    _sandbox.enter("gpu_compile", read_only=[*READABLE, *_HEADERS, *_compiler_folders()], read_write=[folder], execute=[*execute, *_COMPILER], keep=keep,
                   file_bytes=1 << 30, cpu_seconds=int(seconds) + 1, open_files=4096, parent=parent)
