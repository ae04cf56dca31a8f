#include "plan/analysis/reference.h"

#include <algorithm>

#include "plan/analysis/flow.h"
#include "plan/analysis/range_map.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

struct Computed {
    bool yes = false;
    void join(const Computed& other) { yes |= other.yes; }
};

}  // namespace

bool moves_only(const Plan& reference) {
    std::vector<Executed> steps = executed_steps(reference);
    return std::all_of(steps.begin(), steps.end(), [](const Executed& executed) {
        if (executed.step->phase != Phase::forward) return true;
        if (std::holds_alternative<LaunchStep>(executed.step->what)) return false;
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten) return true;
        OpClass kind = op_class(aten->op);
        return (kind != OpClass::compute && kind != OpClass::draw) || rearranges(aten->op);
    });
}

std::vector<bool> uncomputed_outputs(const Plan& reference) {
    RangeMap<Computed> computed;
    for (const Executed& executed : executed_steps(reference)) {
        if (executed.step->phase != Phase::forward) continue;
        for (const ByteRange& range : flow_of(reference, *executed.step, {}).writes)
            computed.write(range, {true});
    }
    std::vector<bool> out;
    for (const Tensor& tensor : tensors_in(reference.output))
        out.push_back(!computed.get(byte_range(tensor)).yes);
    return out;
}

namespace {

/// What a reference's outputs depend on. @param weights_and_draws count, beside the inputs
std::vector<bool> outputs_that_depend(const Plan& reference, bool weights_and_draws) {
    RangeMap<Computed> depends;
    for (const Buffer& buffer : reference.buffers)
        if (buffer.kind == BufferKind::input) depends.set({buffer.id, 0, buffer.bytes, true}, {true});
    // Weights stay what they are: a constructor's constant may be replaced by linked values. A reference's
    // inputs are what steps of their own make.
    RangeMap<Computed> given;
    for (const Tensor& tensor : tensors_in(reference.inputs)) given.set(byte_range(tensor), {true});
    if (weights_and_draws)
        for (const Weight& weight : reference.weights) given.set(byte_range(weight.tensor), {true});
    for (const Executed& executed : executed_steps(reference)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten) continue;
        Flow flow = flow_of(*aten);
        Computed any{weights_and_draws && (aten->draw >= 0 || op_class(aten->op) == OpClass::draw)};
        for (const ByteRange& range : flow.reads) {
            any.join(depends.get(range));
            any.join(given.get(range));
        }
        for (const ByteRange& range : flow.writes) depends.write(range, any);
    }
    std::vector<bool> out;
    for (const Tensor& tensor : tensors_in(reference.output)) {
        const ByteRange range = byte_range(tensor);
        out.push_back(depends.get(range).yes || given.get(range).yes);
    }
    return out;
}

}  // namespace

std::vector<bool> constant_outputs(const Plan& reference) {
    std::vector<bool> out = outputs_that_depend(reference, true);
    out.flip();
    return out;
}

std::vector<bool> outputs_of_inputs(const Plan& reference) {
    return outputs_that_depend(reference, false);
}

}  // namespace tritonsmith::plan
