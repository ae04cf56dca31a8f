#include <fmt/format.h>

#include "base/sandbox/sandbox_core.h"
#include "cli/doctor.h"

namespace tritonsmith::cli {

std::vector<Check> check_sandbox() {
    sandbox_features features;
    sandbox_probe(&features);

    Check seccomp{"seccomp"};
    seccomp.details = {{"filter", features.seccomp != 0}};
    seccomp.text = features.seccomp ? "system call filters" : "no system call filters";
    if (!features.seccomp) {
        seccomp.state = State::missing;
        seccomp.fix =
            "use a kernel with CONFIG_SECCOMP_FILTER, or a container runtime that lets programs filter "
            "themselves";
    }
    Check landlock{"landlock"};
    landlock.details = {{"abi", features.landlock_abi}};
    landlock.text =
        features.landlock_abi ? fmt::format("ABI {}", features.landlock_abi) : "not in this kernel";
    if (!features.landlock_abi) {
        landlock.state = State::note;
        landlock.fix =
            "boot Linux 5.13 or newer with landlock in its lsm= list: without it, seccomp alone guards files";
    }
    Check namespaces{"user_namespaces"};
    namespaces.details = {{"allowed", features.user_namespaces != 0}};
    namespaces.text = features.user_namespaces ? "allowed (not needed)" : "not allowed (not needed)";
    return {seccomp, landlock, namespaces};
}

}  // namespace tritonsmith::cli
