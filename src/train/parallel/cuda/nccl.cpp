#include "train/parallel/cuda/nccl.h"

#include <dlfcn.h>

#include <string>

#include "base/error.h"

namespace tritonsmith::train {
namespace {

template <class Function>
void find_function(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    if (function == nullptr) throw MachineError(std::string("libnccl.so.2 has no ") + name);
}

Nccl load_nccl() {
    void* handle = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
        throw MachineError(
            "several GPUs need libnccl.so.2, which comes with torch for CUDA: install that torch");
    Nccl nccl;
    find_function(handle, "ncclGetUniqueId", nccl.get_unique_id);
    find_function(handle, "ncclCommInitRank", nccl.init_rank);
    find_function(handle, "ncclCommDestroy", nccl.destroy);
    find_function(handle, "ncclAllReduce", nccl.all_reduce);
    find_function(handle, "ncclReduceScatter", nccl.reduce_scatter);
    find_function(handle, "ncclAllGather", nccl.all_gather);
    find_function(handle, "ncclBroadcast", nccl.broadcast);
    find_function(handle, "ncclGetErrorString", nccl.error_text);
    return nccl;
}

}  // namespace

const Nccl& Nccl::library() {
    static const Nccl loaded = load_nccl();
    return loaded;
}

}  // namespace tritonsmith::train
