#include "run/worker/oracle/perturbation.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "numerics/bound.h"
#include "plan/analysis/exact.h"
#include "plan/analysis/flow.h"
#include "plan/analysis/reduction.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/transform/promote.h"
#include "run/worker/aten/aten_step.h"
#include "run/worker/aten/attention.h"
#include "run/worker/exec/draw_step.h"
#include "run/worker/oracle/inner_rounding.h"
#include "run/worker/oracle/oracle.h"
#include "run/worker/oracle/split_sums.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {

using plan::AtenStep;
using plan::DType;

namespace {

/// Outputs of fewer elements say little about the reference's roundings, of very few next to nothing.
constexpr int64_t kMany = 4096, kFew = 64;
/// Elements that are moved at a time: on the CPU few enough for what is made of them to stay in its cache.
constexpr int64_t kNoisePiece = int64_t{1} << 24, kNoisePieceOnCpu = int64_t{1} << 16;
/// There noise is taken from so many draws, from another place on each time: to make them takes longer than a
/// run of a small task.
constexpr int64_t kPool = int64_t{1} << 20;
/// Standard deviation of what is uniform in [-1, 1).
constexpr double kUniform = 0.57735;
/// Of what sums of many roundings are off by, in standard deviations: a run moves each by so much, whose sign
/// is random, since elements alike in size may differ in how few terms they are made of.
constexpr double kDeviations = 2.5;
/// So little that it tells equal elements apart and no others.
constexpr double kTie = 0x1p-40;

plan::Tensor flat_buffer(const plan::Plan& plan, const plan::Tensor& tensor) {
    plan::Tensor whole = tensor;
    whole.shape = {plan.buffers[static_cast<size_t>(tensor.buffer)].bytes / plan::element_size(tensor.dtype)};
    whole.stride = {1};
    whole.offset = 0;
    return whole;
}

/// The squares of the arguments, and of the factors among them.
AtenStep with_squared_factors(AtenStep step) {
    for (auto& [name, value] : step.kwargs)
        if (auto* factor = std::get_if<double>(&value.v); factor && (name == "alpha" || name == "beta"))
            *factor *= *factor;
    return step;
}

/// The power of two at or below each magnitude; of zero, and of what is not normal, zero.
at::Tensor powers_of_two(const at::Tensor& magnitudes) {
    if (magnitudes.scalar_type() != at::kDouble || !magnitudes.is_cpu())
        return magnitudes / std::get<0>(at::frexp(magnitudes)).clamp_min_(0.5) / 2;
    constexpr int64_t exponent = 0x7FF0000000000000;  // its bits in float64
    return magnitudes.view(at::kLong).bitwise_and(exponent).view(at::kDouble);
}

/// Half a unit in the last place of each. What is rounded to zero changes by no more than itself.
at::Tensor half_units(const at::Tensor& magnitudes, const numerics::Format& format) {
    return at::maximum(powers_of_two(magnitudes).mul_(format.spacing / 2),
                       magnitudes.clamp_max(format.subnormal / 2));
}

/// Tensor cores ignore the bits of an operand that TF32 does not have, unless a kernel rounds it before
/// (cuDNN's do, Triton's do not): every operand shrinks, by up to a unit in the last place.
at::Tensor cut_to_tf32(const at::Tensor& values) {
    const auto [mantissas, exponents] = at::frexp(values);
    const at::Tensor cut =
        mantissas.mul(2 / numerics::kTf32Spacing).trunc_().mul_(numerics::kTf32Spacing / 2);
    return at::where(mantissas.eq(0), values, values.div(mantissas).mul_(cut));
}

/// Piece by piece: of large values there is no room for more than one.
void cut_to_tf32_(const at::Tensor& row) {
    for (int64_t first = 0; first < row.numel(); first += kNoisePiece) {
        const at::Tensor piece = row.narrow(0, first, std::min(kNoisePiece, row.numel() - first));
        piece.copy_(cut_to_tf32(piece));
    }
}

/// What comes of it is exact: half-way cases of a rounding behind it are decided by PyTorch's rule.
bool scales_by_power_of_two(const AtenStep& step) {
    const plan::OpName name(step.op);
    if (name.base != "mul" && name.base != "mul_" && name.base != "div" && name.base != "div_") return false;
    if (name.overload == "Tensor_mode" || name.overload == "Scalar_mode" || step.args.size() != 2)
        return false;
    const double factor = plan::as_number(&step.args[1]).value_or(0);
    int exponent = 0;
    return std::abs(std::frexp(factor, &exponent)) == 0.5;
}

const plan::Tensor* floating_at(const AtenStep& step, size_t index) {
    const auto* tensor = plan::argument<plan::Tensor>(step, index);
    return tensor && plan::is_floating(tensor->dtype) ? tensor : nullptr;
}

/// The dimension along which a step puts elements in order; nothing: its values and places are not of one
/// shape.
std::optional<int64_t> ordered_dimension(const AtenStep& step) {
    const plan::OpName name(step.op);
    if (name.base != "topk" && name.base != "sort") return std::nullopt;
    return plan::StepArguments(step).whole(name.base == "topk" || name.overload == "stable" ? 2 : 1, "dim",
                                           -1);
}

/// What is rounded to integers, or to a narrower type that the oracle keeps.
const plan::Tensor* rounded_operand(const AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
    const bool narrows = base == "_to_copy" && !results.empty() && numerics::narrow(results[0].dtype);
    if (!narrows && !plan::rounds_to_integers(step)) return nullptr;
    return floating_at(step, base == "copy_" ? 1 : 0);
}

/// Those that the step's rounding leaves as they are.
at::Tensor representable(const at::Tensor& values, const AtenStep& step) {
    const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
    if (!results.empty() && numerics::narrow(results[0].dtype))
        return values.to(to_torch(results[0].dtype)).to(values.scalar_type()).eq(values);
    return values.eq(values.round());
}

}  // namespace

namespace {

bool rounds_operands(const plan::Plan& native) {
    const plan::NarrowProducts products(native);
    const std::vector<plan::Executed> steps = plan::executed_steps(native);
    return std::any_of(steps.begin(), steps.end(), [&](const plan::Executed& executed) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        return aten && executed.step->phase == plan::Phase::forward && products.rounded(*aten);
    });
}

}  // namespace

int perturbed_runs(const plan::Plan& native, numerics::Precision library) {
    int64_t fewest = kMany;
    std::vector<std::string> rounding;  // to narrow types, which has near ties
    plan::promote(native, rounding);
    bool needed = !rounding.empty() || plan::decides(native) || plan::recurs(native) ||
                  plan::turns_computed_angles(native) || numerics::rounds_to_tf32(native, library);
    for (const plan::Tensor& output : plan::tensors_in(native.output)) {
        fewest = std::min(fewest, plan::element_count(output));
        needed = needed || numerics::narrow(output.dtype) || !numerics::inexact(output.dtype);
    }
    if (fewest < kFew) return 6;
    // Which of two large scores is moved more is chance; two runs may both move them alike.
    // Where a logarithm shows a rounding many times over, one run may hardly have moved it.
    if (rounds_operands(native) || plan::takes_computed_logarithms(native)) return 4;
    // The reference's one run sums in the order of one library: it shows too little of what other orders
    // lose.
    return needed || fewest < kMany || plan::longest_reduction(native) > 1 ? 2 : 0;
}

Perturbation::Perturbation(const plan::Plan& native, numerics::Precision precision, uint64_t seed, int run)
    : precision_(precision),
      side_(run % 2 == 0 ? 1 : -1),
      seed_(seed + static_cast<uint64_t>(run)),
      root_(std::sqrt(static_cast<double>(plan::longest_reduction(native)))),
      few_(plan::turns_computed_angles(native) ? kMany / 4 : 0),
      stored_(buffer_dtypes(native)),
      narrow_(native) {}

void Perturbation::attach(Executor& promoted) {
    promoted.before_forward_step = [this, &promoted](const AtenStep& step) { before(step, promoted); };
    promoted.after_forward_step = [this, &promoted](const AtenStep& step) { after(step, promoted); };
}

DType Perturbation::stored(const plan::Tensor& promoted) const {
    const auto found = stored_.find(promoted.buffer);
    return found == stored_.end() ? promoted.dtype : found->second;
}

at::Tensor Perturbation::borrow(const plan::Tensor& operand, Executor& executor) {
    for (const Saved& saved : saved_)
        if (saved.buffer == operand.buffer) return saved.where;
    const at::Tensor where = executor.memory().view(flat_buffer(executor.plan(), operand));
    saved_.push_back({where, where.clone(), operand.buffer});
    return where;
}

namespace {

at::Tensor draw_noise(const DrawKey& key, at::IntArrayRef sizes, const at::TensorOptions& options, Law law) {
    const at::Tensor out = at::empty(sizes, options.dtype(at::kFloat));
    const double a = law == Law::normal ? 0 : law == Law::bernoulli ? 0.5 : -1;
    draw_into(out, {key, {law, a, 1, 0, 1}});
    if (law == Law::bernoulli) out.mul_(2).sub_(1);
    return out;
}

/// One for all runs of this process: a run begins at other places of it than the next, by its seed.
const at::Tensor& pool_of(Law law) {
    static std::mutex mutex;
    static std::map<Law, at::Tensor> pools;
    const std::lock_guard lock(mutex);
    at::Tensor& pool = pools[law];
    if (!pool.defined())
        pool = draw_noise({0, kPerturbationStream, 0}, {kPool}, at::TensorOptions(at::kCPU), law)
                   .to(at::kDouble);
    return pool;
}

}  // namespace

at::Tensor Perturbation::drawn(at::IntArrayRef sizes, const at::TensorOptions& options, Law law) {
    return draw_noise({seed_, kPerturbationStream, drawn_++}, sizes, options, law);
}

at::Tensor Perturbation::noise(const at::Tensor& like, Law law) {
    const int64_t count = like.numel();
    if (!like.is_cpu() || count > kNoisePieceOnCpu || count <= few_) {
        const at::Tensor out = drawn(like.sizes(), like.options(), law);
        if (law == Law::uniform && count <= few_) out.sign_();
        return out.to(like.scalar_type());
    }
    const at::Tensor& pool = pool_of(law);
    constexpr uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    const uint64_t mixed = (seed_ + ++drawn_) * odd;
    const auto first = static_cast<int64_t>((mixed >> 20) % static_cast<uint64_t>(kPool - count + 1));
    return pool.narrow(0, first, count).view(like.sizes()).to(like.scalar_type());
}

void Perturbation::move(at::Tensor values, const SizeOf& size_of, Law law) {
    if (values.is_contiguous()) values = values.reshape({-1});
    const int64_t rows = values.dim() == 0 ? 1 : values.size(0);
    const int64_t row = std::max<int64_t>(values.numel() / std::max<int64_t>(rows, 1), 1);
    const int64_t piece_of = values.is_cpu() ? kNoisePieceOnCpu : kNoisePiece;
    const int64_t at_a_time = std::max<int64_t>(piece_of / row, 1);
    for (int64_t first = 0; first < rows && values.numel() > 0; first += at_a_time) {
        const int64_t count = std::min(at_a_time, rows - first);
        at::Tensor piece = values.dim() == 0 ? values : values.narrow(0, first, count);
        piece.addcmul_(size_of(piece.abs(), first, count), noise(piece, law));
    }
}

void Perturbation::move(const at::Tensor& values, double relative) {
    move(values, [&](const at::Tensor& size, int64_t, int64_t) { return size * relative; });
}

at::Tensor Perturbation::spread_of(const AtenStep& step, Executor& executor) const {
    Memory& memory = executor.memory();
    const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
    if (results.empty() || results[0].dtype != DType::f64) return {};
    const numerics::Format format = numerics::format(stored(results[0]));
    if (rounds_inside(step)) {
        const DType rounded = stored(results[0]);
        return numerics::narrow(rounded) ? inner_rounding(step, rounded, memory).mul_(kUniform)
                                         : at::Tensor();
    }
    if (!plan::sums_products(step)) return {};
    auto squares = [&](const plan::Tensor& tensor) {
        const at::Tensor values = memory.view(tensor);
        return values.is_floating_point() ? values.square() : values;
    };
    const std::vector<at::Tensor> of_terms =
        evaluate(with_squared_factors(step), squares, memory.device(), true);
    if (of_terms.empty() || !of_terms[0].defined() || !of_terms[0].is_floating_point()) return {};
    at::Tensor sums = of_terms[0];
    if (numerics::narrow(stored(results[0])))
        if (const at::Tensor of_parts = squares_of_parts(step, memory); of_parts.defined())
            sums = at::maximum(sums, of_parts);
    const double terms = static_cast<double>(plan::reduction_length(step)), root = std::sqrt(terms);
    const double one = format.mean_half_unit() + std::min(0x1p-23, format.spacing) * root / 2;
    return sums.clamp_min_(0).sqrt_().mul_(kUniform * (plan::averages(step) ? one / root : one));
}

at::Tensor Perturbation::rounded_operand_spread(const AtenStep& step, Executor& executor) const {
    // Of two keys whose large scores nearly tie, the errors of the scores decide how much there is of either:
    // far more than what errors of elements alike are, and random signs of two runs may be too few to show
    // it.
    const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
    if (is_attention(step) && !results.empty() && results[0].dtype == DType::f64 &&
        !numerics::narrow(stored(results[0])))
        return inner_rounding(step, stored(results[0]), executor.memory()).mul_(kUniform * kDeviations);
    const auto rounded = narrow_.rounded(step);
    if (!rounded) return {};
    const numerics::Format format = numerics::format(rounded->type);
    Memory& memory = executor.memory();
    auto squares = [&](const plan::Tensor& tensor) {
        const at::Tensor values = memory.view(tensor);
        if (tensor.buffer == rounded->operand.buffer) return half_units(values.abs(), format).square_();
        return tensor.buffer == rounded->other.buffer ? values.square() : at::zeros_like(values);
    };
    const std::vector<at::Tensor> sums = evaluate(with_squared_factors(step), squares, memory.device(), true);
    if (sums.empty() || !sums[0].defined()) return {};
    return sums[0].clamp_min_(0).sqrt_().mul_(kUniform * kDeviations);
}

void Perturbation::keep_terms(const AtenStep& step, Executor& executor) {
    const plan::OpName name(step.op);
    const auto* result = std::get_if<plan::Tensor>(&step.result.v);
    if (!result || (name.base != "sub" && name.base != "rsub")) return;
    const auto *a = plan::argument<plan::Tensor>(step, 0), *b = plan::argument<plan::Tensor>(step, 1);
    Memory& memory = executor.memory();
    const at::Tensor values = memory.view(*result);
    if (!a || !b || !at::isIntegralType(values.scalar_type(), false) || !values.is_contiguous()) return;
    terms_[result->buffer] = {
        memory.view(*a).abs().add(memory.view(*b).abs()).expand(values.sizes()).reshape({-1}),
        result->offset};
}

at::Tensor Perturbation::distributed(const AtenStep& step, Executor& executor) const {
    const plan::OpName name(step.op);
    const auto* result = std::get_if<plan::Tensor>(&step.result.v);
    if (!result || name.base != "mul" || !numerics::narrow(stored(*result))) return {};
    for (const size_t side : {0, 1}) {
        const auto *difference = plan::argument<plan::Tensor>(step, side),
                   *factor = plan::argument<plan::Tensor>(step, 1 - side);
        const auto found = difference ? terms_.find(difference->buffer) : terms_.end();
        if (found == terms_.end() || !factor || difference->offset < found->second.offset) continue;
        int64_t last = difference->offset - found->second.offset;
        for (size_t d = 0; d < difference->shape.size(); ++d)
            last += (difference->shape[d] - 1) * difference->stride[d];
        if (last >= found->second.values.numel()) continue;
        const at::Tensor terms = found->second.values.as_strided(difference->shape, difference->stride,
                                                                 difference->offset - found->second.offset);
        const at::Tensor out = terms.mul(executor.memory().view(*factor).abs());
        return out.is_contiguous() && executor.memory().view(*result).is_contiguous() ? out.reshape({-1})
                                                                                      : out;
    }
    return {};
}

void Perturbation::before(const AtenStep& step, Executor& executor) {
    saved_.clear();
    spread_ = plan::exact(step.op) ? at::Tensor() : spread_of(step, executor);
    operand_spread_ = rounded_operand_spread(step, executor);
    if (const plan::Tensor* rounded = rounded_operand(step); rounded && computed(*rounded)) {
        const numerics::Format format = numerics::format(stored(*rounded));
        const double by = side_ * numerics::nudge(format, std::min(0x1p-23, format.spacing), root_);
        at::Tensor values = borrow(*rounded, executor);
        // What is rounded already (the cast behind a `round`) is no near-tie.
        const at::Tensor there = representable(values, step);
        values.add_(at::where(there, 0.0, values.abs()), by);
    }
    if (plan::recurrent(step))
        for (const plan::Tensor& operand : plan::tensors_in(step.args))
            if (operand.dtype == DType::f64) {
                const numerics::Format format = numerics::format(stored(operand));
                const double widest =
                    static_cast<double>(operand.shape.size() > 1 ? operand.shape.back() : 1);
                move(borrow(operand, executor),
                     format.mean_half_unit() + std::min(0x1p-23, format.spacing) * std::sqrt(widest) / 2);
            }
    if (plan::chooses_any(step))
        if (const plan::Tensor* compared = floating_at(step, 0)) {
            const double least = numerics::format(stored(*compared)).least;
            move(borrow(*compared, executor),
                 [&](const at::Tensor& size, int64_t, int64_t) { return size * kTie + least; });
        }
    if (numerics::rounds_to_tf32(step, precision_))
        for (const plan::Tensor& operand : plan::tensors_in(step.args))
            if (stored(operand) == DType::f32 && operand.shape.size() > 1) {
                at::Tensor values = borrow(operand, executor);
                if (side_ > 0)
                    move(values, numerics::kTf32Spacing / 2);
                else
                    cut_to_tf32_(values);
            }
}

void Perturbation::after(const AtenStep& step, Executor& executor) {
    const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
    auto holds = [&](int buffer) {
        return std::any_of(results.begin(), results.end(),
                           [&](const plan::Tensor& result) { return result.buffer == buffer; });
    };
    for (Saved& saved : saved_)
        if (!holds(saved.buffer)) saved.where.copy_(saved.values);
    // What was moved to tell equal elements apart are places: values that are compared with others later stay
    // equal.
    if (const std::optional<int64_t> dimension = ordered_dimension(step);
        dimension && !saved_.empty() && results.size() == 2 && !holds(saved_.front().buffer)) {
        Memory& memory = executor.memory();
        const auto* compared = plan::argument<plan::Tensor>(step, 0);
        memory.view(results[0]).copy_(memory.view(*compared).gather(*dimension, memory.view(results[1])));
    }
    saved_.clear();
    for (const plan::Tensor& result : results) terms_.erase(result.buffer);
    keep_terms(step, executor);
    const std::vector<plan::Tensor> arguments = plan::tensors_in(step.args);
    const bool from_computed = std::any_of(arguments.begin(), arguments.end(),
                                           [&](const plan::Tensor& argument) { return computed(argument); });
    // A cast rounds where the reference stores the result in a narrower type; the promoted plan's own casts
    // are kept by the oracle.
    bool rounds = !plan::exact(step.op) && !scales_by_power_of_two(step);
    if (!rounds && plan::op_class(step.op) == plan::OpClass::copy && !arguments.empty() && !results.empty())
        rounds = results[0].dtype == DType::f64 && numerics::format(stored(results[0])).spacing >
                                                       numerics::format(stored(arguments.back())).spacing;
    if (!rounds && !from_computed) return;
    const double root = std::sqrt(static_cast<double>(plan::reduction_length(step)));
    for (const plan::Tensor& result : results) {
        computed_.insert(result.buffer);
        if (!rounds || result.dtype != DType::f64) continue;
        const numerics::Format format = numerics::format(stored(result));
        const double sums = std::min(0x1p-23, format.spacing) * (1 + root / 2);
        const at::Tensor values = executor.memory().view(result);
        move(values, [&](const at::Tensor& size, int64_t, int64_t) {
            return half_units(size, format).add_(size, sums);
        });
        if (const at::Tensor terms = distributed(step, executor); terms.defined())
            move(values, [&](const at::Tensor&, int64_t first, int64_t count) {
                return half_units(terms.narrow(0, first, count), format);
            });
        for (auto& [kept, law] : {std::pair<at::Tensor&, Law>{spread_, Law::normal},
                                  std::pair<at::Tensor&, Law>{operand_spread_, Law::bernoulli}}) {
            at::Tensor spread = std::exchange(kept, {});  // of the first result
            if (!spread.defined() || spread.sizes() != values.sizes()) continue;
            if (values.is_contiguous()) spread = spread.contiguous().reshape({-1});
            auto spread_at = [&](const at::Tensor&, int64_t first, int64_t count) {
                return spread.dim() == 0 ? spread : spread.narrow(0, first, count);
            };
            move(values, spread_at, law);
        }
    }
}

}  // namespace tritonsmith::run
