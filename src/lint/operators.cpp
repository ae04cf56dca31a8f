#include "lint/operators.h"

#include <algorithm>
#include <iterator>

#include "aten/catalogue.h"

namespace tritonsmith::lint {
namespace {

constexpr std::string_view kNotModules[] = {
    "Buffer", "Module", "Parameter", "ParameterDict", "ParameterList", "UninitializedParameter",
};

template <size_t N>
bool contains(const std::string_view (&sorted)[N], std::string_view name) {
    return std::binary_search(std::begin(sorted), std::end(sorted), name);
}

static_assert(std::is_sorted(std::begin(kNotModules), std::end(kNotModules)));

bool is_product(std::string_view name) {
    return aten::is(name, aten::Trait::lint_product);
}
/// Computing functions of torch that are no products.
bool computes(std::string_view name) {
    return aten::is(name, aten::Trait::lint_computes);
}
/// Methods that only tensors have; `add`, `sort`, `index`, `log` and their like live on other objects too.
bool is_method(std::string_view name) {
    return aten::is(name, aten::Trait::lint_method);
}

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
    if (is_product(name)) return Operator::Matmul;
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
        return is_product(name)                        ? Operator::Matmul
               : name == "pad" || name == "functional" ? Operator::None
                                                       : Operator::Functional;
    if (under(path, "torch.nn"))
        return name.front() >= 'A' && name.front() <= 'Z' && !contains(kNotModules, name) ? Operator::Module
                                                                                          : Operator::None;
    if (is_product(name)) return Operator::Matmul;
    if (computes(name) || under(path, "torch.special") || under(path, "torch.linalg") ||
        under(path, "torch.fft"))
        return Operator::Torch;
    return Operator::None;
}

}  // namespace

Operator classify(std::string_view path) {
    if (path.find("extern_kernels") != std::string_view::npos) return Operator::Extern;
    if (under(path, "torch")) return classify_torch(path);
    if (under(path, "numpy") || under(path, "scipy") || under(path, "cupy") || under(path, "operator"))
        return is_product(last(path)) ? Operator::Matmul : Operator::None;
    std::string_view name = path.starts_with("builtins.") ? path.substr(9) : path;
    if (name == "eval" || name == "exec" || name == "compile" || name == "__import__" || name == "globals" ||
        path == "importlib.import_module" || path == "types.FunctionType" || path == "types.CodeType" ||
        path == "sys.modules")
        return Operator::Dynamic;
    return Operator::None;
}

Operator classify_method(std::string_view method) {
    if (is_product(method) && method != "linear" && method != "inner" && method != "outer")
        return Operator::Matmul;
    return is_method(method) ? Operator::Torch : Operator::None;
}

}  // namespace tritonsmith::lint
