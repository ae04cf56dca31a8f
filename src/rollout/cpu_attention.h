#pragma once

#include <vector>

#include "model/attention.h"
#include "rollout/executor.h"
#include "rollout/paged_cache.h"

namespace tritonsmith::rollout {

/// Attention of one step on the CPU: keys and values of the step's tokens go into the cache, and each query
/// sees those of its own sequence up to itself.
class CpuPagedAttention : public model::Attention {
  public:
    /// All must outlive this.
    CpuPagedAttention(PagedCache& cache, const model::Heads& heads, const std::vector<Segment>& segments);
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

  private:
    struct Task {
        const Segment* segment = nullptr;
        int64_t row = 0;          ///< of the segment's first token, in the step
        int first = 0, last = 0;  ///< tokens of the segment
        int64_t key_head = 0;
    };
    void store(int layer, const float* qkv);
    void attend(int layer, const Task& task, const float* qkv, float* out) const;

    PagedCache& cache_;
    const model::Heads heads_;
    const std::vector<Segment>& segments_;
    std::vector<Task> tasks_;
};

}  // namespace tritonsmith::rollout
