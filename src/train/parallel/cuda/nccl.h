#pragma once

#include <cstddef>

namespace tritonsmith::train {

/// The part of nccl.h that is used. NCCL is the library that torch brings, found at run time: nothing links
/// it.
struct Nccl {
    struct UniqueId {
        char bytes[128];
    };
    using Comm = void*;
    enum DataType : int { float16 = 6, float32 = 7, bfloat16 = 9 };
    static constexpr int sum = 0;

    int (*get_unique_id)(UniqueId*) = nullptr;
    int (*init_rank)(Comm*, int ranks, UniqueId, int rank) = nullptr;
    int (*destroy)(Comm) = nullptr;
    int (*all_reduce)(const void*, void*, size_t, DataType, int operation, Comm, void* stream) = nullptr;
    int (*reduce_scatter)(const void*, void*, size_t, DataType, int operation, Comm, void* stream) = nullptr;
    int (*all_gather)(const void*, void*, size_t, DataType, Comm, void* stream) = nullptr;
    int (*broadcast)(const void*, void*, size_t, DataType, int root, Comm, void* stream) = nullptr;
    const char* (*error_text)(int) = nullptr;

    /// @throws MachineError where there is none
    static const Nccl& library();
};

}  // namespace tritonsmith::train
