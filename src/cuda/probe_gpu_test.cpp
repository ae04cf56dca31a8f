#include <cstdlib>

#include "cuda/gpu_testing.h"

namespace tritonsmith::cuda {
namespace {

class SandboxedProcess : public OnDevice {};

/// What it prints says what is in the way.
TEST_F(SandboxedProcess, UsesTheGpuAndSharesItsMemory) {
    EXPECT_EQ(std::system(TRITONSMITH_BINARY_DIR "/bin/tritonsmith-gpu-probe"), 0);
}

}  // namespace
}  // namespace tritonsmith::cuda
