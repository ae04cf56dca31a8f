#include "lint/operators.h"

#include <algorithm>
#include <iterator>

namespace tritonsmith::lint {
namespace {

// Tables, several words a line.
// clang-format off
constexpr std::string_view kMatmul[] = {
    "__matmul__", "__rmatmul__", "_scaled_mm", "addbmm", "addmm", "addmm_", "addmv", "addr", "baddbmm",
    "bilinear", "bmm", "chain_matmul", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
    "conv_transpose3d", "convolution", "dot", "einsum", "ger", "inner", "int_mm", "kron", "linear",
    "matmul", "matrix_power", "mm", "multi_dot", "multi_head_attention_forward", "mv", "outer",
    "scaled_dot_product_attention", "tensordot", "vdot",
};

// Computing functions of torch that are not products. What is not here (allocation, views, copies, queries)
// is None.
constexpr std::string_view kTorch[] = {
    "_log_softmax", "_softmax", "abs", "abs_", "absolute", "acos", "add", "addcdiv", "addcmul", "all",
    "amax", "amin", "aminmax", "any", "argmax", "argmin", "argsort", "asin", "atan", "atan2", "avg_pool1d",
    "batch_norm", "bernoulli", "bincount", "bucketize", "cdist", "ceil", "celu", "clamp", "clamp_",
    "clamp_max", "clamp_min", "clip", "cos", "cosh", "cosine_similarity", "count_nonzero", "cross",
    "cummax", "cummin", "cumprod", "cumsum", "deg2rad", "diff", "digamma", "dist", "div", "divide",
    "dropout", "embedding", "eq", "erf", "erfc", "erfinv", "exp", "exp2", "exp_", "expm1", "fft", "floor",
    "floor_divide", "fmod", "frac", "gather", "ge", "gelu", "group_norm", "gt", "hardshrink", "heaviside",
    "histc", "hypot", "igamma", "index_add", "index_select", "instance_norm", "kthvalue", "layer_norm",
    "le", "lerp", "lgamma", "linalg", "log", "log10", "log1p", "log2", "log_softmax", "logaddexp",
    "logcumsumexp", "logical_and", "logical_not", "logical_or", "logsigmoid", "logsumexp", "lt",
    "masked_fill", "max", "max_pool1d", "max_pool2d", "max_pool3d", "maximum", "mean", "median", "min",
    "minimum", "mode", "mul", "multiply", "nan_to_num", "nanmean", "nansum", "native_layer_norm", "ne",
    "neg", "negative", "norm", "normalize", "polar", "pow", "prelu", "prod", "quantile", "reciprocal",
    "relu", "relu_", "remainder", "renorm", "rms_norm", "round", "rrelu", "rsqrt", "rsub", "scatter",
    "scatter_add", "searchsorted", "selu", "selu_", "sgn", "sigmoid", "sigmoid_", "sign", "signbit", "silu",
    "sin", "sinc", "sinh", "softmax", "softplus", "sort", "special", "sqrt", "sqrt_", "square", "std",
    "std_mean", "sub", "subtract", "sum", "tan", "tanh", "tanh_", "threshold", "topk", "tril", "triu",
    "true_divide", "trunc", "unique", "var", "var_mean", "where", "xlogy",
};

// Methods that only tensors have; `add`, `sort`, `index`, `log` and their like live on other objects too.
constexpr std::string_view kMethods[] = {
    "abs", "addcdiv", "addcmul", "amax", "amin", "argmax", "argmin", "clamp", "clamp_", "clamp_min",
    "cumprod", "cumsum", "div", "div_", "erf", "exp", "exp_", "log_softmax", "logsumexp", "masked_fill",
    "masked_fill_", "max", "mean", "min", "mul", "mul_", "norm", "pow", "prod", "reciprocal", "relu",
    "relu_", "rsqrt", "sigmoid", "sigmoid_", "softmax", "sqrt", "square", "std", "sub_", "sum", "tanh",
    "tanh_", "topk", "var",
};

constexpr std::string_view kNotModules[] = {
    "Buffer", "Module", "Parameter", "ParameterDict", "ParameterList", "UninitializedParameter",
};
// clang-format on

template <size_t N>
bool contains(const std::string_view (&sorted)[N], std::string_view name) {
    return std::binary_search(std::begin(sorted), std::end(sorted), name);
}

static_assert(std::is_sorted(std::begin(kMatmul), std::end(kMatmul)));
static_assert(std::is_sorted(std::begin(kTorch), std::end(kTorch)));
static_assert(std::is_sorted(std::begin(kMethods), std::end(kMethods)));
static_assert(std::is_sorted(std::begin(kNotModules), std::end(kNotModules)));

bool under(std::string_view path, std::string_view prefix) {
    return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '.');
}

std::string_view last(std::string_view path) {
    return path.substr(path.rfind('.') + 1);
}

/// The operator in torch.ops.aten.mm.default: the third component after the namespace.
Operator classify_registered(std::string_view path) {
    constexpr std::string_view kPrefix = "torch.ops.";
    std::string_view rest = path.size() > kPrefix.size() ? path.substr(kPrefix.size()) : "";
    std::string_view space = rest.substr(0, rest.find('.'));
    if (rest.size() <= space.size() + 1) return Operator::None;
    std::string_view name = rest.substr(space.size() + 1);
    name = name.substr(0, name.find('.'));
    if (contains(kMatmul, name)) return Operator::Matmul;
    // Namespaces of other libraries hold custom operators, which may wrap the candidate's own kernels.
    return space == "aten" || space == "prims" || space == "mkldnn" || space == "quantized" ? Operator::Torch
                                                                                            : Operator::None;
}

Operator classify_torch(std::string_view path) {
    if (path == "torch.compile" || path == "torch.jit.script" || path == "torch.jit.trace" ||
        path == "torch.jit.freeze" || under(path, "torch._dynamo") || under(path, "torch._inductor.compile"))
        return Operator::Compile;
    if (under(path, "torch.ops")) return classify_registered(path);
    if (under(path, "torch.backends") || under(path, "torch.cuda") || under(path, "torch.distributed") ||
        under(path, "torch.library") || under(path, "torch.utils") || under(path, "torch.nn.init") ||
        under(path, "torch.nn.utils"))
        return Operator::None;
    std::string_view name = last(path);
    if (under(path, "torch.nn.functional"))
        return contains(kMatmul, name)                 ? Operator::Matmul
               : name == "pad" || name == "functional" ? Operator::None
                                                       : Operator::Functional;
    if (under(path, "torch.nn"))
        return name.front() >= 'A' && name.front() <= 'Z' && !contains(kNotModules, name) ? Operator::Module
                                                                                          : Operator::None;
    if (contains(kMatmul, name)) return Operator::Matmul;
    if (contains(kTorch, name) || under(path, "torch.special") || under(path, "torch.linalg") ||
        under(path, "torch.fft"))
        return Operator::Torch;
    return Operator::None;
}

}  // namespace

Operator classify(std::string_view path) {
    if (path.find("extern_kernels") != std::string_view::npos) return Operator::Extern;
    if (under(path, "torch")) return classify_torch(path);
    if (under(path, "numpy") || under(path, "scipy") || under(path, "cupy") || under(path, "operator"))
        return contains(kMatmul, last(path)) ? Operator::Matmul : Operator::None;
    std::string_view name = path.starts_with("builtins.") ? path.substr(9) : path;
    if (name == "eval" || name == "exec" || name == "compile" || name == "__import__" || name == "globals" ||
        path == "importlib.import_module" || path == "types.FunctionType" || path == "types.CodeType" ||
        path == "sys.modules")
        return Operator::Dynamic;
    return Operator::None;
}

Operator classify_method(std::string_view method) {
    if (contains(kMatmul, method) && method != "linear" && method != "inner" && method != "outer")
        return Operator::Matmul;
    return contains(kMethods, method) ? Operator::Torch : Operator::None;
}

}  // namespace tritonsmith::lint
