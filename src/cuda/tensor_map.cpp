#include "cuda/tensor_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cuda/driver.h"

namespace tritonsmith::cuda {
namespace {

int64_t number(const Json& value, const char* name, int64_t least, int64_t most) {
    if (value.is_number_integer()) {
        const int64_t found = value.get<int64_t>();
        if (found >= least && found <= most) return found;
    }
    throw InputError(fmt::format("the compiled kernel's tensordesc_meta has an impossible {}", name));
}

int64_t entry(const Json& meta, const char* name, int64_t least, int64_t most) {
    return number(meta.value(name, Json()), name, least, most);
}

/// Triton's enumeration of element types on the device differs from the driver's in three places
/// (TMA_DTYPE_DEVICE_TO_HOST).
CUtensorMapDataType host_type(int64_t device_type) {
    const int64_t host = device_type == 8                        ? 10
                         : device_type == 9 || device_type == 10 ? device_type - 1
                                                                 : device_type;
    return static_cast<CUtensorMapDataType>(host);
}

uint64_t times(uint64_t a, uint64_t b, const char* what) {
    uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        throw InputError(fmt::format("a tensor descriptor's {} overflows", what));
    return product;
}

}  // namespace

TensorMapRequest tensor_map_request(const plan::Descriptor& descriptor, const Json& meta, uint64_t address) {
    if (!meta.is_object())
        throw InputError("the compiled kernel has no tensordesc_meta for a tensor descriptor");
    const Json blocks = meta.value("block_size", Json());
    const size_t rank = blocks.is_array() ? blocks.size() : 0;
    const plan::Tensor& base = descriptor.base;
    if (rank < 1 || rank > 5 || base.shape.size() != rank || base.stride.size() != rank)
        throw InputError(fmt::format("a tensor descriptor of rank {} meets a kernel compiled for rank {}",
                                     base.shape.size(), rank));
    if (base.stride.back() != 1)
        throw InputError(fmt::format("a tensor descriptor's last stride is {}, not 1", base.stride.back()));
    const auto element_size = static_cast<uint64_t>(entry(meta, "elem_size", 1, 16));
    const Json padded = meta.value("fp4_padded", Json());
    TensorMapRequest request;
    request.type = host_type(entry(meta, "elem_type", 0, 15));
    request.rank = static_cast<uint32_t>(rank);
    request.address = address;
    request.swizzle = static_cast<CUtensorMapSwizzle>(entry(meta, "swizzle", 0, 6));
    request.fill = descriptor.padding == "nan" ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                               : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    for (size_t i = 0; i < rank; ++i) {
        const size_t inner = rank - 1 - i;
        if (base.shape[i] < 0 || base.stride[i] < 0)
            throw InputError("a tensor descriptor has a negative size or stride");
        request.box[inner] = static_cast<uint32_t>(number(blocks[i], "block_size", 1, 1 << 16));
        request.sizes[inner] = static_cast<uint64_t>(base.shape[i]);
        if (i + 1 < rank)
            request.strides[inner - 1] = times(element_size, static_cast<uint64_t>(base.stride[i]), "stride");
    }
    if (padded.is_boolean() && padded.get<bool>()) request.sizes[0] = times(request.sizes[0], 2, "size");
    request.strides[rank - 1] =
        times(request.sizes[rank - 1], rank == 1 ? element_size : request.strides[rank - 2], "extent");
    return request;
}

CUtensorMap encode_tensor_map(const TensorMapRequest& request) {
    alignas(64) CUtensorMap map{};
    const CUresult result = driver().cuTensorMapEncodeTiled(
        &map, request.type, request.rank, reinterpret_cast<void*>(request.address), request.sizes.data(),
        request.strides.data(), request.box.data(), request.steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
        request.swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, request.fill);
    if (result == CUDA_SUCCESS) return map;
    const auto some = [&](const auto& list) {
        return fmt::join(list.begin(), list.begin() + request.rank, ", ");
    };
    throw Error(result,
                fmt::format("cuTensorMapEncodeTiled(type {}, address {:#x}, sizes [{}], strides [{}] bytes, "
                            "box [{}], swizzle {})",
                            static_cast<int>(request.type), request.address, some(request.sizes),
                            some(request.strides), some(request.box), static_cast<int>(request.swizzle)));
}

}  // namespace tritonsmith::cuda
