#pragma once

#include "kernels/arguments.h"

/// The library's binary interface: what it exports, and how one side knows that the other was built from the
/// same arguments.h.
namespace tritonsmith::kernels {

/// Changes with every structure's size; the first factor is changed by hand when a meaning changes.
constexpr uint64_t interface_version() {
    uint64_t hash = 1;
#define X(function, arguments) hash = hash * 1000003 + sizeof(arguments);
#include "kernels/functions.inc"
#undef X
    return hash * 1000003 + sizeof(DrawRow);
}

/// What an exported function returns: 0, `refused`, or a cudaError_t. After anything but 0,
/// tritonsmith_kernels_error_text() of the same thread says what was wrong.
constexpr int refused = -1;

}  // namespace tritonsmith::kernels

#define TRITONSMITH_EXPORT __attribute__((visibility("default")))

extern "C" {
TRITONSMITH_EXPORT uint64_t tritonsmith_kernels_interface_version();
TRITONSMITH_EXPORT const char* tritonsmith_kernels_error_text();
#define X(function, arguments) \
    TRITONSMITH_EXPORT int tritonsmith_##function(const tritonsmith::kernels::arguments*, void* stream);
#include "kernels/functions.inc"
#undef X
}
