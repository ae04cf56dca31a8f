#pragma once

#include <optional>
#include <vector>

#include "model/attention.h"
#include "model/paged_attention.h"
#include "rollout/executor.h"
#include "rollout/paged_cache.h"

namespace tritonsmith::rollout {

/// Attention of one step on the CPU: keys and values of the step's tokens go into the cache, and each query
/// sees those of its own sequence up to itself.
class CpuPagedAttention : public model::Attention {
  public:
    /// All must outlive this.
    CpuPagedAttention(PagedCache& cache, const model::Heads& heads, const std::vector<Segment>& segments);
    std::optional<model::PagedCache> cache(int layer) override;
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

  private:
    PagedCache& cache_;
    const model::Heads heads_;
    std::vector<model::PagedSequence> sequences_;
    at::Tensor slots_;  ///< [tokens] int64
};

}  // namespace tritonsmith::rollout
