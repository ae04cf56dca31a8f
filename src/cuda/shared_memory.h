#pragma once

#include <cuda.h>

#include <cstdint>

#include "base/process/process.h"

namespace tritonsmith::cuda {

/// Device memory that several processes map: one creates it and hands out a descriptor, the others import
/// that. It lives until the last of them has let go, whoever that is. Only its maker can write it: a kernel
/// of another process that tries is an illegal access there (where the driver can do that). A context of the
/// device must be current wherever this is made or destroyed, and no work on it may be under way when it is
/// destroyed. Movable; not thread-safe.
class SharedMemory {
  public:
    /// @throws InputError (bytes < 1), Error (out of memory; a device that cannot share)
    static SharedMemory create(int device, int64_t bytes);
    /// @param fd from export_fd() of another process; stays the caller's, who may close it at once.
    /// @param bytes as they were created. @throws Error where the memory is smaller, or the descriptor is
    /// none of device memory.
    static SharedMemory import(int device, int fd, int64_t bytes);
    ~SharedMemory();
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;

    uint64_t address() const { return address_; }
    int64_t bytes() const { return bytes_; }
    /// A descriptor for other processes, close-on-exec. @throws Error
    Fd export_fd() const;

  private:
    SharedMemory() = default;
    void map(int device, CUmemAccess_flags flags);
    void release();

    CUmemGenericAllocationHandle handle_ = 0;
    bool has_handle_ = false, mapped_ = false;
    CUdeviceptr address_ = 0;
    int64_t bytes_ = 0;
    size_t reserved_ = 0;  ///< bytes_ rounded up to the device's granularity
};

}  // namespace tritonsmith::cuda
