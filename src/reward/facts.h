#pragma once

#include <optional>

#include "judge/verdict/verdict.h"
#include "reward/cost_model.h"
#include "text/prompt/response.h"

namespace tritonsmith::reward {

/// What rewards are made of.
struct Facts {
    bool format = false;     ///< a program in a closed block, and nothing was cut off
    bool is_triton = false;  ///< AutoTriton's rule: the program has a @triton.jit function
    bool syntax = false;     ///< TritonRL's: valid Python with @triton.jit kernels
    bool functional =
        false;  ///< the judge's policy: own kernels do the work (TritonRL: a linter and a model)
    bool compiled = false;
    bool correct = false;
    std::optional<double> speedup;       ///< eager PyTorch's time over the candidate's
    std::optional<double> best_speedup;  ///< the better of eager's and torch.compile's over the candidate's
    bool estimated = false;              ///< both are the cost model's

    bool valid() const { return syntax && functional; }
};

/// @param verdict of the answer's program @param model in place of a measured speedup; null: none
Facts facts_of(const text::Response& answer, const judge::Verdict& verdict, const CostModel* model = nullptr);
Json to_json(const Facts& facts);

/// What a check other than the judge says of a program.
struct CheckResult {
    bool ran = false;    ///< to its end
    bool right = false;  ///< with the right outputs
};
Json to_json(const CheckResult& check);
/// The facts as that check sees them: it has no policy, and its word on correctness counts.
Facts as_checked(Facts facts, const CheckResult& check);

}  // namespace tritonsmith::reward
