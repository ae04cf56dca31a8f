#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/executor/executor.h"
#include "model/attention.h"
#include "model/cpu/paged_attention.h"

namespace tritonsmith::engine {

/// Attention of one step on the CPU: keys and values of the step's tokens go into the cache, and each query
/// sees those of its own sequence up to itself.
class CpuPagedAttention : public model::Attention {
  public:
    /// All must outlive this. @param layers of the cache, without slots
    CpuPagedAttention(std::span<const model::PagedCache> layers, const model::Heads& heads,
                      const std::vector<Segment>& segments);
    std::optional<model::PagedCache> cache(int layer) override;
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

  private:
    const std::span<const model::PagedCache> layers_;
    const model::Heads heads_;
    std::vector<model::PagedSequence> sequences_;
    at::Tensor slots_;  ///< [tokens] int64
};

}  // namespace tritonsmith::engine
