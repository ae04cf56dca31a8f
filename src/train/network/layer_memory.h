#pragma once

#include <cstdint>

namespace tritonsmith::train {

/// Where layers' weights and gradients are while a pass uses them. This one: in memory, always. Calls for one
/// layer come in this order; in a backward pass all four, else the first two.
class LayerMemory {
  public:
    virtual ~LayerMemory() = default;
    /// The layer's weights are in memory from here on. @param next the layer that will be fetched then; -1:
    /// none
    virtual void fetch(int64_t /*layer*/, int64_t /*next*/) {}
    /// Gradients of its weights are in memory, and zero where they are not kept.
    virtual void begin_gradients(int64_t /*layer*/) {}
    /// They hold what this pass adds.
    virtual void end_gradients(int64_t /*layer*/) {}
    /// Its weights are not read again before the next fetch().
    virtual void release(int64_t /*layer*/) {}
};

}  // namespace tritonsmith::train
