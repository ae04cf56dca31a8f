#include "forge/emit/helpers.h"

#include <cstring>
#include <string_view>

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

/// As an argument of its own, or called.
bool calls_or_passes(std::string_view code, std::string_view name) {
    const char* const end_of_code = code.data() + code.size();
    for (size_t at = 0;; ++at) {
        const void* found = ::memmem(code.data() + at, static_cast<size_t>(end_of_code - code.data()) - at,
                                     name.data(), name.size());
        if (!found) return false;
        at = static_cast<size_t>(static_cast<const char*>(found) - code.data());
        const size_t end = at + name.size();
        if (at > 0 && code[at - 1] == ' ' && end < code.size() && (code[end] == ')' || code[end] == '('))
            return true;
    }
}

}  // namespace

std::string helper_functions(const std::string& code) {
    std::string out;
    for (const Helper& helper : kHelpers)
        if (calls_or_passes(code, helper.name)) out += std::string(helper.text) + "\n\n";
    return out;
}

}  // namespace tritonsmith::forge
