#include "cuda/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "cuda/driver.h"

namespace tritonsmith::cuda {
namespace {

CUmemLocation on(int device) {
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device;
    return location;
}

CUmemAllocationProp shareable(int device) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location = on(device);
    return properties;
}

size_t rounded_up(int device, int64_t bytes) {
    if (bytes < 1) throw InputError(fmt::format("shared device memory of {} bytes", bytes));
    const CUmemAllocationProp properties = shareable(device);
    size_t unit = 0;
    TRITONSMITH_CU(cuMemGetAllocationGranularity, &unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    return (static_cast<size_t>(bytes) + unit - 1) / unit * unit;
}

}  // namespace

SharedMemory SharedMemory::create(int device, int64_t bytes) {
    SharedMemory memory;
    memory.bytes_ = bytes;
    memory.reserved_ = rounded_up(device, bytes);
    const CUmemAllocationProp properties = shareable(device);
    TRITONSMITH_CU(cuMemCreate, &memory.handle_, memory.reserved_, &properties, 0);
    memory.has_handle_ = true;
    memory.map(device, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    return memory;
}

SharedMemory SharedMemory::import(int device, int fd, int64_t bytes) {
    SharedMemory memory;
    memory.bytes_ = bytes;
    memory.reserved_ = rounded_up(device, bytes);
    TRITONSMITH_CU(cuMemImportFromShareableHandle, &memory.handle_,
                   reinterpret_cast<void*>(static_cast<uintptr_t>(fd)),
                   CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    memory.has_handle_ = true;
    memory.map(device, CU_MEM_ACCESS_FLAGS_PROT_READ);  // fails where the allocation is smaller
    return memory;
}

void SharedMemory::map(int device, CUmemAccess_flags flags) {
    TRITONSMITH_CU(cuMemAddressReserve, &address_, reserved_, 0, 0, 0);
    TRITONSMITH_CU(cuMemMap, address_, reserved_, 0, handle_, 0);
    mapped_ = true;
    CUmemAccessDesc access{};
    access.location = on(device);
    access.flags = flags;
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_READ &&
        driver().cuMemSetAccess(address_, reserved_, &access, 1) == CUDA_SUCCESS)
        return;
    // A driver that knows no memory to read alone.
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    TRITONSMITH_CU(cuMemSetAccess, address_, reserved_, &access, 1);
}

Fd SharedMemory::export_fd() const {
    int fd = -1;
    TRITONSMITH_CU(cuMemExportToShareableHandle, &fd, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return Fd(fd);
}

void SharedMemory::release() {
    if (mapped_) driver().cuMemUnmap(address_, reserved_);
    if (address_) driver().cuMemAddressFree(address_, reserved_);
    if (has_handle_) driver().cuMemRelease(handle_);
    mapped_ = has_handle_ = false;
    address_ = 0;
}

SharedMemory::~SharedMemory() {
    release();
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept {
    *this = std::move(other);
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    if (this == &other) return *this;
    release();
    handle_ = std::exchange(other.handle_, 0);
    has_handle_ = std::exchange(other.has_handle_, false);
    mapped_ = std::exchange(other.mapped_, false);
    address_ = std::exchange(other.address_, 0);
    bytes_ = std::exchange(other.bytes_, 0);
    reserved_ = std::exchange(other.reserved_, 0);
    return *this;
}

}  // namespace tritonsmith::cuda
