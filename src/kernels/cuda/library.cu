#include "kernels/cuda/launch.h"

namespace tritonsmith::kernels {

char* error_text() {
    static thread_local char text[error_text_size] = "";
    return text;
}

}  // namespace tritonsmith::kernels

extern "C" uint64_t tritonsmith_kernels_interface_version() {
    return tritonsmith::kernels::interface_version();
}
extern "C" const char* tritonsmith_kernels_error_text() {
    return tritonsmith::kernels::error_text();
}
