#include "judge/sampling/sampled.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/hash.h"
#include "base/json.h"
#include "judge/elements/element_oracle.h"
#include "judge/sampling/leaf_values.h"
#include "plan/analysis/flow.h"
#include "plan/analysis/reduction.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

/// Of all outputs of a run together, beyond the least number of elements of each.
constexpr std::chrono::milliseconds kOracleTime{60}, kOracleTimeOfOthers{10};
constexpr size_t kLeast = 36, kLeastOfOthers = 3;
constexpr int64_t kLargestTile = 1 << 14;

bool narrow_outputs(const plan::Plan& reference) {
    const std::vector<plan::Tensor> outputs = plan::tensors_in(reference.output);
    return std::any_of(outputs.begin(), outputs.end(), [](const plan::Tensor& t) {
        return plan::is_floating(t.dtype) && plan::element_size(t.dtype) < 4;
    });
}

/// The oracle on one draw of inputs and weights.
class Oracle {
  public:
    Oracle(const plan::Plan& reference, const SampledTask& task, const run::Leaves::Options& options,
           numerics::Precision precision)
        : reference_(reference),
          task_(task),
          options_(options),
          precision_(precision),
          draw_(run::describe(options)) {}

    Expecting of(const SampledOutput& output) {
        return {[this, &output](int64_t index) {
                    return task_.elements->get(draw_, output.name, index,
                                               [&] { return made().elements.element(output.want, index); });
                },
                [this, &output](int64_t index, size_t most) {
                    return made().elements.noisy(output.want, index, most);
                }};
    }

  private:
    struct Made {
        Made(const plan::Plan& reference, const run::Leaves::Options& options, numerics::Precision precision)
            : leaves(reference, options),
              values(reference, leaves),
              elements(
                  reference, [this](const plan::Tensor& t, int64_t at) { return values.element(t, at); },
                  [this](const plan::Tensor& t, int64_t at, int64_t stride, std::span<double> out) {
                      return values.line(t, at, stride, out);
                  },
                  precision) {}
        run::Leaves leaves;
        LeafValues values;
        ElementOracle elements;
    };
    Made& made() {
        if (!made_) made_ = std::make_unique<Made>(reference_, options_, precision_);
        return *made_;
    }

    const plan::Plan& reference_;
    const SampledTask& task_;
    const run::Leaves::Options& options_;
    numerics::Precision precision_;
    std::string draw_;
    std::unique_ptr<Made> made_;  ///< where nobody has asked for an element before
};

/// In turn of those drawn over all of a tensor and those that the sample's own programs wrote.
std::vector<run::SampledElement> in_turn(const run::SampledTensor& tensor) {
    std::vector<run::SampledElement> drawn, others, out;
    for (const run::SampledElement& e : tensor.elements) (e.of_sample ? others : drawn).push_back(e);
    for (size_t i = 0; i < std::max(drawn.size(), others.size()); i++) {
        if (i < drawn.size()) out.push_back(drawn[i]);
        if (i < others.size()) out.push_back(others[i]);
    }
    return out;
}

}  // namespace

SampledTask sampled_task(const plan::Plan& reference) {
    SampledTask task{run::leaf_plan(reference), "", narrow_outputs(reference),
                     plan::longest_reduction(reference)};
    task.id = sha256(dump(plan::to_json(task.leaves)));
    return task;
}

SampledTensors sampled_tensors(const plan::Plan& reference, const SampledTask& task,
                               const plan::Plan& candidate, const std::map<std::string, std::string>& links,
                               const run::Leaves::Options& leaves) {
    SampledTensors out;
    const std::set<int> written = written_in_forward(reference);
    const std::vector<plan::Tensor> inputs = plan::tensors_in(reference.inputs);
    for (size_t i = 0; i < inputs.size(); i++)
        if (written.contains(inputs[i].buffer)) out.may_change.push_back("input/" + std::to_string(i));
    for (const plan::Weight& weight : reference.weights)
        for (const auto& [ours, theirs] : links)
            if (theirs == weight.name && written.contains(weight.tensor.buffer))
                out.may_change.push_back("weight/" + ours);
    out.outputs = sampled_outputs(reference, candidate);
    Oracle oracle(reference, task, leaves, numerics::Precision::defaults);
    for (const SampledOutput& output : out.outputs) {
        const int64_t middle = plan::element_count(output.got) / 2;
        const bool comparable = output.comparable && oracle.of(output).element(middle);
        out.names.push_back({output.name, comparable});
    }
    return out;
}

int64_t SampledOutputEvidence::tiles() const {
    return std::max(programs, (elements + kLargestTile - 1) / kLargestTile);
}

double SampledOutputEvidence::missed() const {
    const auto all = static_cast<double>(tiles());
    if (all < 1) return 1;
    // Programs that were seen are no tiles of their own where each writes many.
    const double by_elements = std::pow(1 - 1 / all, static_cast<double>(drawn));
    if (programs < tiles()) return by_elements;
    return std::min(by_elements, std::max(0.0, 1 - static_cast<double>(seen.size()) / all));
}

std::optional<double> SampledOutputEvidence::unwritten_share() const {
    if (looked_at == 0) return std::nullopt;
    return static_cast<double>(unwritten) / static_cast<double>(looked_at);
}

const SampledOutputEvidence* SampledEvidence::worst() const {
    const SampledOutputEvidence* out = nullptr;
    for (const SampledOutputEvidence& output : outputs)
        if (!out || output.missed() > out->missed()) out = &output;
    return out;
}

Json SampledEvidence::json() const {
    Json out{{"programs", programs},          {"launches", launches}, {"launches_sampled", launches_sampled},
             {"elements_compared", compared}, {"input_sets", sets},   {"outputs", Json::array()}};
    for (const SampledOutputEvidence& output : outputs) {
        const std::optional<double> unwritten = output.unwritten_share();
        out["outputs"].push_back({{"output", output.name},
                                  {"elements", output.elements},
                                  {"compared", output.compared},
                                  {"looked_at", output.looked_at},
                                  {"unwritten_share", unwritten ? Json(*unwritten) : Json()}});
    }
    if (const auto* missed = worst())
        out["one_wrong_tile"] = {{"of", missed->tiles()}, {"missed", missed->missed()}};
    return out;
}

std::optional<Finding> check_sample(const plan::Plan& reference, const SampledTask& task,
                                    const SampledTensors& tensors, const run::SampleRun& run,
                                    const run::SampleRunResult& result, const SampledBound& bound, int times,
                                    SampledEvidence& evidence) {
    evidence.programs += result.programs;
    evidence.launches = std::max(evidence.launches, result.launches);
    evidence.launches_sampled = std::max(evidence.launches_sampled, result.launches_sampled);
    evidence.outputs.resize(tensors.outputs.size());
    if (!result.findings.empty()) return result.findings.front();
    Oracle oracle(reference, task, run.leaves, bound.precision);
    const auto deadline =
        std::chrono::steady_clock::now() + times * (bound.own_law ? kOracleTime : kOracleTimeOfOthers);
    const int64_t before = evidence.compared;
    for (size_t t = 0; t < std::min(result.tensors.size(), tensors.outputs.size()); t++) {
        const SampledOutput& output = tensors.outputs[t];
        const run::SampledTensor& found = result.tensors[t];
        SampledOutputEvidence& seen = evidence.outputs[t];
        seen.name = output.name;
        seen.elements = plan::element_count(output.got);
        seen.looked_at += found.looked_at;
        seen.unwritten += found.unwritten;
        seen.programs = std::max(seen.programs, found.tiles);
        if (!tensors.names[t].comparable) continue;
        SampledComparison comparison = compare_sampled(output, in_turn(found), oracle.of(output), bound,
                                                       bound.own_law ? kLeast : kLeastOfOthers, deadline);
        evidence.compared += comparison.compared;
        seen.compared += comparison.compared;
        seen.drawn += comparison.drawn;
        seen.seen.merge(comparison.tiles);
        if (comparison.finding) return comparison.finding;
    }
    evidence.sets += evidence.compared > before;
    return std::nullopt;
}

}  // namespace tritonsmith::judge
