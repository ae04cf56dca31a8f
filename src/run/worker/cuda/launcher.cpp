#include "run/worker/cuda/launcher.h"

#include <ATen/ops/empty.h>

#include "cuda/error.h"
#include "plan/ir/json.h"
#include "run/worker/cuda/accelerator.h"
#include "run/worker/memory/device_memory.h"
#include "run/worker/step_error.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::run {
namespace {

cuda::CompiledKernel compiled_from(const Json& json, const std::vector<std::byte>& cubins) {
    cuda::CompiledKernel out;
    out.name = json.at("name").get<std::string>();
    out.num_warps = json.at("num_warps").get<int>();
    out.num_ctas = json.at("num_ctas").get<int>();
    out.cooperative = json.at("cooperative").get<bool>();
    out.shared = json.at("shared").get<int64_t>();
    out.global_scratch_size = json.at("global_scratch_size").get<int64_t>();
    out.global_scratch_align = json.at("global_scratch_align").get<int64_t>();
    out.tensordesc_meta = json.at("tensordesc_meta");
    const auto offset = json.at("offset").get<size_t>(), bytes = json.at("bytes").get<size_t>();
    if (offset > cubins.size() || bytes > cubins.size() - offset)
        throw InputError("\"kernels\": the cubin of '" + out.name + "' lies outside of the file");
    const auto* first = reinterpret_cast<const uint8_t*>(cubins.data()) + offset;
    out.cubin.assign(first, first + bytes);
    return out;
}

}  // namespace

CudaLauncher::CudaLauncher(const plan::Plan& plan, const Json& kernels, const std::vector<std::byte>& cubins,
                           CUstream stream)
    : stream_(stream) {
    if (kernels.size() != plan.kernels.size())
        throw InputError("\"kernels\": there is not one for each of the plan's");
    for (size_t i = 0; i < kernels.size(); ++i) {
        Ready& ready = kernels_.emplace_back();
        if (kernels[i].is_null()) continue;
        const cuda::CompiledKernel compiled = compiled_from(kernels[i], cubins);
        try {
            ready.kernel = std::make_unique<cuda::Kernel>(compiled);
            ready.module = ttir::parse(plan.kernels[i].ttir);
            ready.tensordesc_meta = compiled.tensordesc_meta;
        } catch (const cuda::OutOfResources& wrong) {
            ready.why = wrong.what();
        } catch (const cuda::Error& wrong) {
            throw_fault(wrong.code, wrong.what());
        } catch (const ttir::ParseError& wrong) {
            throw InputError("kernel '" + plan.kernels[i].name + "': " + wrong.what());
        }
    }
}

LaunchOutcome CudaLauncher::launch(const plan::Plan& plan, const plan::LaunchStep& launch, int line,
                                   const Options& options, Memory& memory) {
    const auto index = static_cast<size_t>(launch.kernel);
    const plan::Kernel& kernel = plan.kernels[index];
    auto& device = dynamic_cast<DeviceMemory&>(memory);
    LaunchOutcome out;
    out.launched.kernel = kernel.name;
    out.launched.line = line;
    out.launched.programs = launch.grid[0] * launch.grid[1] * launch.grid[2];
    const Ready& ready = kernels_[index];
    if (!ready.kernel) {
        const std::string why = ready.why.empty() ? "it was not compiled" : ready.why;
        out.findings.push_back({"out_of_resources", "kernel '" + kernel.name + "': " + why, kernel.line,
                                Json{{"kernel", kernel.name}, {"launch_line", line}}});
        return out;
    }
    try {
        cuda::Parameters parameters = cuda::pack(launch, ready.module, ready.tensordesc_meta,
                                                 [&](int buffer) { return device.address(buffer); });
        at::Tensor scratch;
        uint64_t address = 0;
        if (const int64_t bytes = ready.kernel->scratch_bytes(launch.grid); bytes > 0) {
            const int64_t align = std::max<int64_t>(ready.kernel->scratch_align(), 1);
            scratch = at::empty({bytes + align}, at::TensorOptions(at::kByte).device(memory.device()));
            address = reinterpret_cast<uint64_t>(scratch.data_ptr());
            address = (address + static_cast<uint64_t>(align) - 1) / static_cast<uint64_t>(align) *
                      static_cast<uint64_t>(align);
        }
        ready.kernel->launch(launch.grid, parameters, stream_, address);
    } catch (const cuda::Error& wrong) {
        throw_fault(wrong.code, "kernel '" + kernel.name + "': " + wrong.what());
    } catch (const InputError& wrong) {
        throw StepError("plan_invalid", "kernel '" + kernel.name + "': " + wrong.what());
    }
    return out;
}

}  // namespace tritonsmith::run
