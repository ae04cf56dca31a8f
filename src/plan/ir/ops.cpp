#include "plan/ir/ops.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tritonsmith::plan {
namespace {

using NameSet = std::unordered_set<std::string_view>;

const std::unordered_map<std::string_view, OpClass>& classes() {
    static const auto* table = [] {
        auto* map = new std::unordered_map<std::string_view, OpClass>;
        auto add = [&](OpClass kind, std::initializer_list<std::string_view> names) {
            for (std::string_view name : names) map->emplace(name, kind);
        };
        add(OpClass::allocate, {"empty", "empty_like", "empty_strided", "empty_permuted", "new_empty",
                                "new_empty_strided", "resize_"});
        add(OpClass::factory,
            {"zeros",           "zeros_like",   "new_zeros",   "ones",           "ones_like",
             "new_ones",        "full",         "full_like",   "new_full",       "scalar_tensor",
             "arange",          "range",        "linspace",    "logspace",       "eye",
             "tril_indices",    "triu_indices", "hann_window", "hamming_window", "blackman_window",
             "bartlett_window", "kaiser_window"});
        add(OpClass::fill, {"zero_", "fill_"});
        // Not here although they alias: _conj and _neg_view, whose bit the data pointer does not show.
        add(OpClass::view, {"view",
                            "_unsafe_view",
                            "reshape",
                            "_reshape_alias",
                            "view_as",
                            "expand",
                            "expand_as",
                            "permute",
                            "transpose",
                            "transpose_",
                            "t",
                            "t_",
                            "swapaxes",
                            "swapdims",
                            "movedim",
                            "moveaxis",
                            "squeeze",
                            "squeeze_",
                            "unsqueeze",
                            "unsqueeze_",
                            "select",
                            "slice",
                            "narrow",
                            "split",
                            "split_with_sizes",
                            "unsafe_split",
                            "unsafe_split_with_sizes",
                            "unsafe_chunk",
                            "chunk",
                            "tensor_split",
                            "hsplit",
                            "vsplit",
                            "unbind",
                            "as_strided",
                            "as_strided_",
                            "alias",
                            "detach",
                            "detach_",
                            "diagonal",
                            "unfold",
                            "flatten",
                            "unflatten",
                            "ravel",
                            "view_as_real",
                            "view_as_complex",
                            "real",
                            "lift_fresh",
                            "lift",
                            "numpy_T",
                            "mT",
                            "mH",
                            "T",
                            "is_same_size",
                            "record_stream",
                            "is_pinned",
                            "requires_grad_",
                            "_fw_primal",
                            "_has_compatible_shallow_copy_type",
                            "_version",
                            "sym_size",
                            "sym_stride",
                            "sym_numel",
                            "sym_storage_offset",
                            "size",
                            "stride",
                            "numel",
                            "dim",
                            "is_contiguous",
                            "device"});
        add(OpClass::copy, {"clone",
                            "contiguous",
                            "copy_",
                            "copy",
                            "_to_copy",
                            "to",
                            "lift_fresh_copy",
                            "detach_copy",
                            "view_copy",
                            "permute_copy",
                            "transpose_copy",
                            "t_copy",
                            "expand_copy",
                            "slice_copy",
                            "select_copy",
                            "alias_copy",
                            "as_strided_copy",
                            "squeeze_copy",
                            "unsqueeze_copy",
                            "resolve_conj",
                            "resolve_neg",
                            "type_as",
                            "_cudnn_rnn_flatten_weight",
                            "pin_memory",
                            "_pin_memory"});
        add(OpClass::draw,
            {"rand", "rand_like", "randn", "randn_like", "randint", "randint_like", "randperm", "uniform_",
             "normal_", "exponential_", "cauchy_", "log_normal_", "geometric_", "random_", "bernoulli_"});
        return map;
    }();
    return *table;
}

}  // namespace

OpName::OpName(std::string_view op) {
    size_t colons = op.find("::");
    if (colons != std::string_view::npos) {
        space = op.substr(0, colons);
        op.remove_prefix(colons + 2);
    }
    size_t dot = op.find('.');
    base = op.substr(0, dot);
    if (dot != std::string_view::npos) overload = op.substr(dot + 1);
}

OpClass op_class(std::string_view op) {
    OpName name(op);
    if (name.space == "prim") return OpClass::view;
    if (name.space != "aten") return OpClass::compute;
    auto found = classes().find(name.base);
    if (found == classes().end()) return OpClass::compute;
    // Overloads that take their value or probability from a tensor.
    if (found->second == OpClass::fill && name.overload == "Tensor") return OpClass::copy;
    if (name.base == "bernoulli_" && name.overload == "Tensor") return OpClass::compute;
    return found->second;
}

bool in_place(std::string_view op) {
    OpName name(op);
    return !name.base.empty() && name.base.back() == '_' && !name.base.ends_with("__");
}

bool overwrites(std::string_view op) {
    if (!in_place(op)) return false;
    OpClass kind = op_class(op);
    return kind == OpClass::fill || kind == OpClass::copy || kind == OpClass::draw;
}

bool rearranges(std::string_view op) {
    static const NameSet names{"cat",
                               "concat",
                               "stack",
                               "hstack",
                               "vstack",
                               "flip",
                               "roll",
                               "rot90",
                               "repeat",
                               "tile",
                               "repeat_interleave",
                               "constant_pad_nd",
                               "pad",
                               "reflection_pad1d",
                               "reflection_pad2d",
                               "reflection_pad3d",
                               "replication_pad1d",
                               "replication_pad2d",
                               "replication_pad3d",
                               "index_select",
                               "gather",
                               "take",
                               "take_along_dim",
                               "index",
                               "pixel_shuffle",
                               "pixel_unshuffle",
                               "channel_shuffle",
                               "embedding",
                               "block_diag",
                               "im2col",
                               "tril",
                               "triu",
                               "slice_scatter",
                               "select_scatter",
                               "diagonal_scatter",
                               "as_strided_scatter",
                               "upsample_nearest1d",
                               "upsample_nearest2d",
                               "upsample_nearest3d",
                               "narrow_copy"};
    OpName name(op);
    return name.space == "aten" && names.contains(name.base);
}

bool scalar_pointwise(const AtenStep& step) {
    static const NameSet names{"mul",
                               "mul_",
                               "div",
                               "div_",
                               "add",
                               "add_",
                               "sub",
                               "sub_",
                               "neg",
                               "neg_",
                               "abs",
                               "abs_",
                               "clamp",
                               "clamp_",
                               "clamp_min",
                               "clamp_min_",
                               "clamp_max",
                               "clamp_max_",
                               "erfinv",
                               "erfinv_",
                               "sqrt",
                               "sqrt_",
                               "exp",
                               "exp_",
                               "log",
                               "log_",
                               "rsub",
                               "reciprocal",
                               "reciprocal_",
                               "pow",
                               "pow_",
                               "round",
                               "round_",
                               "floor",
                               "floor_",
                               "ceil",
                               "ceil_",
                               "sign",
                               "sign_",
                               "gt",
                               "ge",
                               "lt",
                               "le",
                               "eq",
                               "ne",
                               "_to_copy",
                               "bitwise_and",
                               "bitwise_or",
                               "bitwise_left_shift",
                               "bitwise_right_shift",
                               "__lshift__",
                               "__rshift__",
                               "__and__",
                               "__or__"};
    OpName name(step.op);
    if (name.space != "aten" || !names.contains(name.base)) return false;
    size_t tensors = std::count_if(step.args.begin(), step.args.end(), [](const Value& value) {
        return std::holds_alternative<Tensor>(value.v);
    });
    return tensors == 1;
}

}  // namespace tritonsmith::plan
