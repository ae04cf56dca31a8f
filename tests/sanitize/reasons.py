# exit 1: out_of_bounds misaligned_access uninitialised_read race false_promise shift_out_of_range integer_division address_overflow device_assert interpret_timeout
import torch
import triton
import triton.language as tl


@triton.jit
def beyond(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, i.to(tl.float32))  # <- out_of_bounds


@triton.jit
def no_buffer(addresses):
    p = tl.load(addresses).to(tl.pointer_type(tl.float32))
    tl.store(p, 1.0)  # <- out_of_bounds


@triton.jit
def crooked(x):
    p = (x + 1).to(tl.pointer_type(tl.int32))
    tl.store(p, 1)  # <- misaligned_access


@triton.jit
def unwritten(x, out):
    i = tl.arange(0, 16)
    tl.store(out + i, tl.load(x + i))  # <- uninitialised_read


@triton.jit
def same_place(out):
    tl.store(out, tl.program_id(0))  # <- race


@triton.jit
def assumes(x, n):
    tl.assume(n > 100)  # <- false_promise
    tl.store(x, n)


@triton.jit
def promises(x, start):
    first = tl.multiple_of(tl.program_id(0) + start, 8)  # <- false_promise
    tl.store(x + first + tl.arange(0, 4), first)


@triton.jit
def shifts(x, by):
    i = tl.arange(0, 4)
    tl.store(x + i, i << (by + i))  # <- shift_out_of_range


@triton.jit
def divides(x, by):
    tl.store(x, 7 // by)  # <- integer_division


@triton.jit
def overflows(x, step):
    i = tl.arange(0, 4)
    tl.store(x + i + i * step * step, i)  # <- address_overflow


@triton.jit
def asserts(x, n):
    tl.device_assert(n < 3, "n is small")  # <- device_assert
    tl.store(x, n)


@triton.jit
def waits(flag):
    while tl.atomic_add(flag, 0) == 0:
        pass


x = torch.zeros(1000, device="cuda")
beyond[(8,)](x, 1000, BLOCK=128)
assert x[999] in (0.0, 999.0)
gone = torch.zeros(4, device="cuda")
table = torch.tensor([gone.data_ptr()], device="cuda")
del gone
no_buffer[(1,)](table)
crooked[(1,)](torch.zeros(8, dtype=torch.uint8, device="cuda"))
unwritten[(1,)](torch.empty(16, device="cuda"), torch.empty(16, device="cuda"))
numbers = torch.zeros(64, dtype=torch.int32, device="cuda")
same_place[(4,)](numbers)
assumes[(1,)](numbers, 50)
promises[(1,)](numbers, 3)
shifts[(1,)](numbers, 30)
divides[(1,)](numbers, 0)
overflows[(1,)](numbers, 1 << 16)
asserts[(1,)](numbers, 5, debug=True)
waits[(1,)](torch.zeros(1, dtype=torch.int32, device="cuda"))
