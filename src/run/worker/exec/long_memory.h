#pragma once

#include <cstdint>
#include <vector>

#include "plan/ir/plan.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Recurrent layers forget what came long ago, as they are initialised: a kernel that computes the last steps
/// alone is right. Here every second unit remembers: gates that keep the state (an LSTM's f, a GRU's z) are
/// open by their bias, a unit of tanh is a latch (three times its state, which holds one of two values
/// against small inputs), one of relu adds up.
class LongMemory {
  public:
    explicit LongMemory(const plan::Plan& plan);
    /// The weight, if it decides how long such a layer remembers.
    void apply(const plan::Tensor& weight, Memory& memory) const;

  private:
    enum class Kind : uint8_t { none, lstm, gru, tanh, relu };
    struct Role {
        Kind kind;
        int buffer;
        int64_t offset;
    };
    std::vector<Role> roles_;
};

}  // namespace tritonsmith::run
