"""Small inputs that are drawn, and that the reference's own host code asks for: lengths, offsets.

What the task draws is unknown to a trace, since whoever runs the plan draws it. But where host code needs it (`lengths[i].item()`,
`torch.randn(int(offsets[-1]), …)`), there is no plan without it. So small draws of a task's inputs get values at once, of which
nothing is revealed; the first read fixes them: the recorded draw becomes a constant with these values, in every trace of the task.
"""

import torch

# Elements of a draw that is given values, and of a tensor that the forward pass may read.
MOST_DRAWN, MOST_READ = 1024, 64


class Draws:
    """The draws of one trace that have values which nobody knows. @param seed: the same for all traces of a task"""

    def __init__(self, recorder, seed):
        self.recorder, self.seed = recorder, seed
        self._steps = {}  # number of the draw → (recorded step, its values)

    def suppose(self, op, func, args, kwargs, out, step):
        """Gives a draw that has just been recorded its values. On the device "cpu" they are written into `out`."""
        if self.recorder.phase != "inputs" or not isinstance(out, torch.Tensor) or out.numel() > MOST_DRAWN:
            return
        buffers = self.recorder.buffers
        if out.numel() * out.element_size() != out.untyped_storage().nbytes():
            return
        target = args[0] if op.written else None
        values = _draw(func, target, args, kwargs, self.seed + step["draw"])
        if self.recorder.device == "cpu":
            out.copy_(values)
        self._steps[step["draw"]] = step, values
        buffers.learn(out, values)
        buffers.draws[buffers.known_as(out.untyped_storage())] = frozenset([step["draw"]])

    def may_be_read(self, tensor):
        """Whether host code may ask for a tensor that draws were made into: integers and answers to questions, few of them."""
        most = MOST_DRAWN if self.recorder.phase == "inputs" else MOST_READ
        return not tensor.is_floating_point() and not tensor.is_complex() and tensor.numel() <= most

    def fix(self, numbers):
        """From now on these draws are constants."""
        buffers = self.recorder.buffers
        for number in numbers:
            if number not in self._steps:
                continue
            step, values = self._steps.pop(number)
            constant = {"tensor": buffers.constant(values, step["line"])}
            del step["draw"]
            if step["op"].split(".")[0].endswith("_"):
                step.update(op="aten::copy_", args=[step["args"][0], constant], kwargs={})
            elif self.recorder.device == "cpu":
                step.update(op="aten::clone", args=[constant], kwargs={})
            else:
                step.update(op="aten::_to_copy", args=[constant], kwargs={"device": {"device": self.recorder.device}})
        for buffer, drawn in list(buffers.draws.items()):
            left = drawn.difference(numbers)
            if left:
                buffers.draws[buffer] = left
            else:
                del buffers.draws[buffer]


def _draw(func, target, args, kwargs, seed):
    """The draw on the host, by a generator of its own."""
    kwargs = {k: v for k, v in kwargs.items() if k not in ("generator", "device", "pin_memory")}
    if target is not None:
        args = (torch.empty(target.shape, dtype=target.dtype, device="cpu"), *args[1:])
    else:
        args = tuple(torch.empty(a.shape, dtype=a.dtype, device="cpu") if isinstance(a, torch.Tensor) else a for a in args)
        kwargs["device"] = torch.device("cpu")
    generator = torch.default_generator
    state = generator.get_state()
    generator.manual_seed(seed)
    try:
        return func(*args, **kwargs)
    finally:
        generator.set_state(state)
