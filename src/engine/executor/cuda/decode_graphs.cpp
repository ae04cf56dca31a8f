#include "engine/executor/cuda/decode_graphs.h"

namespace tritonsmith::engine {

DrawnTokens DecodeGraphs::run(const Key& key, const std::function<DrawnTokens()>& compute) {
    if (const auto found = graphs_.find(key); found != graphs_.end()) {
        found->second.graph->replay();
        return found->second.drawn;
    }
    // Run once before it is recorded: libraries choose their kernels and allocate their workspaces now.
    DrawnTokens drawn = compute();
    Recorded recorded;
    recorded.graph = std::make_unique<at::cuda::CUDAGraph>();
    at::cuda::MempoolId_t pool =
        graphs_.empty() ? at::cuda::MempoolId_t{0, 0} : graphs_.begin()->second.graph->pool();
    recorded.graph->capture_begin(pool, cudaStreamCaptureModeThreadLocal);
    try {
        recorded.drawn = compute();
    } catch (...) {
        try {
            recorded.graph->capture_end();
        } catch (const std::exception&) {  // the first error says what happened
        }
        throw;
    }
    recorded.graph->capture_end();
    graphs_.emplace(key, std::move(recorded));
    return drawn;
}

}  // namespace tritonsmith::engine
