#pragma once

#include <string>
#include <vector>

#include "judge/verdict/options.h"

namespace tritonsmith::bench {

/// Under what rules answers are judged. A run may have several, side by side.
///
/// - `robust`: the judge's own rules.
/// - `relaxed`: PyTorch operators beside the candidate's own kernels are allowed (AutoTriton's rule).
/// - `kernelbench`: relaxed, with the tolerance of KernelBench's published check (1e-2, products in TF32
///   allowed). Inputs, memory checks and timing stay the judge's, so that its rates are not the published
///   script's.
/// - `kernelbench-trials`: not the judge, but KernelBench's published check (bench/tests/trials.h).
/// - `tritonbench`: not the judge, but the problem's own tests (bench/tests): call and execution accuracy.
struct Protocol {
    std::string name;

    bool by_trials() const { return name == "kernelbench-trials"; }
    /// Answers are run as written, with tests: no judge.
    bool by_tests() const { return name == "tritonbench" || by_trials(); }
    judge::Options applied_to(judge::Options options) const;
    static const char* describe(const std::string& name);
};

/// "robust,relaxed". @throws InputError for a name that is none
std::vector<Protocol> parse_protocols(const std::string& names);

}  // namespace tritonsmith::bench
