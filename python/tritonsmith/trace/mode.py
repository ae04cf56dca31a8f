"""Sees every ATen operator that the traced program asks for, has it noted, and executes it as far as it can be."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

from . import library, metas, recurrent
from ..buffers import KNOWN_BYTES, covers_storage
from ..errors import TraceError, Unsupported
from ..operators import is_masked, operator
from ..values import tensors_in

_CPU = torch.device("cpu")
_WRITTEN_OUT = {torch.ops.aten._conj.default: torch.ops.aten.conj_physical.default,
                torch.ops.aten._neg_view.default: torch.ops.aten.neg.default}


class RecordingMode(TorchDispatchMode):
    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder
        self.buffers = recorder.buffers

    @classmethod
    def _should_skip_dynamo(cls):
        # Else the first dispatch imports torch._dynamo, for seconds.
        return False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        own = [t for t in types if t.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__]
        if own and all(t.__name__ == "FakeTensor" and t.__module__ == "torch._subclasses.fake_tensor" for t in own):
            return func(*args, **kwargs)  # shapes alone, which are no part of the plan
        if own:
            # Tensors with a dispatch of their own unwrap themselves; what they then ask for comes here again.
            return NotImplemented
        # Views with a conjugate or negative bit are written out: a plan's tensors have no such bits.
        func = _WRITTEN_OUT.get(func, func)
        op = operator(func)
        if op.silent:
            return self._silently(op, func, args, kwargs)
        if op.foreign:
            return self._through(func, args, kwargs)
        try:
            if self.recorder.device == "cpu":
                return self._on_cpu(op, func, args, _on(_CPU, kwargs))
            return self._on_nothing(op, func, args, kwargs)
        except Unsupported as error:
            raise Unsupported(f"{op.name}: {error}", error.line or self.recorder.line(), error.of_candidate) from error

    def _silently(self, op, func, args, kwargs):
        if op.name.startswith("aten::_cudnn"):
            # Recurrent weights stay apart: cuDNN's packing is no part of what the program computes.
            return args[0][0]
        if op.name == "aten::record_stream":
            return None  # a hint to the allocator; memory lives as long as its tensors here
        return func(*args, **kwargs)

    def _through(self, func, args, kwargs):
        """An operator of the program's own (torch.library): its body is traced, not its name."""
        tensors = list(tensors_in((args, kwargs)))
        key = "CPU" if self.recorder.device == "cpu" or (tensors and not any(t.is_cuda for t in tensors)) else "CUDA"
        for name in (key, "CompositeExplicitAutograd", "CompositeImplicitAutograd"):
            if torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), name):
                with self:
                    return func._op_dk(getattr(torch._C.DispatchKey, name), *args, **kwargs)
        raise TraceError(f"operator {func.name()} has no implementation for {key}", self.recorder.line())

    # --- device "cpu": real execution

    def _on_cpu(self, op, func, args, kwargs):
        recorder, buffers = self.recorder, self.buffers
        line = recorder.line()
        inputs = list(tensors_in((args, kwargs)))
        metas.before(inputs, kwargs.get("device"))
        draws = op.draws_now(args, kwargs)
        known = not draws and not op.empty and all(buffers.supposed(t) is not None for t in inputs)
        if op.reads or (op.shaped_by_values(args) and not self._has_as_many_bins(op, args, kwargs, inputs)):
            if any(recorder.revealed(t) is None for t in inputs):
                recorder.host_read(op.name, line)
            recorder.note_reads(inputs, line)
        if op.reads:
            return func(*args, **kwargs)
        encoded = self._encode_call(args, kwargs, line)
        if op.fills and not known:
            known = self._fill_is_known(op, args)
        out = recurrent.execute(func, args, kwargs) if op.recurrent else func(*args, **kwargs)
        self._record(op, encoded, out, line, draws)
        for tensor in op.written_tensors(args, kwargs):
            if known:
                buffers.learn(tensor, tensor)
                buffers.inherit([tensor], inputs)
            else:
                buffers.forget(tensor)
        if known:
            self._learn_results(out, out, inputs)
        if draws:
            recorder.draws.suppose(op, func, args, kwargs, out, recorder.steps[-1])
        return out

    # --- device "cuda": nothing is computed

    def _on_nothing(self, op, func, args, kwargs):
        recorder, buffers = self.recorder, self.buffers
        line = recorder.line()
        inputs = list(tensors_in((args, kwargs)))
        if op.reads:
            return self._read(op, func, args, kwargs, inputs, line)
        target = kwargs.get("device")
        metas.before(inputs, target)
        on_host = target.type == "cpu" if target is not None else not any(t.is_cuda for t in inputs)
        if op.fills and inputs[0].device.type == "cpu":
            on_host = True
        draws = op.draws_now(args, kwargs)
        values = None
        if not draws and not op.empty:
            values = [buffers.supposed(t) for t in inputs]
            if any(v is None for v in values):
                values = None
        if on_host:
            return self._on_host(op, func, args, kwargs, inputs, values, draws, line)
        bins = self._has_as_many_bins(op, args, kwargs, inputs)
        shaped_by_values = op.shaped_by_values(args) and not bins
        if shaped_by_values:
            if values is None or any(recorder.revealed(t) is None for t in inputs):
                recorder.host_read(op.name, line)
            recorder.note_reads(inputs, line)
        encoded = self._encode_call(args, kwargs, line)
        if shaped_by_values:
            out = self._shaped_by_values(func, args, kwargs)
        elif bins:
            out = _empty_bins(bins, args, kwargs)
        elif op.writes_masked and is_masked(args):
            # The real operator would count the mask's elements on the host.
            out = args[0] if op.written else torch.empty_like(args[0])
        elif op.recurrent:
            out = recurrent.shapes(op, args, kwargs)
        elif op.library:
            out = library.execute(op, func, args, kwargs)
        else:
            out = func(*args, **kwargs)
            recorder.check_reads(op.name, line)
        self._record(op, encoded, out, line, draws)
        self._evaluate(op, func, args, kwargs, inputs, values, out)
        if draws:
            recorder.draws.suppose(op, func, args, kwargs, out, recorder.steps[-1])
        return out

    def _read(self, op, func, args, kwargs, inputs, line):
        if any(self.recorder.revealed(t) is None for t in inputs):
            self.recorder.host_read(op.name, line)
        self.recorder.note_reads(inputs, line)
        return func(*self._known_args(args), **self._known_args(kwargs))

    def _on_host(self, op, func, args, kwargs, inputs, values, draws, line):
        """A result in host memory. Known and small: plain host work, which is none of the plan's. Else recorded, not executed."""
        values = values if all(self.recorder.revealed(t) is not None for t in inputs) else None
        if (values is not None or op.empty) and _result_bytes(func, args, kwargs) <= KNOWN_BYTES:
            self.recorder.note_reads(inputs, line)
            return func(*self._known_args(args), **self._known_args(kwargs))
        if op.shaped_by_values(args) and values is None:
            self.recorder.host_read(op.name, line)
        for tensor in op.written_tensors(args, kwargs):
            self.buffers.keep_constant(tensor, line)
        encoded = self._encode_call(args, kwargs, line)
        out = library.through_meta(func, args, kwargs, _CPU)
        self._record(op, encoded, out, line, draws)
        for tensor in op.written_tensors(args, kwargs):
            self.buffers.forget(tensor)
        return out

    def _has_as_many_bins(self, op, args, kwargs, inputs):
        """How many bins a bincount has whose values are not known, but which says how many they are: whoever runs it sees if
        there are more. 0: another operator, or nothing was said."""
        if not op.counts or all(self.buffers.known(t) is not None for t in inputs):
            return 0
        return op.argument("minlength", args, kwargs)

    def _shaped_by_values(self, func, args, kwargs):
        out = func(*self._known_args(args), **_on(_CPU, self._known_args(kwargs)))
        return tree_map_only(torch.Tensor, lambda t: torch.empty_strided(t.size(), t.stride(), dtype=t.dtype, device="cuda"), out)

    # --- what both do

    def _encode_call(self, args, kwargs, line):
        recorder = self.recorder
        return ([recorder.encode(a, line) for a in args], {k: recorder.encode(v, line) for k, v in kwargs.items()})

    def _record(self, op, encoded, out, line, draws):
        buffers, recorder = self.buffers, self.recorder
        results = list(tensors_in(out if isinstance(out, (list, tuple)) else (out,)))
        if not results and not op.written:
            return  # a question about a tensor's kind, answered on the host
        for tensor in results:
            storage = tensor.untyped_storage()
            if buffers.known_as(storage) is None:
                buffers.add(storage, "allocation", line)
        if "dtype" in op.kwarg_only and encoded[1].get("dtype") is None and torch.get_default_dtype() != torch.float32:
            # Whoever runs the plan has another default.
            encoded[1]["dtype"] = recorder.encode(out.dtype, line)
        step = {"kind": "aten", "op": op.name, "args": encoded[0], "kwargs": encoded[1],
                "result": recorder.encode(list(out) if isinstance(out, tuple) else out, line)}
        if draws:
            step["draw"] = recorder.next_draw()
        recorder.add(step, line)

    def _known_args(self, value):
        return tree_map_only(torch.Tensor, self.buffers.supposed, value)

    def _fill_is_known(self, op, args):
        """fill_, zero_ and copy_ from known values make a whole storage known, whatever it held."""
        return covers_storage(args[0]) and all(
            not isinstance(a, torch.Tensor) or self.buffers.supposed(a) is not None for a in args[1:])

    def _evaluate(self, op, func, args, kwargs, inputs, values, out):
        """Keeps what is known of the device's content up to date, by doing the same on the host."""
        buffers = self.buffers
        written = list(op.written_tensors(args, kwargs))
        if values is None:
            if op.fills and args[0].untyped_storage().nbytes() <= KNOWN_BYTES and self._fill_is_known(op, args):
                held = torch.empty_strided(args[0].size(), args[0].stride(), dtype=args[0].dtype, device="cpu")
                buffers.learn(args[0], func(held, *self._known_args(args[1:]), **self._known_args(kwargs)))
                buffers.inherit([args[0]], inputs[1:])
                return
            for tensor in written:
                buffers.forget(tensor)
            return
        results = [t for t in tensors_in(out if isinstance(out, (list, tuple)) else (out,))]
        fresh = [t for t in results if all(t.untyped_storage()._cdata != i.untyped_storage()._cdata for i in inputs)]
        if not written and not fresh:
            return
        if sum(t.untyped_storage().nbytes() for t in fresh) > KNOWN_BYTES:
            for tensor in written:
                buffers.forget(tensor)
            return
        try:
            known = func(*self._known_args(args), **_on(_CPU, self._known_args(kwargs)))
        except (RuntimeError, NotImplementedError):
            # No such operator on the host: nothing is known of its results.
            for tensor in written:
                buffers.forget(tensor)
            return
        self.buffers.inherit(written, inputs)
        self._learn_results(out, known, inputs)

    def _learn_results(self, out, known, inputs):
        ours = {t.untyped_storage()._cdata for t in inputs}
        pairs = zip(tensors_in(out if isinstance(out, (list, tuple)) else (out,)),
                    tensors_in(known if isinstance(known, (list, tuple)) else (known,)))
        for tensor, values in pairs:
            # Scratch results may have another shape on the host: log_sigmoid_forward's buffer is empty on a GPU.
            if tensor.untyped_storage()._cdata not in ours and tensor.shape == values.shape:
                self.buffers.learn(tensor, values)
                self.buffers.inherit([tensor], inputs)


def _empty_bins(bins, args, kwargs):
    weights = args[1] if len(args) > 1 else kwargs.get("weights")
    dtype = torch.int64 if weights is None else torch.float32 if weights.dtype == torch.float32 else torch.float64
    return torch.empty(bins, dtype=dtype, device="cuda")


def _on(device, kwargs):
    if kwargs.get("device") is None or kwargs["device"] == device:
        return kwargs
    return {**kwargs, "device": device}


def _result_bytes(func, args, kwargs):
    try:
        out, _ = library.run_on_meta(func, args, kwargs)
    except (RuntimeError, NotImplementedError):
        # Not on the meta device: shaped by values, which are known and small here.
        return 0
    return sum(t.numel() * t.element_size() for t in tensors_in((out,)))
