#include "judge/elements/element_oracle.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <random>
#include <unordered_map>
#include <utility>

#include "judge/compare/compare.h"
#include "judge/elements/element_ops.h"
#include "numerics/format.h"
#include "plan/analysis/narrow_products.h"
#include "plan/ir/json.h"
#include "plan/ir/numbers.h"
#include "plan/ir/ops.h"
#include "plan/ir/tensor_position.h"

namespace tritonsmith::judge {

namespace {

struct Writer {
    int step;
    int result;
    const plan::AtenStep* aten;    ///< with numbers as float32 has them
    const plan::AtenStep* narrow;  ///< as the narrow type of its tensors has them; often the same step
    plan::Tensor tensor;
};

}  // namespace

namespace {

/// Real arithmetic is not that of integers there.
bool wraps(double value, plan::DType dtype) {
    if (plan::is_floating(dtype) || dtype == plan::DType::b1 || dtype == plan::DType::c64 ||
        dtype == plan::DType::c128)
        return false;
    const bool is_unsigned = dtype == plan::DType::u8 || dtype == plan::DType::u16 ||
                             dtype == plan::DType::u32 || dtype == plan::DType::u64;
    const auto bits = static_cast<int>(8 * plan::element_size(dtype));
    const double most = std::ldexp(1.0, std::min(is_unsigned ? bits : bits - 1, 53));
    return !(value < most && value >= (is_unsigned ? 0 : -most));
}

}  // namespace

struct ElementOracle::Impl final : ElementContext {
    std::map<int, std::vector<Writer>> writers;  ///< by buffer, in order of steps
    LeafElement leaf;
    LeafLine leaf_line;
    std::deque<plan::AtenStep> rounded_steps;
    std::map<const plan::AtenStep*, int> families;
    std::vector<double> values;
    int64_t budget = 0;
    int step = 0;  ///< elements are read as they are before this step
    std::unordered_map<uint64_t, std::unordered_map<int64_t, OracleElement>>
        memo;  ///< (buffer, writer) → offset
    std::map<std::pair<int, Index>, std::vector<OracleElement>> rows;
    int depth = 0;
    plan::DType result = plan::DType::f32;  ///< of the step
    bool tf32 = false;                      ///< the step may round its operands to it
    std::optional<plan::NarrowProducts> narrow;
    std::optional<plan::NarrowProducts::Rounded> rounded;  ///< an operand of the step's
    numerics::Precision precision = numerics::Precision::defaults;
    std::optional<std::mt19937_64> random;  ///< of noise; none: values are exact
    bool narrow_numbers = false;  ///< kernels may compare with a number in float32, or as PyTorch does
    double lost = 0;              ///< what becomes of numbers that the type rounds to zero: a factor

    double off(double value, double most) {
        return value + most * std::uniform_real_distribution<double>(-1, 1)(*random);
    }

    double noise(double value, double scale, double roundings) override {
        if (!random || !std::isfinite(value)) return value;
        const numerics::Format format =
            numerics::format(result == plan::DType::f64 ? result : plan::DType::f32);
        if (std::abs(value) < format.least) return 0;  // subnormal numbers may become zero
        if (scale == 0) return value;
        // Two units in the last place for each, as CUDA's functions may have them; errors of one sign are
        // rare.
        return off(value, 2 * format.spacing * scale * std::sqrt(std::max(roundings, 1.0)));
    }

    double noise_of_products(double value, double scale, double roundings, double squares) override {
        const double out = noise(value, scale, roundings);
        if (!random || !tf32 || !std::isfinite(value)) return out;
        // Two operands are cut off, by half a spacing in the mean and each by chance.
        return off(out, numerics::kTf32Spacing * (std::abs(value) + 2 * std::sqrt(squares)));
    }

    /// As the type of a step's result holds it.
    double stored_in(double value, plan::DType dtype) {
        if (!random || !plan::is_floating(dtype) || plan::element_size(dtype) >= 4 || !std::isfinite(value))
            return value;
        if (dtype != plan::DType::bf16 && std::abs(value) > 65504) return std::copysign(INFINITY, value);
        const numerics::Format format = numerics::format(dtype);
        // What is rounded to zero is lost in all of a sum's terms alike.
        if (std::abs(value) < format.subnormal / 2) return value * lost;
        return off(value, std::max(std::abs(value) * format.spacing / 2,
                                   std::min(std::abs(value), format.subnormal / 2)));
    }

    double noise_inside(double value) override { return stored_in(value, result); }

    OracleElement at(const plan::Tensor& tensor, const Index& index) override {
        int64_t offset = tensor.offset;
        for (size_t d = 0; d < index.size(); d++) offset += index[d] * tensor.stride[d];
        OracleElement e = stored(tensor, offset, step);
        if (rounded && rounded->operand.buffer == tensor.buffer) e.value = stored_in(e.value, rounded->type);
        return e;
    }

    void line(const plan::Tensor& tensor, Index index, size_t dim, std::vector<OracleElement>& out) override {
        const auto count = static_cast<size_t>(tensor.shape[dim]);
        out.resize(count);
        index[dim] = 0;
        if (leaf_line && !writers.contains(tensor.buffer)) {
            work(tensor.shape[dim]);
            int64_t offset = tensor.offset;
            for (size_t d = 0; d < index.size(); d++) offset += index[d] * tensor.stride[d];
            values.resize(count);
            if (!leaf_line(tensor, offset, tensor.stride[dim], values))
                throw CannotEvaluate("contents that are not known");
            for (size_t i = 0; i < count; i++) out[i] = {values[i], std::abs(values[i])};
            return;
        }
        for (size_t i = 0; i < count; i++) {
            index[dim] = static_cast<int64_t>(i);
            out[i] = at(tensor, index);
        }
    }

    int& family(const plan::AtenStep& step) override { return families.try_emplace(&step, -1).first->second; }

    OracleElement stored(const plan::Tensor& tensor, int64_t offset, int before) {
        work(1);
        const auto found = writers.find(tensor.buffer);
        if (found != writers.end())
            for (size_t w = found->second.size(); w-- > 0;) {
                const Writer& writer = found->second[w];
                if (writer.step >= before) continue;
                std::optional<Index> index = plan::position_in(writer.tensor, offset);
                if (!index) continue;
                auto& known = memo[static_cast<uint64_t>(tensor.buffer) << 32 | w];
                if (auto hit = known.find(offset); hit != known.end()) return hit->second;
                if (depth > 2000) throw CannotEvaluate("a chain of operators too long");
                const int outer = std::exchange(step, writer.step);
                const plan::DType outer_result = std::exchange(result, writer.tensor.dtype);
                const bool outer_tf32 =
                    std::exchange(tf32, writer.tensor.dtype == plan::DType::f32 &&
                                            numerics::rounds_to_tf32(*writer.aten, precision));
                auto outer_rounded =
                    std::exchange(rounded, random ? narrow->rounded(*writer.aten) : std::nullopt);
                depth++;
                OracleElement e = evaluate_element(narrow_numbers ? *writer.narrow : *writer.aten,
                                                   writer.result, *index, *this);
                depth--;
                step = outer;
                result = outer_result;
                tf32 = outer_tf32;
                rounded = std::move(outer_rounded);
                if (wraps(e.value, writer.tensor.dtype)) throw CannotEvaluate("an integer that wraps");
                // Of a masked key (-inf) nothing is left in what a softmax makes of it.
                if (!std::isfinite(e.scale)) e.scale = std::abs(e.value);
                e.value = stored_in(e.value, writer.tensor.dtype);
                memo[static_cast<uint64_t>(tensor.buffer) << 32 | w].emplace(offset, e);
                return e;
            }
        std::optional<OracleElement> e = leaf(tensor, offset);
        if (!e) throw CannotEvaluate("contents that are not known");
        return *e;
    }

    const std::vector<OracleElement>& kept(const Index& key,
                                           const std::function<std::vector<OracleElement>()>& make) override {
        auto place = std::make_pair(step, key);
        if (auto hit = rows.find(place); hit != rows.end()) return hit->second;
        std::vector<OracleElement> made = make();
        return rows.emplace(std::move(place), std::move(made)).first->second;
    }

    void work(int64_t operations) override {
        budget -= operations;
        if (budget < 0) throw CannotEvaluate("too much work for one element");
    }
};

ElementOracle::ElementOracle(const plan::Plan& reference, LeafElement leaf, LeafLine line,
                             numerics::Precision precision)
    : impl_(std::make_unique<Impl>()) {
    impl_->leaf = std::move(leaf);
    impl_->leaf_line = std::move(line);
    impl_->precision = precision;
    impl_->narrow.emplace(reference);
    for (size_t s = 0; s < reference.steps.size(); s++) {
        const plan::Step& step = reference.steps[s];
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (step.phase != plan::Phase::forward || !aten) continue;
        const plan::OpClass kind = plan::op_class(aten->op);
        if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) continue;
        const plan::AtenStep *exact = aten, *narrow = aten;
        if (const auto type = plan::number_type(*aten)) {
            const bool whole = kind != plan::OpClass::compute || *type == plan::DType::f32;
            narrow = &impl_->rounded_steps.emplace_back(plan::with_numbers_in(*aten, *type));
            if (whole) exact = narrow;
        }
        int result = 0;
        for (const plan::Tensor& tensor : plan::tensors_in(aten->result))
            impl_->writers[tensor.buffer].push_back({static_cast<int>(s), result++, exact, narrow, tensor});
    }
}

ElementOracle::~ElementOracle() = default;

std::optional<OracleElement> ElementOracle::element(const plan::Tensor& output, int64_t index,
                                                    int64_t budget) {
    impl_->budget = budget;
    impl_->depth = 0;
    impl_->step = INT32_MAX;
    impl_->result = plan::DType::f32;
    impl_->tf32 = false;
    impl_->rounded.reset();
    try {
        return impl_->at(output, plan::position_of(output, index));
    } catch (const CannotEvaluate&) {
        return std::nullopt;
    }
}

std::vector<double> ElementOracle::noisy(const plan::Tensor& output, int64_t index, size_t most) {
    std::vector<double> out;
    auto memo = std::exchange(impl_->memo, {});
    auto rows = std::exchange(impl_->rows, {});
    impl_->random.emplace(static_cast<uint64_t>(index) + 1);
    int64_t left = 4 * kOracleBudget;
    while (out.size() < most && left > 0) {
        impl_->memo.clear();
        impl_->rows.clear();
        impl_->lost = std::uniform_real_distribution<double>(0, 2)(*impl_->random);
        impl_->narrow_numbers = (*impl_->random)() % 2 == 0;
        const auto value = element(output, index, std::min(left, kOracleBudget));
        if (!value) break;
        out.push_back(value->value);
        left -= std::min(left, kOracleBudget) - impl_->budget;
    }
    impl_->random.reset();
    impl_->narrow_numbers = false;
    impl_->memo = std::move(memo);
    impl_->rows = std::move(rows);
    return out;
}

}  // namespace tritonsmith::judge
