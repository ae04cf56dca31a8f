#include "forge/emit/helpers.h"

namespace tritonsmith::forge {
namespace {

struct Helper {
    const char* name;
    const char* text;
};

constexpr Helper kHelpers[] = {
    {"multiply", R"(@triton.jit
def multiply(a, b):
    return a * b
)"},
    {"later_maximum", R"(@triton.jit
def later_maximum(a, a_index, b, b_index):
    """The greater one and where it is; of equal ones the later one, of NaN any."""
    later = (b >= a) | (b != b)
    return tl.where(later, b, a), tl.where(later, b_index, a_index)
)"},
    {"later_minimum", R"(@triton.jit
def later_minimum(a, a_index, b, b_index):
    """The lesser one and where it is; of equal ones the later one, of NaN any."""
    later = (b <= a) | (b != b)
    return tl.where(later, b, a), tl.where(later, b_index, a_index)
)"},
    {"log_add", R"(@triton.jit
def log_add(a, b):
    """log(exp(a) + exp(b)); equal ones apart, since they may be infinite."""
    most = tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
    return tl.where(a == b, a + 0.6931471805599453, most + libdevice.log1p(tl.exp(-tl.abs(a - b))))
)"},
};

}  // namespace

std::string helper_functions(const std::string& code) {
    std::string out;
    for (const Helper& helper : kHelpers)
        if (code.find(std::string(" ") + helper.name + ")") != std::string::npos ||
            code.find(std::string(" ") + helper.name + "(") != std::string::npos)
            out += std::string(helper.text) + "\n\n";
    return out;
}

}  // namespace tritonsmith::forge
