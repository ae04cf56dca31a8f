#include "plan/weights/stated_numbers.h"

#include <cstring>
#include <set>
#include <string_view>
#include <unordered_map>

#include "plan/analysis/flow.h"
#include "plan/analysis/range_map.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/pointwise.h"

namespace tritonsmith::plan {
namespace {

/// What bytes hold.
struct Held {
    enum class Kind : uint8_t { nothing, one, some, unknown } kind = Kind::nothing;
    int number = 0;  ///< of one: which it is; what is written by different steps counts as different
    void join(const Held& other) {
        if (other.kind == Kind::nothing) return;
        if (kind == Kind::nothing)
            *this = other;
        else if (kind == Kind::unknown || other.kind == Kind::unknown)
            kind = Kind::unknown;
        else if (kind != other.kind || number != other.number)
            kind = Kind::some;
    }
};

bool writes_one_number(const AtenStep& step) {
    static const std::set<std::string_view> names{"zeros",     "zeros_like", "new_zeros", "zero_",
                                                  "ones",      "ones_like",  "new_ones",  "full",
                                                  "full_like", "new_full",   "fill_",     "scalar_tensor"};
    return names.contains(OpName(step.op).base);
}

/// Each element of the result is made of one element of each argument, in the same way.
bool by_elements(const AtenStep& step) {
    if (op_class(step.op) == OpClass::copy || op_is(step.op, aten::Trait::scalar)) return true;
    if (binary_function(base_name(step.op))) return true;
    try {
        return pointwise(step.op, 0.5, StepArguments(step)).has_value();
    } catch (const CannotEvaluate&) {
        return false;
    }
}

class Construction {
  public:
    explicit Construction(const Plan& plan) {
        for (const Executed& executed : executed_steps(plan)) {
            if (executed.step->phase != Phase::init) continue;
            const auto* aten = std::get_if<AtenStep>(&executed.step->what);
            if (aten) {
                for (const Value& argument : aten->args) note_constants(plan, argument);
                for (const auto& [name, argument] : aten->kwargs) note_constants(plan, argument);
            }
            const Flow flow = flow_of(plan, *executed.step, {});
            const Held made = aten ? held_by(*aten, flow, executed.index) : Held{Held::Kind::unknown, 0};
            for (const ByteRange& range : flow.writes) held_.write(range, made);
        }
        for (const Weight& weight : plan.weights) note_constants(plan, Value{weight.tensor});
    }

    Stated of(const Tensor& tensor) const {
        if (element_count(tensor) == 1) return Stated::one;
        const Held held = held_.get(byte_range(tensor));
        if (held.kind == Held::Kind::one) return Stated::one;
        return held.kind == Held::Kind::some ? Stated::some : Stated::unknown;
    }

  private:
    /// Of the bytes that the plan brings along.
    void note_constants(const Plan& plan, const Value& value) {
        for (const Tensor& tensor : tensors_in(value)) {
            const Buffer& buffer = plan.buffers[static_cast<size_t>(tensor.buffer)];
            if (buffer.kind != BufferKind::constant || !noted_.insert(tensor.buffer).second) continue;
            const auto size = static_cast<size_t>(element_size(tensor.dtype));
            const std::vector<uint8_t>& data = buffer.data;
            // Each element equals the one before it.
            const bool same =
                data.size() >= size && std::memcmp(data.data(), data.data() + size, data.size() - size) == 0;
            const Held held{same ? Held::Kind::one : Held::Kind::some, -1 - tensor.buffer};
            const ByteRange all{tensor.buffer, 0, static_cast<int64_t>(data.size()), true};
            if (held_.get(all).kind == Held::Kind::nothing) held_.set(all, held);
        }
    }

    Held held_by(const AtenStep& step, const Flow& flow, int index) const {
        const Held one{Held::Kind::one, index};
        if (step.draw >= 0) return {Held::Kind::unknown, 0};
        const std::vector<Tensor> results = tensors_in(step.result);
        if (results.size() == 1 && element_count(results[0]) == 1) return one;
        if (writes_one_number(step)) return one;
        if (!by_elements(step)) return {Held::Kind::unknown, 0};
        Held out = one;
        for (const ByteRange& range : flow.reads) {
            const Held read = held_.get(range);
            if (read.kind == Held::Kind::some && out.kind == Held::Kind::one) out = {Held::Kind::some, 0};
            if (read.kind == Held::Kind::unknown || read.kind == Held::Kind::nothing)
                return {Held::Kind::unknown, 0};
        }
        return out;
    }

    RangeMap<Held> held_;
    std::set<int> noted_;
};

}  // namespace

std::vector<Stated> stated_numbers(const Plan& plan) {
    const Construction construction(plan);
    std::vector<Stated> out;
    for (const Weight& weight : plan.weights) out.push_back(construction.of(weight.tensor));
    return out;
}

}  // namespace tritonsmith::plan
