#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "data/synth/pair.h"
#include "data/synth/tally.h"
#include "judge/judge.h"

namespace tritonsmith::data {

struct VerifyOptions {
    judge::Paths paths;
    judge::Options judge;
    int jobs = 1;     ///< judgements at a time
    int repairs = 0;  ///< broken solutions that are tried for a pair
    uint64_t seed = 0;
};

/// Leaves the solutions that the judge accepts and the pairs that have one; counts why others went. Of
/// accepted solutions it makes broken ones, and keeps those that are rejected with the judge's feedback:
/// repairs.
class Verifier {
  public:
    explicit Verifier(VerifyOptions options);
    /// @param judged is called behind each pair, by any thread
    /// @throws MachineError where this machine could not judge one: nothing is known of that pair then
    void verify(std::vector<Pair>& pairs, Tally& tally, const std::function<void()>& judged,
                const std::atomic<bool>& stopped);

  private:
    VerifyOptions options_;
    judge::Judge judge_;
};

}  // namespace tritonsmith::data
