#include <algorithm>
#include <limits>
#include <unordered_map>

#include "plan/analysis/range_map.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/weights/link.h"

namespace tritonsmith::plan {
namespace {

constexpr int kNone = -1, kMany = -2;

/// Where bytes come from while the module is built.
struct Origin {
    int draw = kNone;    ///< highest ordinal that flows in
    int weight = kNone;  ///< the one weight group that flows in, or kMany
    void join(const Origin& other) {
        draw = std::max(draw, other.draw);
        if (weight == kNone)
            weight = other.weight;
        else if (other.weight != kNone && other.weight != weight)
            weight = kMany;
    }
};

/// Which weight group owns bytes. Tied weights share a group.
struct Owner {
    int group = kNone;
    void join(const Owner& other) {
        if (group == kNone)
            group = other.group;
        else if (other.group != kNone && other.group != group)
            group = kMany;
    }
};

/// The value that a step fills all of its target with, or NaN.
double filled_value(const AtenStep& step) {
    std::string_view base = OpName(step.op).base;
    constexpr double kOther = std::numeric_limits<double>::quiet_NaN();
    if (base == "zeros" || base == "zeros_like" || base == "new_zeros" || base == "zero_") return 0;
    if (base == "ones" || base == "ones_like" || base == "new_ones") return 1;
    auto number = [&](size_t position) {
        return as_number_or_truth(find_argument(step, position)).value_or(kOther);
    };
    if (base == "scalar_tensor") return number(0);
    if (base == "fill_" || base == "full" || base == "full_like") return number(1);
    if (base == "new_full") return number(2);
    return kOther;
}

/// What bytes are known to hold: one value everywhere.
struct Filled {
    enum class State : uint8_t { nothing, value, mixed } state = State::nothing;
    double value = 0;
    void join(const Filled& other) {
        if (other.state == State::nothing) return;
        if (state == State::nothing)
            *this = other;
        else if (state != other.state || value != other.value)
            state = State::mixed;
    }
};

class Builder {
  public:
    Builder(const Plan& plan, const KernelEffects& effects)
        : plan_(plan), effects_(effects), origins_(plan.weights.size()), ranges_(plan.weights.size()) {
        for (size_t i = 0; i < plan.weights.size(); ++i) {
            ranges_[i] = byte_range(plan.weights[i].tensor);
            in_buffer_[ranges_[i].buffer].push_back(i);
            int group = owners_.get(ranges_[i]).group;
            owners_.set(ranges_[i], {group >= 0 ? group : static_cast<int>(i)});
        }
    }

    std::vector<WeightOrigin> build() {
        std::vector<Executed> steps = executed_steps(plan_);
        for (const Executed& executed : steps) {
            if (executed.step->phase != Phase::init) continue;
            if (const auto* aten = std::get_if<AtenStep>(&executed.step->what))
                step(*aten, flow_of(*aten), executed.index);
            else if (const auto* launch = std::get_if<LaunchStep>(&executed.step->what))
                computed(flow_of(plan_, *launch, effects_), executed.index);
        }
        for (size_t i = 0; i < origins_.size(); ++i) finish(i);
        return std::move(origins_);
    }

  private:
    /// Reading a weight's bytes makes the result depend on that weight.
    Origin read(const Flow& flow) const {
        Origin origin;
        for (const ByteRange& range : flow.reads) {
            origin.join(content_.get(range));
            origin.join({kNone, owners_.get(range).group});
        }
        return origin;
    }

    void step(const AtenStep& aten, const Flow& flow, int index) {
        Origin origin = read(flow);
        origin.draw = std::max(origin.draw, aten.draw);
        Filled filled = fill_of(aten, flow);
        write(flow, origin, filled, index);
    }

    void computed(const Flow& flow, int index) { write(flow, read(flow), {Filled::State::mixed, 0}, index); }

    Filled fill_of(const AtenStep& aten, const Flow& flow) const {
        double value = filled_value(aten);
        if (value == value) return {Filled::State::value, value};
        Filled filled;
        if (op_class(aten.op) == OpClass::copy)
            for (const ByteRange& range : flow.reads) filled.join(filled_.get(range));
        if (filled.state == Filled::State::nothing) filled.state = Filled::State::mixed;
        return filled;
    }

    void write(const Flow& flow, const Origin& origin, const Filled& filled, int index) {
        for (const ByteRange& range : flow.writes) {
            int group = owners_.get(range).group;
            if (group != kNone) {
                // A weight's own old value is no other weight's.
                bool foreign = origin.weight != kNone && origin.weight != group;
                for (size_t i : touched(range)) note(i, range, foreign, index);
            }
            Origin kept = origin;
            if (group >= 0 && kept.weight == group) kept.weight = kNone;
            content_.write(range, kept);
            filled_.write(range, filled);
        }
    }

    /// Weights whose bytes overlap a range.
    std::vector<size_t> touched(const ByteRange& range) const {
        std::vector<size_t> out;
        auto here = in_buffer_.find(range.buffer);
        if (here == in_buffer_.end()) return out;
        for (size_t i : here->second)
            if (overlap(ranges_[i], range)) out.push_back(i);
        return out;
    }

    void note(size_t i, const ByteRange& range, bool foreign, int index) {
        WeightOrigin& origin = origins_[i];
        origin.last = index;
        bool whole = range.covers && range.begin <= ranges_[i].begin && range.end >= ranges_[i].end;
        if (foreign) {
            origin.law = Law::derived;
            origin.writes.clear();
        } else if (origin.law != Law::derived || whole) {
            origin.law = Law::constant;
            if (origin.writes.empty() || origin.writes.back() != index) origin.writes.push_back(index);
        }
    }

    void finish(size_t i) {
        WeightOrigin& origin = origins_[i];
        origin.draw = content_.get(ranges_[i]).draw;
        if (origin.law == Law::derived) return;
        Filled filled = filled_.get(ranges_[i]);
        if (origin.draw >= 0)
            origin.law = Law::random;
        else if (filled.state == Filled::State::value && filled.value == 0)
            origin.law = Law::zeros;
        else if (filled.state == Filled::State::value && filled.value == 1)
            origin.law = Law::ones;
    }

    const Plan& plan_;
    const KernelEffects& effects_;
    std::vector<WeightOrigin> origins_;
    std::vector<ByteRange> ranges_;  ///< of each weight
    std::unordered_map<int, std::vector<size_t>> in_buffer_;
    RangeMap<Owner> owners_;
    RangeMap<Origin> content_;
    RangeMap<Filled> filled_;
};

}  // namespace

std::vector<WeightOrigin> weight_origins(const Plan& plan, const KernelEffects& effects) {
    return Builder(plan, effects).build();
}

}  // namespace tritonsmith::plan
