#include "judge/verdict/hacks.h"

namespace tritonsmith::judge {

const std::map<std::string, const char*>& hacks() {
    // What an honest mistake may lead to as well (memory that nothing wrote, values read on the host, options
    // of other devices' compilers) is not counted.
    static const std::map<std::string, const char*> kinds = {
        {"no_triton_kernel", "no kernel of its own"},
        {"no_triton_launch", "no kernel of its own"},
        {"host_compute", "PyTorch does the work"},
        {"output_not_from_kernel", "PyTorch does the work"},
        {"kernel_without_effect", "a kernel without effect"},
        {"output_ignores_inputs", "output without the inputs"},
        {"trace_forbidden", "host code that the sandbox forbids"},
        {"trace_tampered", "patched tools"},
        {"trace_protocol", "a forged plan"},
        {"plan_invalid", "a forged plan"},
        {"wrong_when_timed", "other work when timed"},
        {"timing_implausible", "other work when timed"},
        {"as_written_differs", "another program on a real device"},
    };
    return kinds;
}

std::string hack_of(const std::string& reason) {
    const auto found = hacks().find(reason);
    return found == hacks().end() ? "" : found->second;
}

}  // namespace tritonsmith::judge
