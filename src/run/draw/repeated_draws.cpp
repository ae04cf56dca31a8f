#include "run/draw/repeated_draws.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/pointwise.h"
#include "run/draw/draw.h"

namespace tritonsmith::run {

namespace {

/// Where a buffer's elements come from.
struct Provenance {
    std::set<int> draws;      ///< ordinals
    int64_t elements = 0;     ///< of the largest of these
    bool by_element = false;  ///< from real draws, by copies and pointwise operators
    bool copied = false;      ///< of one of them, by copies and operators of one tensor
};

bool rearranges(const std::string& base) {
    static const std::set<std::string> names{"aten::repeat", "aten::tile", "aten::cat", "aten::stack",
                                             "aten::expand_copy"};
    return names.contains(base);
}

bool works_on_elements(const plan::AtenStep& step, const std::string& base) {
    if (plan::op_is(step.op, aten::Trait::compares) || plan::binary_function(base)) return true;
    try {
        return plan::pointwise(step.op, 0.5, plan::StepArguments(step)).has_value();
    } catch (const plan::CannotEvaluate&) {
        return false;
    }
}

class Provenances {
  public:
    explicit Provenances(const plan::Plan& plan) {
        for (const plan::Step& step : plan.steps)
            if (const auto* aten = std::get_if<plan::AtenStep>(&step.what);
                aten && step.phase == plan::Phase::inputs)
                visit(*aten);
    }
    Provenance of(int buffer) const {
        const auto found = of_.find(buffer);
        return found == of_.end() ? Provenance{} : found->second;
    }

  private:
    void visit(const plan::AtenStep& step) {
        const plan::OpClass kind = plan::op_class(step.op);
        if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) return;
        const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
        Provenance made;
        if (step.draw >= 0) {
            const std::optional<StepLaw> law = step_law(step);
            made.draws = {step.draw};
            made.by_element = made.copied = law && law->variant_applies && results.size() == 1;
            if (!results.empty()) made.elements = plan::element_count(results[0]);
        } else {
            made = combined(step, kind);
        }
        for (const plan::Tensor& result : results) of_[result.buffer] = made;
    }

    Provenance combined(const plan::AtenStep& step, plan::OpClass kind) const {
        const std::string base = plan::base_name(step.op);
        Provenance out;
        out.by_element = out.copied =
            kind == plan::OpClass::copy || rearranges(base) || works_on_elements(step, base);
        std::set<int> read;
        // A copy replaces all of its first argument that it writes.
        const bool replaces = base == "aten::copy" || base == "aten::copy_";
        for (size_t i = replaces ? 1 : 0; i < step.args.size(); ++i)
            for (const plan::Tensor& tensor : plan::tensors_in(step.args[i])) read.insert(tensor.buffer);
        for (int buffer : read) {
            const Provenance from = of(buffer);
            out.draws.insert(from.draws.begin(), from.draws.end());
            out.elements = std::max(out.elements, from.elements);
            out.by_element = out.by_element && (from.by_element || from.draws.empty());
            out.copied = out.copied && from.copied;
        }
        out.copied = out.copied && read.size() == 1 && out.draws.size() == 1;
        out.by_element = out.by_element && !out.draws.empty();
        return out;
    }

    std::map<int, Provenance> of_;  ///< by buffer
};

}  // namespace

std::vector<RepeatedDraw> repeated_draws(const plan::Plan& plan) {
    constexpr int64_t kMostParts = 4;
    const Provenances provenances(plan);
    std::vector<RepeatedDraw> out;
    std::map<int, int> first;  // of draws: the buffer of the input that has it first
    const std::vector<plan::Tensor> inputs = plan::tensors_in(plan.inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Provenance provenance = provenances.of(inputs[i].buffer);
        if (!provenance.by_element) continue;
        const bool again = std::any_of(provenance.draws.begin(), provenance.draws.end(), [&](int draw) {
            return first.emplace(draw, inputs[i].buffer).first->second != inputs[i].buffer;
        });
        const int64_t parts = provenance.copied && provenance.elements > 0
                                  ? plan::element_count(inputs[i]) / provenance.elements
                                  : 1;
        if (again || parts > 1)
            out.push_back({i, static_cast<int>(std::clamp<int64_t>(parts, 1, kMostParts))});
    }
    return out;
}

}  // namespace tritonsmith::run
