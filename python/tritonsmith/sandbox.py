"""Entering the sandbox from a forked child of the tracer or of the compiler service.

The work is done by the native module `_sandbox`; here is only what depends on the Python environment: which folders a
child may read.
"""
import os
import sys

import _sandbox

FILE_BYTES = 1 << 26
OPEN_FILES = 256


def features():
    return _sandbox.features()


def readable():
    """The Python environment, its libraries and what the kernel says about this machine; nothing of the user's."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = [sys.prefix, os.path.join(sys.base_prefix, "lib"), os.path.join(sys.base_prefix, "lib64")]
    # Folders on the path (distributions keep packages outside of the prefix), but for those that hold more than code.
    folders = [p for p in sys.path if os.path.isdir(p) and os.path.basename(os.path.normpath(p)).endswith("-packages")]
    system = [
        "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache", "/proc/self", "/proc/cpuinfo", "/proc/meminfo",
        "/sys/devices/system/cpu", "/dev/urandom", "/dev/zero"
    ]
    package_folders = [os.path.join(package, "tritonsmith"), os.path.join(package, "native")]
    paths = environment + folders + package_folders + system
    return sorted({os.path.realpath(p) if p != "/proc/self" else p for p in paths if p and p != "/"})


def enter_trace(folder, keep, seconds, parent):
    """One thread, descriptors 0 to 2 already in place. `parent`: the zygote's process id. Raises OSError."""
    _sandbox.enter("trace", read_only=readable(), read_write=[folder], keep=keep, file_bytes=FILE_BYTES,
                   cpu_seconds=int(seconds) + 1, open_files=OPEN_FILES, parent=parent)


def enter_compile(folder, execute, keep, seconds, parent):
    """As above; may also start the files in `execute` (the assembler and the program loader)."""
    _sandbox.enter("compile", read_only=readable(), read_write=[folder], execute=execute, keep=keep,
                   file_bytes=1 << 28, cpu_seconds=int(seconds) + 1, open_files=OPEN_FILES, parent=parent)
