#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/compare/compare.h"
#include "judge/elements/oracle_cache.h"
#include "judge/sampling/sampled_comparison.h"
#include "plan/ir/plan.h"
#include "run/client/sample_client.h"

namespace tritonsmith::judge {

/// What a worker needs to know of a task whose candidates are sampled at full size.
struct SampledTask {
    plan::Plan leaves;  ///< run::leaf_plan of the reference
    std::string id;
    /// Where outputs are compared with the wide tolerance of narrow types, inputs are uneven draws
    /// (run/draw/draw.h): the mean of a part of a row would lie within it.
    bool uneven = false;
    int64_t longest_reduction = 1;
    std::shared_ptr<OracleCache> elements = std::make_shared<OracleCache>();
};
SampledTask sampled_task(const plan::Plan& reference);

/// The tensors that samples are asked for, with whether the oracle has them.
struct SampledTensors {
    std::vector<SampledOutput> outputs;
    std::vector<run::SampleTensor> names;  ///< of the outputs
    std::vector<std::string> may_change;   ///< run::SampleRequest
};
/// @param links candidate's weight → reference's
SampledTensors sampled_tensors(const plan::Plan& reference, const SampledTask& task,
                               const plan::Plan& candidate, const std::map<std::string, std::string>& links,
                               const run::Leaves::Options& leaves);

/// What samples have shown of one tensor.
struct SampledOutputEvidence {
    std::string name;
    int64_t elements = 0;    ///< that it has
    int64_t compared = 0;    ///< with the oracle
    int64_t drawn = 0;       ///< of these, drawn over the whole tensor
    int64_t looked_at = 0;   ///< elements of which it is known whether some launch may write them
    int64_t unwritten = 0;   ///< of these, written by none
    int64_t programs = 0;    ///< that write it
    std::set<int64_t> seen;  ///< programs of whose elements some were compared

    /// The share that no launch writes, where it is known.
    std::optional<double> unwritten_share() const;
    /// The probability that one wrong tile of `tiles` was missed: a tile is what one program writes, and no
    /// more than 2^14 elements.
    int64_t tiles() const;
    double missed() const;
};

/// What the samples of one configuration have shown so far.
struct SampledEvidence {
    int64_t programs = 0, compared = 0;
    int launches = 0, launches_sampled = 0;
    int sets = 0;  ///< draws of inputs of which something was compared
    std::vector<SampledOutputEvidence> outputs;

    /// Something of every launch was run, and something compared.
    bool complete() const { return launches_sampled == launches && compared > 0; }
    /// The output of which a wrong tile would most likely be missed; null where there is none.
    const SampledOutputEvidence* worst() const;
    Json json() const;
};

/// Holds a worker's answer for one run against the oracle.
/// @param times so many times the usual work
std::optional<Finding> check_sample(const plan::Plan& reference, const SampledTask& task,
                                    const SampledTensors& tensors, const run::SampleRun& run,
                                    const run::SampleRunResult& result, const SampledBound& bound, int times,
                                    SampledEvidence& evidence);

}  // namespace tritonsmith::judge
