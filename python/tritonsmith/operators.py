"""What the recorder must know about an ATen operator before it runs it, worked out once for each."""

import torch

# Need a cuBLAS, cuDNN, cuSOLVER or cuFFT handle, which the device that computes nothing cannot give.
LIBRARY = (
    "aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::addbmm", "aten::addmv", "aten::addr_", "aten::mv",
    "aten::dot", "aten::vdot", "aten::_addmm", "aten::_scaled_mm", "aten::_int_mm", "aten::_grouped_mm",
    "aten::_scaled_grouped_mm", "aten::convolution", "aten::_convolution", "aten::cudnn", "aten::_cudnn",
    "aten::miopen", "aten::linear", "aten::_scaled_dot_product", "aten::_flash_attention",
    "aten::_efficient_attention", "aten::slow_conv", "aten::conv_depthwise", "aten::_slow_conv", "aten::linalg",
    "aten::_linalg", "aten::_fft", "aten::cholesky", "aten::triangular_solve", "aten::lu_", "aten::geqrf",
    "aten::ormqr", "aten::orgqr", "aten::_cdist", "aten::_euclidean_dist",
    # Reads its standard deviations on the host, to see that none is negative.
    "aten::normal.Tensor_Tensor", "aten::normal.float_Tensor",
)
READS = ("aten::_local_scalar_dense", "aten::item", "aten::is_nonzero", "aten::equal", "aten::allclose")
# Their result's shape is a matter of values.
DYNAMIC = (
    "aten::nonzero", "aten::unique", "aten::_unique", "aten::masked_select", "aten::bincount", "aten::argwhere",
    "aten::repeat_interleave.Tensor", "aten::histogram", "aten::nonzero_numpy",
)
# Their memory is not initialised, so that nothing is known of it.
EMPTY = ("aten::empty", "aten::new_empty", "aten::resize", "aten::set_")
RECURRENT = ("aten::lstm.input", "aten::gru.input", "aten::rnn_tanh.input", "aten::rnn_relu.input")
# Nothing happens: another name for the same tensor.
SILENT = ("aten::record_stream", "aten::detach", "aten::alias", "aten::lift_fresh", "aten::lift", "aten::_cudnn_rnn_flatten_weight")
_TRACED = ("aten", "prim", "prims", "torchvision", "inductor_prims", "c10d_functional", "_c10d_functional")


class Operator:
    """One overload: how it is executed on the device that computes nothing, and what it writes."""

    def __init__(self, func):
        name = func.name()
        self.name = name
        base = name.split(".")[0]
        self.library = name.startswith(LIBRARY)
        self.reads = name.startswith(READS)
        self.recurrent = name in RECURRENT
        self.dynamic = name.startswith(DYNAMIC) or torch.Tag.dynamic_output_shape in func.tags
        self.masked = base in ("aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_",
                               "aten::_unsafe_index", "aten::_unsafe_index_put")
        # Writing through a mask changes no shape, reading through one does.
        self.writes_masked = self.masked and "index_put" in base
        if self.masked:
            self.dynamic = False
        self.counts = base == "aten::bincount"
        self.empty = name.startswith(EMPTY)
        self.silent = base in SILENT
        self.foreign = name.split("::")[0] not in _TRACED
        self.copies = name == "aten::_to_copy"
        self.fills = base in ("aten::fill_", "aten::zero_", "aten::copy_")
        arguments = func._schema.arguments
        self.written = [i for i, a in enumerate(arguments) if a.alias_info is not None and a.alias_info.is_write]
        self.names = [a.name for a in arguments]
        # Batch norms write their statistics in training alone, and the older schemas do not say so at all.
        self._training = next((n for n in ("training", "train") if n in self.names), None) if "batch_norm" in base else None
        self._statistics = [i for i, n in enumerate(self.names) if n in ("running_mean", "running_var")] if self._training else []
        if "backward" in base:
            self._statistics = []
        self.kwarg_only = {a.name for a in arguments if a.kwarg_only}
        self.draws = torch.Tag.nondeterministic_seeded in func.tags
        self._dropout = next((n for n in ("dropout_p", "dropout") if n in self.names), None)
        self._train = "train" if "train" in self.names else None
        self._defaults = {a.name: a.default_value for a in arguments if a.has_default_value()}

    def shaped_by_values(self, args):
        """Whether the shape of this call's result depends on what its tensors hold."""
        return self.dynamic or (self.masked and not self.writes_masked and is_masked(args))

    def argument(self, name, args, kwargs):
        position = self.names.index(name)
        if position < len(args):
            return args[position]
        return kwargs.get(name, self._defaults.get(name))

    def written_tensors(self, args, kwargs):
        written = [i for i in self.written if i not in self._statistics]
        if self._statistics and self.argument(self._training, args, kwargs):
            written += self._statistics
        for position in written:
            value = args[position] if position < len(args) else kwargs.get(self.names[position])
            if isinstance(value, torch.Tensor):
                yield value
            elif isinstance(value, (list, tuple)):
                yield from (item for item in value if isinstance(item, torch.Tensor))

    def draws_now(self, args, kwargs):
        """Whether this call takes random numbers: attention without dropout and dropout outside training do not."""
        if self.recurrent:
            return bool(self.argument("dropout", args, kwargs)) and bool(self.argument("train", args, kwargs))
        if not self.draws:
            return False
        if self._dropout and not self.argument(self._dropout, args, kwargs):
            return False
        if self.name.startswith("aten::native_dropout"):
            return bool(self.argument("p", args, kwargs)) and self.argument("train", args, kwargs) is not False
        return True


def is_masked(args):
    """Whether an indexing operator's indices have a mask among them."""
    indices = args[1] if len(args) > 1 and isinstance(args[1], (list, tuple)) else ()
    return any(isinstance(i, torch.Tensor) and i.dtype in (torch.bool, torch.uint8) for i in indices)


_operators = {}


def operator(func):
    found = _operators.get(func)
    if found is None:
        found = _operators[func] = Operator(func)
    return found
