#include "cuda/kernel.h"

#include <fmt/format.h>

#include <utility>

#include "cuda/driver.h"

namespace tritonsmith::cuda {
namespace {

// CUDA C++ Programming Guide, technical specifications: the same for all devices.
constexpr int64_t kMostBlocksX = 2147483647, kMostBlocksYZ = 65535;
constexpr int64_t kUsualShared = 48 << 10;  ///< of a block that does not ask for more
constexpr unsigned kWarp = 32;

int device_attribute(CUdevice_attribute which) {
    CUdevice device = 0;
    int value = 0;
    TRITONSMITH_CU(cuCtxGetDevice, &device);
    TRITONSMITH_CU(cuDeviceGetAttribute, &value, which, device);
    return value;
}

bool empty(const Grid& grid) {
    return grid[0] == 0 || grid[1] == 0 || grid[2] == 0;
}

void check_grid(const std::string& name, const Grid& grid, int64_t num_ctas) {
    int64_t blocks = 0;
    if (grid[0] >= 0 && grid[1] >= 0 && grid[2] >= 0 &&
        (empty(grid) || (!__builtin_mul_overflow(grid[0], num_ctas, &blocks) && blocks <= kMostBlocksX &&
                         grid[1] <= kMostBlocksYZ && grid[2] <= kMostBlocksYZ)))
        return;
    throw InputError(
        fmt::format("kernel {} is launched on a grid of ({}, {}, {}) programs of {} blocks: a device takes "
                    "0 to {} blocks in x, 0 to {} in y and z",
                    name, grid[0], grid[1], grid[2], num_ctas, kMostBlocksX, kMostBlocksYZ));
}

/// The sizes of the cubin's own parameters, in order.
std::vector<size_t> sizes_of_parameters(CUfunction function) {
    std::vector<size_t> sizes;
    if (!driver().parameter_info) return sizes;
    size_t offset = 0, bytes = 0;
    while (driver().parameter_info(function, sizes.size(), &offset, &bytes) == CUDA_SUCCESS)
        sizes.push_back(bytes);
    return sizes;
}

CUlaunchAttribute launch_attribute(CUlaunchAttributeID id) {
    CUlaunchAttribute result{};
    result.id = id;
    return result;
}

}  // namespace

Kernel::Kernel(const CompiledKernel& compiled)
    : name_(compiled.name),
      num_warps_(static_cast<unsigned>(compiled.num_warps)),
      num_ctas_(static_cast<unsigned>(compiled.num_ctas)),
      cooperative_(compiled.cooperative),
      shared_(static_cast<unsigned>(compiled.shared)),
      scratch_size_(compiled.global_scratch_size),
      scratch_align_(compiled.global_scratch_align) {
    const std::vector<uint8_t>& cubin = compiled.cubin;
    if (cubin.size() < 64 || cubin[0] != 0x7f || cubin[1] != 'E' || cubin[2] != 'L' || cubin[3] != 'F')
        throw InputError(fmt::format("kernel {} has no cubin", name_));
    if (compiled.num_warps < 1 || compiled.num_warps > 64 || compiled.num_ctas < 1 ||
        compiled.num_ctas > 16 || compiled.shared < 0 || compiled.global_scratch_size < 0 ||
        compiled.global_scratch_align < 1)
        throw InputError(fmt::format("kernel {} was compiled with impossible sizes", name_));
    const int64_t most = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (compiled.shared > most)
        throw OutOfResources(fmt::format("kernel {} needs {} bytes of shared memory, the device has {}",
                                         name_, compiled.shared, most));
    TRITONSMITH_CU(cuModuleLoadData, &module_, cubin.data());
    try {
        fit(compiled);
    } catch (...) {
        driver().cuModuleUnload(module_);
        throw;
    }
}

/// What Triton's loadBinary and launcher set on the function, all of it before the first launch: a captured
/// stream takes launches only.
void Kernel::fit(const CompiledKernel& compiled) {
    TRITONSMITH_CU(cuModuleGetFunction, &function_, module_, name_.c_str());
    // Loading lazily would synchronise in the first launch.
    if (driver().load_function) check(driver().load_function(function_), "cuFuncLoad");
    int threads = 0, reserved = 0;
    TRITONSMITH_CU(cuFuncGetAttribute, &registers_, CU_FUNC_ATTRIBUTE_NUM_REGS, function_);
    TRITONSMITH_CU(cuFuncGetAttribute, &threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function_);
    if (num_warps_ * kWarp > static_cast<unsigned>(threads))
        throw OutOfResources(
            fmt::format("kernel {} needs {} threads in a block, of {}", name_, num_warps_ * kWarp, threads));
    const int most = device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (compiled.shared > kUsualShared && most > kUsualShared) {
        TRITONSMITH_CU(cuFuncSetCacheConfig, function_, CU_FUNC_CACHE_PREFER_SHARED);
        TRITONSMITH_CU(cuFuncGetAttribute, &reserved, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function_);
        TRITONSMITH_CU(cuFuncSetAttribute, function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                       most - reserved);
    }
    if (num_ctas_ == 16)
        TRITONSMITH_CU(cuFuncSetAttribute, function_, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    parameter_sizes_ = sizes_of_parameters(function_);
}

Kernel::~Kernel() {
    if (module_) driver().cuModuleUnload(module_);
}

Kernel::Kernel(Kernel&& other) noexcept
    : name_(std::move(other.name_)),
      num_warps_(other.num_warps_),
      num_ctas_(other.num_ctas_),
      cooperative_(other.cooperative_),
      shared_(other.shared_),
      scratch_size_(other.scratch_size_),
      scratch_align_(other.scratch_align_),
      module_(std::exchange(other.module_, nullptr)),
      function_(other.function_),
      registers_(other.registers_),
      parameter_sizes_(std::move(other.parameter_sizes_)) {}

/// The driver reads as many bytes as the cubin says, wherever the parameters lie.
void Kernel::compare(const Parameters& parameters) const {
    if (parameter_sizes_.empty()) return;
    if (parameters.count() + 2 != parameter_sizes_.size())
        throw InputError(
            fmt::format("kernel {} was compiled with {} parameters, two of them scratch, and is given {}",
                        name_, parameter_sizes_.size(), parameters.count()));
    for (size_t i = 0; i < parameters.count(); ++i) {
        if (parameters.size(i) != parameter_sizes_[i])
            throw InputError(fmt::format("parameter {} of kernel {} has {} bytes, not {}", i, name_,
                                         parameter_sizes_[i], parameters.size(i)));
    }
}

void Kernel::launch(Grid grid, Parameters& parameters, CUstream stream, uint64_t global_scratch) const {
    check_grid(name_, grid, num_ctas_);
    compare(parameters);
    if (empty(grid)) return;
    uint64_t profile_scratch = 0;
    std::vector<void*> addresses = parameters.addresses();
    addresses.push_back(&global_scratch);
    addresses.push_back(&profile_scratch);

    std::array<CUlaunchAttribute, 3> attributes;
    CUlaunchConfig config{};
    config.gridDimX = static_cast<unsigned>(grid[0]) * num_ctas_;
    config.gridDimY = static_cast<unsigned>(grid[1]);
    config.gridDimZ = static_cast<unsigned>(grid[2]);
    config.blockDimX = kWarp * num_warps_;
    config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = shared_;
    config.hStream = stream;
    config.attrs = attributes.data();
    if (cooperative_) {
        CUlaunchAttribute& cooperative = attributes[config.numAttrs++] =
            launch_attribute(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
        cooperative.value.cooperative = 1;
    }
    if (num_ctas_ != 1) {
        CUlaunchAttribute& cluster = attributes[config.numAttrs++] =
            launch_attribute(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
        cluster.value.clusterDim.x = num_ctas_;
        cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
        CUlaunchAttribute& policy = attributes[config.numAttrs++] =
            launch_attribute(CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
        policy.value.clusterSchedulingPolicyPreference = CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
    }
    const CUresult result = driver().cuLaunchKernelEx(&config, function_, addresses.data(), nullptr);
    if (result != CUDA_SUCCESS) throw Error(result, "cuLaunchKernelEx(" + name_ + ")");
}

int64_t Kernel::scratch_bytes(Grid grid) const {
    check_grid(name_, grid, num_ctas_);
    int64_t bytes = scratch_size_;
    for (const int64_t factor : {grid[0], grid[1], grid[2], static_cast<int64_t>(num_ctas_)}) {
        if (__builtin_mul_overflow(bytes, factor, &bytes))
            throw InputError(fmt::format("kernel {} needs more scratch memory than there is", name_));
    }
    return bytes;
}

}  // namespace tritonsmith::cuda
