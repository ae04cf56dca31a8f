#pragma once

#include <cuda.h>

#include <map>
#include <memory>
#include <vector>

#include "cuda/kernel.h"
#include "run/worker/exec/launcher.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::run {

/// Launches compiled kernels in DeviceMemory, on one stream.
class CudaLauncher : public Launcher {
  public:
    /// @param kernels, cubins as Accelerator::launcher has them. @throws InputError, DeviceFault
    CudaLauncher(const plan::Plan& plan, const Json& kernels, const std::vector<std::byte>& cubins,
                 CUstream stream);
    LaunchOutcome launch(const plan::Plan& plan, const plan::LaunchStep& launch, int line,
                         const Options& options, Memory& memory) override;

  private:
    struct Ready {
        std::unique_ptr<cuda::Kernel> kernel;
        std::string why;  ///< there is none: it asks for more than the device has
        ttir::Module module;
        Json tensordesc_meta;
    };
    std::vector<Ready> kernels_;
    CUstream stream_;
};

}  // namespace tritonsmith::run
