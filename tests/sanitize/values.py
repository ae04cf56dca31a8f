# exit 0: clean
# stdout: kernel sums 2016.0 tensor([0., 2., 4., 6.], device='cuda:0')
# stdout: cuda:0 True cpu 132 sm 90 (9, 0)
# stdout: gradient True True; threads [3.0, 3.0]
# stdout: operator tensor([2., 2.]) compiled 10.0 pid (0, 0, 0) x:  5
import io
import threading

import numpy
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n, other=0.0) * factor, mask=i < n)


@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def total(x, out, n, EVEN: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i) if EVEN else tl.load(x + i, mask=i < n, other=0.0)
    tl.store(out, tl.sum(v))


@triton.jit
def show(x):
    tl.device_print(" x", tl.load(x))


def scaled(x, factor):
    out = torch.empty_like(x)
    scale[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, out, x.numel(), factor, BLOCK=32)
    return out


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        with torch.cuda.device(x.device):
            return scaled(x, factor)

    @staticmethod
    def backward(ctx, grad):
        assert grad.is_cuda and torch.empty(1, device=grad.device).device == grad.device
        return scaled(grad.contiguous(), ctx.factor), None


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return scaled(x, 1.0), x.sum(0)

    @staticmethod
    def backward(ctx, grad, no_grad):
        return scaled(grad.contiguous(), 1.0) + scaled(no_grad.expand_as(grad).contiguous(), 1.0)


def main():
    device = triton.runtime.driver.active.get_active_torch_device()
    x = torch.arange(64, dtype=torch.float32).cuda()
    before, on_host = x.clone(), x.cpu()
    out = torch.empty((), device=device)
    total[(1,)](x, out, 64, BLOCK=64)
    print("kernel sums", out.item(), scaled(x, 2.0)[:4])
    scale[(2,)](x, x, 64, 3.0, BLOCK=32)
    assert torch.allclose(x, before * 3) and torch.equal(on_host, before.cpu()) and x.to("cuda") is x
    properties, target = torch.cuda.get_device_properties(0), triton.runtime.driver.active.get_current_target()
    print(x.device, x.is_cuda, on_host.device, properties.multi_processor_count, "sm", target.arch, torch.cuda.get_device_capability())

    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    assert triton.testing.do_bench(lambda: scaled(x, 2.0)) > 0
    end.record()
    torch.cuda.synchronize()
    assert torch.cuda.is_available() and start.elapsed_time(end) > 0
    try:
        x.numpy()
        raise AssertionError("a tensor of the device has no numpy()")
    except TypeError:
        assert x.cpu().numpy().shape == (64,)

    array = numpy.ones(4, numpy.float32)
    of_array, on_device = torch.from_numpy(array), torch.as_tensor(array, device="cuda")
    copied = of_array.cuda()
    array[0] = 5
    assert not of_array.is_cuda and of_array[0] == 5 and copied[0] == 1 and on_device[0] == 1
    module = torch.nn.Linear(4, 4).to(device)
    file = io.BytesIO()
    torch.save(module.state_dict(), file)
    file.seek(0)
    assert module.weight.is_cuda and torch.load(file)["weight"].is_cuda
    file.seek(0)
    assert not torch.load(file, map_location="cpu")["weight"].is_cuda

    weight = torch.nn.Parameter(torch.rand(64, device="cuda"))
    Scale.apply(weight, 4.0).sum().backward()
    Both.apply(weight)[0].sum().backward()
    weight.grad -= 1
    expected, = torch.autograd.grad((weight * 4).sum(), weight)
    results = [None, None]

    def work(k):
        results[k] = scaled(torch.ones(4, device="cuda"), 3.0)[k].item()

    workers = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print("gradient", torch.equal(weight.grad, expected), weight.grad.is_cuda, end="; ")
    print("threads", results)

    @torch.library.custom_op("tritonsmith_test::double", mutates_args=(), device_types="cuda")
    def double(v: torch.Tensor) -> torch.Tensor:
        assert v.is_cuda
        return scaled(v, 2.0)

    @torch.library.triton_op("tritonsmith_test::triple", mutates_args={})
    def triple(v: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(v)
        torch.library.wrap_triton(scale)[(1,)](v, out, v.numel(), 3.0, BLOCK=32)
        return out

    assert triple(torch.ones(4, device="cuda")).tolist() == [3.0] * 4

    with torch.device("cuda"):
        ones = torch.ones(2)
    compiled = torch.compile(lambda v: scaled(v, 5.0))
    print("operator", double(ones).cpu(), "compiled", compiled(ones).sum().item(), end=" ")
    show[(1,)](torch.full((1,), 5, device="cuda"))


if __name__ == "__main__":
    main()
