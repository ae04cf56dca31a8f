"""Global scratch: a kernel that makes tensor descriptors on the device needs memory for them, which Triton's launcher asks the
program for (triton.set_allocator). Whoever runs a plan brings that memory; here the program is asked as a launch would ask it, so
that one which has set no allocator fails as it fails on a device."""

from triton.runtime import _allocation

from . import device as fake
from .errors import TraceError

# Of one descriptor (CUtensorMap), and its alignment.
DESCRIPTOR_BYTES = 128
# Targets with tensor copies; before, Triton makes pointers of descriptors.
FIRST_ARCH = 90


def ask(text, options, arch, grid, recorder, line):
    """@param text: TTIR  @raises RuntimeError (Triton's own) where no allocator is set"""
    made = text.count("tt.make_tensor_descriptor") if arch >= FIRST_ARCH else 0
    if not made:
        return
    size = made * DESCRIPTOR_BYTES * options.num_ctas * grid[0] * grid[1] * grid[2]
    buffer = _allocation._allocator.get()(size, DESCRIPTOR_BYTES, 0)
    address = buffer if isinstance(buffer, int) else getattr(buffer, "data_ptr", int)()
    found = recorder.buffers.at_address(address) if fake.BASE <= address < fake.BASE + fake.SPAN else None
    if found is None or recorder.buffers.entries[found[0]]["bytes"] - found[1] < size:
        raise TraceError(f"the allocator given to triton.set_allocator returned no device memory of {size} bytes", line)
