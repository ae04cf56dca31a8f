#pragma once

#include <memory>

#include "engine/executor/executor.h"
#include "engine/kv_cache/paged_cache.h"
#include "model/model.h"

namespace tritonsmith::engine {

struct CudaExecutorOptions {
    int64_t cache_bytes = 0;  ///< 0: what is free on the device, less what a step needs
    int block_size = 64;
    int max_batch = 256;
    int chunk_tokens = 8192;
    CacheDtype cache_dtype = CacheDtype::activations;
    bool share_prefixes = true;  ///< blocks that rows share are read once where that is faster
    bool graphs = true;          ///< decoding is recorded once for each batch size, and replayed
};

/// Computes prompts by flash attention, and answers by the paged kernels of src/kernels in CUDA graphs. If
/// the model is `exact`, a sample's results do not depend on what else is computed. @param model in bfloat16
/// or float16, on a GPU; must outlive it
/// @throws InputError (another dtype; weights or a cache in fp8 on a device below compute capability 8.9),
/// MachineError (no kernels, too little memory)
std::unique_ptr<Executor> cuda_executor(const model::Model& model, const CudaExecutorOptions& options);

}  // namespace tritonsmith::engine
