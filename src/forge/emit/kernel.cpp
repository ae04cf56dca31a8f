#include "forge/emit/kernel.h"

namespace tritonsmith::forge {

std::string Kernel::unique(const std::string& preferred) {
    std::string out = preferred;
    for (int count = 2; !taken.insert(out).second; ++count) out = preferred + "_" + std::to_string(count);
    return out;
}

std::string Kernel::pointer(const std::string& variable, const std::string& role) {
    for (const Pointer& known : pointers)
        if (known.variable == variable) return known.parameter;
    pointers.push_back({unique((taken.contains(role + "_ptr") ? variable : role) + "_ptr"), variable});
    return pointers.back().parameter;
}

}  // namespace tritonsmith::forge
