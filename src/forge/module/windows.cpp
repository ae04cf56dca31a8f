#include "forge/module/windows.h"

#include <string>

namespace tritonsmith::forge {
namespace {

Code number(int64_t value) {
    return {std::to_string(value), value < 0 ? Binding::unary : Binding::atom};
}

Code times(int64_t factor, const Code& of) {
    return factor == 1 ? of : binary(number(factor), "*", of);
}

}  // namespace

int64_t Windows::count() const {
    if (transposed) return (from - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1;
    if (starts_count()) return (from + padding + stride - 1) / stride;
    return (from + 2 * padding - dilation * (kernel - 1) - 1 + (ceil_mode ? stride - 1 : 0)) / stride + 1;
}

bool Windows::starts_count() const {
    return ceil_mode && stride + padding > dilation * (kernel - 1) + 1;
}

Code Windows::count_of(const Code& size) const {
    const Code padded = times(2, number(padding));
    const Code before = binary(number(kernel), "-", number(1));  // a kernel's elements but the last
    if (transposed) {
        Code out = stride == 1 ? binary(size, "-", number(1))
                               : binary(binary(size, "-", number(1)), "*", number(stride));
        if (padding != 0) out = binary(out, "-", padded);
        out = dilation == 1 ? binary(out, "+", number(kernel))
                            : binary(binary(out, "+", times(dilation, before)), "+", number(1));
        return more == 0 ? out : binary(out, "+", number(more));
    }
    if (starts_count()) {
        const Code reached = padding == 0 ? size : binary(size, "+", number(padding));
        return {"triton.cdiv(" + reached.text + ", " + std::to_string(stride) + ")"};
    }
    const bool tiled = kernel == stride && padding == 0 && dilation == 1 && stride != 1;
    if (tiled && !ceil_mode) return binary(size, "//", number(stride));
    Code out = padding == 0 ? size : binary(size, "+", padded);
    out = binary(out, "-", dilation == 1 ? number(kernel) : times(dilation, before));
    if (stride == 1) return dilation == 1 ? binary(out, "+", number(1)) : out;
    if (dilation != 1) out = binary(out, "-", number(1));
    out = ceil_mode ? Code{"triton.cdiv(" + out.text + ", " + std::to_string(stride) + ")"}
                    : binary(out, "//", number(stride));
    return binary(out, "+", number(1));
}

bool Windows::like(const Windows& other) const {
    return kernel == other.kernel && stride == other.stride && padding == other.padding &&
           dilation == other.dilation && more == other.more && transposed == other.transposed &&
           ceil_mode == other.ceil_mode;
}

std::vector<Windows> windows_of(const graph::Graph& graph, const graph::Node& node) {
    const auto* convolution = std::get_if<graph::Convolution>(&node.kind);
    const auto* pool = std::get_if<graph::Pool>(&node.kind);
    if (!convolution && !pool) return {};
    const std::vector<int64_t>& from = node.operands[0].shape();
    const std::vector<int64_t>&stride = convolution ? convolution->stride : pool->stride,
          &padding = convolution ? convolution->padding : pool->padding,
          &dilation = convolution ? convolution->dilation : pool->dilation;
    const std::vector<int64_t>& made = graph.values[static_cast<size_t>(node.results[0])].shape;
    std::vector<Windows> out;
    for (size_t i = 0; i < stride.size(); ++i) {
        const size_t axis = from.size() - stride.size() + i;
        Windows windows{from[axis], convolution ? node.operands[1].shape()[i + 2] : pool->kernel[i],
                        stride[i], padding[i], dilation.empty() ? 1 : dilation[i]};
        windows.transposed = convolution && convolution->transposed;
        windows.ceil_mode = pool && pool->ceil_mode;
        if (windows.transposed && !convolution->output_padding.empty())
            windows.more = convolution->output_padding[i];
        if (windows.count() != made[axis]) return {};
        out.push_back(windows);
    }
    return out;
}

}  // namespace tritonsmith::forge
