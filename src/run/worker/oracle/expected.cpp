#include "run/worker/oracle/expected.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "numerics/alike.h"
#include "numerics/bound.h"
#include "plan/ir/json.h"
#include "run/worker/oracle/element_kernels.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Beyond it float64 does not hold all integers.
constexpr double kExactIntegers = 0x1p53;

at::Tensor flat(const at::Tensor& values) {
    return (values.is_complex() ? at::view_as_real(values) : values).reshape({-1});
}

/// Elements [first, first + count) in float64 on the device.
at::Tensor piece(const at::Tensor& values, int64_t first, int64_t count, at::Device device) {
    return values.narrow(0, first, count).to(device).to(at::kDouble);
}

template <class Work>
void in_pieces(int64_t count, int64_t at_a_time, Work work) {
    for (int64_t first = 0; first < count; first += at_a_time)
        work(first, std::min(at_a_time, count - first));
}

std::vector<double> numbers(const std::vector<at::Tensor>& scalars) {
    std::vector<at::Tensor> doubles;
    for (const at::Tensor& scalar : scalars) doubles.push_back(scalar.to(at::kDouble));
    const at::Tensor all = at::stack(doubles).cpu();
    return {all.data_ptr<double>(), all.data_ptr<double>() + all.numel()};
}

/// numerics::Numbers for tensors.
struct Tensors {
    static at::Tensor larger(const at::Tensor& a, const at::Tensor& b) { return at::maximum(a, b); }
    static at::Tensor larger(const at::Tensor& a, double b) { return a.clamp_min(b); }
    static at::Tensor smaller(const at::Tensor& a, const at::Tensor& b) { return at::minimum(a, b); }
    static at::Tensor smaller(const at::Tensor& a, double b) { return a.clamp_max(b); }
};

/// What the reference gave, flat.
struct Runs {
    at::Tensor oracle, native, absolute, others;
    at::Device device;
    const ElementKernels* kernels;
    int64_t at_a_time;

    ReferencePiece cut(int64_t first, int64_t count) const {
        ReferencePiece out{piece(oracle, first, count, device), piece(native, first, count, device), {}, {}};
        if (absolute.defined()) out.absolute = piece(absolute, first, count, device);
        if (others.defined()) out.others = others.narrow(0, first, count).to(device);
        return out;
    }
};

at::Tensor zero_totals(int64_t count, at::Device device) {
    return at::zeros({count}, at::TensorOptions(at::kLong).device(device));
}
/// Of ElementKernels' totals.
std::vector<int64_t> totals_of(const at::Tensor& totals) {
    const at::Tensor seen = totals.cpu();
    return {seen.data_ptr<int64_t>(), seen.data_ptr<int64_t>() + seen.numel()};
}

/// A piece of it: magnitudes, 0 where the oracle is not finite.
struct Piece {
    at::Tensor finite, value, scale, own;

    Piece(const ReferencePiece& given, const numerics::Bound& bound) {
        finite = at::isfinite(given.oracle);
        value = at::where(finite, given.oracle.abs(), 0.0);
        scale = value;
        if (given.absolute.defined()) {
            const at::Tensor a = given.absolute.abs();
            scale = at::where(at::isfinite(a), at::maximum(value, a), value);
        }
        const at::Tensor error = (given.native - given.oracle).abs();
        reference_error = at::where(at::isfinite(error), error, 0.0);
        own = (reference_error - numerics::one_rounding(value, bound)).clamp_min(0);
        if (!given.others.defined()) return;
        const at::Tensor other = given.others.to(at::kDouble);
        own = at::maximum(own, other - numerics::last_move<Tensors>(value, other, bound));
    }
    at::Tensor reference_error;
};

double root_mean_square(const Runs& runs) {
    double squares = 0, finite = 0;
    in_pieces(runs.oracle.numel(), runs.at_a_time, [&](int64_t first, int64_t count) {
        const at::Tensor value = piece(runs.oracle, first, count, runs.device);
        const at::Tensor good = at::isfinite(value);
        const auto sums = numbers({at::where(good, value * value, 0.0).sum(), good.sum()});
        squares += sums[0];
        finite += sums[1];
    });
    return finite > 0 ? std::sqrt(squares / finite) : 0;
}

/// Places among classes from 1 on, 0 for zeros.
at::Tensor clamped(const at::Tensor& place, const at::Tensor& magnitude, int classes) {
    return at::where(magnitude.gt(0), place.clamp(1, classes - 1), at::zeros_like(place));
}

/// numerics::Alike of each element.
at::Tensor class_of(const at::Tensor& magnitude, double rms, int least, int classes) {
    if (!(rms > 0)) return at::zeros_like(magnitude, at::kLong);
    const at::Tensor exponent = std::get<1>(at::frexp(magnitude / rms)).to(at::kLong);
    return clamped(exponent - (least - 1), magnitude, classes);
}

at::Tensor class_of_error(const at::Tensor& error, double rms) {
    using numerics::Alike;
    if (!(rms > 0)) return at::zeros_like(error, at::kLong);
    const auto [mantissa, exponent] = at::frexp(error / rms);
    const at::Tensor place = (exponent.to(at::kLong) - Alike::kLeastError) * 2 + 1;
    return clamped(place + mantissa.ge(Alike::kHalf).to(at::kLong), error, Alike::kErrors);
}

at::Tensor class_of(const Piece& piece, double rms) {
    using numerics::Alike;
    return class_of(piece.value, rms, Alike::kLeastValue, Alike::kValues) * Alike::kScales +
           class_of(piece.scale, rms, Alike::kLeastScale, Alike::kScales);
}

/// What the reference's own roundings change in elements of like size: for each class.
at::Tensor errors_alike(const Runs& runs, const numerics::Bound& bound, bool outliers, ExpectedOutput& out) {
    using numerics::Alike;
    constexpr int64_t cells = int64_t{Alike::kClasses} * Alike::kErrors;
    at::Tensor counts = zero_totals(cells, runs.device), greatest = zero_totals(1, runs.device);
    in_pieces(runs.oracle.numel(), runs.at_a_time, [&](int64_t first, int64_t count) {
        if (runs.kernels) {
            runs.kernels->count_alike(runs.cut(first, count), bound, outliers, counts, greatest);
            return;
        }
        const Piece piece(runs.cut(first, count), bound);
        const at::Tensor cell =
            class_of(piece, bound.rms) * Alike::kErrors + class_of_error(piece.own, bound.rms);
        at::Tensor counted = piece.finite.logical_and(at::isfinite(piece.own));
        if (outliers)
            counted = counted.logical_and(
                numerics::wholly_different(piece.own, piece.value.clamp_min(bound.rms)).logical_not());
        counts.add_(at::bincount(cell.masked_select(counted), {}, cells));
        out.reference_error = std::max(out.reference_error, numbers({piece.reference_error.max()})[0]);
    });
    if (runs.kernels) out.reference_error = std::bit_cast<double>(totals_of(greatest)[0]);
    Alike alike(bound.rms);
    const at::Tensor seen = counts.cpu();
    alike.add(seen.data_ptr<int64_t>());
    return at::tensor(alike.finish(outliers), at::kDouble).to(runs.device);
}

at::Tensor limits(const Runs& runs, const numerics::Bound& bound, const BoundOptions& options, bool compact,
                  ExpectedOutput& out) {
    const at::Tensor table = errors_alike(runs, bound, options.decides, out);
    // What float32 holds bounds the error of all types but float64.
    const bool wide = out.dtype == plan::DType::f64 || out.dtype == plan::DType::c128;
    const at::ScalarType type = compact ? at::kBFloat16 : wide ? at::kDouble : at::kFloat;
    const double up = compact ? 1 + 0x1p-7 : 1;  // what float64 admits is admitted
    at::Tensor limit = at::empty({runs.oracle.numel()}, at::TensorOptions(type).device(runs.oracle.device()));
    double finite = 0, loose = 0, largest = 0;
    const double slack_share = compact ? 0x1p-24 : 0;
    at::Tensor totals = zero_totals(4, runs.device);
    in_pieces(runs.oracle.numel(), runs.at_a_time, [&](int64_t first, int64_t count) {
        if (runs.kernels) {
            at::Tensor part = limit.narrow(0, first, count);
            at::Tensor there = part.is_cpu() && !runs.device.is_cpu()
                                   ? at::empty({count}, part.options().device(runs.device))
                                   : part;
            runs.kernels->limits(runs.cut(first, count), bound, table, slack_share, up, there, totals);
            if (!there.is_same(part)) part.copy_(there);
            return;
        }
        const Piece piece(runs.cut(first, count), bound);
        const at::Tensor alike = table.index_select(0, class_of(piece, bound.rms));
        const at::Tensor regular = numerics::regular_limit<Tensors>(piece.value, piece.scale, alike, bound);
        const at::Tensor one = numerics::element_limit<Tensors>(piece.value, regular, piece.own, bound);
        const at::Tensor large = one.gt(numerics::meaningless_from<Tensors>(piece.value, bound));
        const at::Tensor open = piece.own.gt(regular);
        const auto sums = numbers({open.sum(), piece.finite.sum(), large.logical_and(piece.finite).sum(),
                                   at::where(open, piece.own, 0.0).max()});
        out.undecided += static_cast<int64_t>(sums[0]);
        finite += sums[1];
        loose += sums[2];
        largest = std::max(largest, sums[3]);
        limit.narrow(0, first, count).copy_((one + piece.value * slack_share) * up);
    });
    if (runs.kernels) {
        const std::vector<int64_t> sums = totals_of(totals);
        out.undecided = sums[0];
        finite = static_cast<double>(sums[1]);
        loose = static_cast<double>(sums[2]);
        largest = std::bit_cast<double>(sums[3]);
    }
    if (options.decides) {
        out.forgiven = numerics::forgiven(out.undecided);
        out.forgiven_error = numerics::forgiven_error(largest);
    }
    out.meaningless = 2 * loose > finite;
    return limit;
}

/// What integers may be: judge::Expected.
void bound_integers(const OtherRoundings& others, const BoundOptions& options, ExpectedOutput& out) {
    if (!others.low.defined()) return;
    const at::Tensor open = others.low.ne(others.high);
    out.undecided = open.logical_or(out.native.ne(out.oracle)).sum().item<int64_t>();
    out.low = at::minimum(others.low, out.native.to(at::kLong));
    out.high = at::maximum(others.high, out.native.to(at::kLong));
    const bool truth = out.dtype == plan::DType::b1;
    if (options.chooses) {
        // Which of several elements comes first says nothing about the ones between them.
        const at::Tensor any = out.low.ne(out.high);
        out.low.masked_fill_(any, std::numeric_limits<int64_t>::min());
        out.high.masked_fill_(any, std::numeric_limits<int64_t>::max());
    }
    if (options.chooses || truth) {
        out.forgiven = numerics::forgiven(out.undecided);
        out.forgiven_error = kInfinity;
    }
    out.meaningless = 2 * out.undecided > open.numel();
}

}  // namespace

namespace {

/// In pages that stay where they are, if there are enough: from others a device reads ten times as slowly.
at::Tensor on_the_host(const at::Tensor& values) {
    if (values.is_cpu()) return values;
    at::Tensor host;
    try {
        host = at::empty(values.sizes(), values.options().device(at::kCPU).pinned_memory(true));
    } catch (const c10::Error&) {
        return values.cpu();
    }
    return host.copy_(values);
}

}  // namespace

int64_t ExpectedOutput::bytes() const {
    int64_t sum = 0;
    for (const at::Tensor* tensor : {&oracle, &limit, &native, &low, &high})
        if (tensor->defined()) sum += static_cast<int64_t>(tensor->nbytes());
    return sum;
}

void ExpectedOutput::spill() {
    for (at::Tensor* tensor : {&oracle, &limit, &native, &low, &high})
        if (tensor->defined()) *tensor = on_the_host(*tensor);
}

void OtherRoundings::add(const at::Tensor& oracle, const at::Tensor& perturbed) {
    const at::Tensor here = flat(oracle), there = flat(perturbed);
    if (c10::isFloatingType(here.scalar_type())) {
        if (!largest.defined()) largest = at::zeros({here.numel()}, here.options().dtype(at::kFloat));
        in_pieces(here.numel(), kPiece, [&](int64_t first, int64_t count) {
            const at::Tensor error =
                (there.narrow(0, first, count) - here.narrow(0, first, count)).abs().to(at::kFloat);
            at::Tensor part = largest.narrow(0, first, count);
            // Infinite: other roundings hide the element, or show it.
            part.copy_(at::where(at::isnan(error), part, at::maximum(part, error)));
        });
        return;
    }
    if (!low.defined()) low = high = here.to(at::kLong);
    low = at::minimum(low, there.to(at::kLong));
    high = at::maximum(high, there.to(at::kLong));
}

ExpectedOutput expect(const std::string& name, const at::Tensor& oracle, const at::Tensor& native,
                      const at::Tensor& absolute, const OtherRoundings& others, const BoundOptions& options,
                      const ElementDevice& where, int64_t at_a_time) {
    const Runs runs{flat(oracle),   flat(native), absolute.defined() ? flat(absolute) : at::Tensor(),
                    others.largest, where.device, where.kernels,
                    at_a_time};
    ExpectedOutput out;
    out.name = name;
    out.dtype = from_torch(native.scalar_type());
    out.shape = native.sizes().vec();
    if (native.is_complex()) out.shape.push_back(2);
    out.oracle = runs.oracle;
    if (!numerics::inexact(out.dtype)) {
        out.native = runs.native;
        bound_integers(others, options, out);
        return out;
    }
    out.rms = root_mean_square(runs);
    numerics::Bound bound = numerics::bound_of(out.dtype, options.longest_reduction, out.rms,
                                               options.tolerance, options.precision, options.wide);
    bound.uneven = options.uneven;
    const bool compact = options.compact && bound.stored.spacing >= 0x1p-23;
    out.limit = limits(runs, bound, options, compact, out);
    if (compact) out.oracle = runs.oracle.to(at::kFloat);
    return out;
}

namespace {

/// By the device's kernels. @return false where an element is beyond its limit: which one, they do not say
bool within_limits(const ExpectedOutput& expected, const at::Tensor& answer, const ElementDevice& where,
                   int64_t at_a_time, OutputComparison& out) {
    at::Tensor totals = zero_totals(3, where.device);
    in_pieces(out.elements, at_a_time, [&](int64_t first, int64_t count) {
        const auto part = [&](const at::Tensor& values) {
            const at::Tensor there = values.narrow(0, first, count).to(where.device);
            return ElementKernels::takes(there.scalar_type()) ? there : there.to(at::kDouble);
        };
        where.kernels->compare(part(expected.oracle), part(answer), part(expected.limit), totals);
    });
    const std::vector<int64_t> seen = totals_of(totals);
    if (seen[0] > 0) return false;
    out.worst_error = std::bit_cast<double>(seen[1]);
    out.worst_ratio = std::bit_cast<double>(seen[2]);
    return true;
}

}  // namespace

OutputComparison compare(const ExpectedOutput& expected, const at::Tensor& found, const ElementDevice& where,
                         int64_t at_a_time) {
    const at::Device device = where.device;
    const at::Tensor answer = flat(with_bytes_of_truths(found));
    OutputComparison out;
    out.elements = expected.oracle.numel();
    if (where.kernels && expected.floating() && within_limits(expected, answer, where, at_a_time, out))
        return out;
    double furthest = -1, worst_within = 0, largest_beyond = 0;
    in_pieces(out.elements, at_a_time, [&](int64_t first, int64_t count) {
        const at::Tensor want = piece(expected.oracle, first, count, device);
        const at::Tensor got = piece(answer, first, count, device);
        at::Tensor error = (got - want).abs(), limit = at::zeros_like(want);
        if (expected.floating()) {
            const at::Tensor finite = at::isfinite(want);
            const at::Tensor same = at::isnan(want).logical_and(at::isnan(got)).logical_or(want.eq(got));
            error = at::where(at::isnan(error), kInfinity, error);
            error = at::where(finite, error, at::where(same, at::zeros_like(error), kInfinity));
            const at::Tensor open = piece(expected.limit, first, count, device);
            limit = at::where(finite.logical_or(at::isinf(open)), open, limit);
        } else {
            const at::Tensor oracle = want.abs().lt(kExactIntegers).logical_and(got.eq(want));
            const at::Tensor native = answer.narrow(0, first, count)
                                          .to(device)
                                          .eq(expected.native.narrow(0, first, count).to(device));
            at::Tensor equal = oracle.logical_or(native);
            if (expected.low.defined()) {
                const at::Tensor value = answer.narrow(0, first, count).to(device).to(at::kLong);
                equal = equal.logical_or(
                    value.ge(expected.low.narrow(0, first, count).to(device))
                        .logical_and(value.le(expected.high.narrow(0, first, count).to(device))));
            }
            error = at::where(equal, at::zeros_like(error), error.clamp_min(1));
        }
        const at::Tensor bad = error.gt(limit);
        const at::Tensor ratio =
            at::where(limit.gt(0), error / limit, at::where(error.gt(0), kInfinity, at::zeros_like(error)));
        const at::Tensor far = at::where(bad, ratio, -1.0);
        const at::Tensor place = far.argmax();
        const at::Tensor index = place.reshape({1});
        auto here = [&](const at::Tensor& values) { return values.index_select(0, index).reshape({}); };
        const auto seen = numbers({bad.sum(), at::where(at::isfinite(error), error, 0.0).max(), ratio.max(),
                                   place, here(far), here(want), here(got), here(limit),
                                   at::where(bad, 0.0, ratio).max(), at::where(bad, error, 0.0).max()});
        worst_within = std::max(worst_within, seen[8]);
        largest_beyond = std::max(largest_beyond, seen[9]);
        out.out_of_bound += static_cast<int64_t>(seen[0]);
        out.worst_error = std::max(out.worst_error, seen[1]);
        out.worst_ratio = std::max(out.worst_ratio, seen[2]);
        if (seen[0] > 0 && seen[4] > furthest) {
            furthest = seen[4];
            out.index = first + static_cast<int64_t>(seen[3]);
            out.expected = seen[5];
            out.found = seen[6];
            out.allowed = seen[7];
        }
    });
    if (out.out_of_bound <= expected.forgiven && largest_beyond <= expected.forgiven_error) {
        out.out_of_bound = 0;
        out.worst_ratio = worst_within;
    }
    return out;
}

Json comparison_json(const ExpectedOutput& expected, const OutputComparison& comparison) {
    auto number = [](double v) {
        return std::isfinite(v) ? Json(v) : Json(std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
    };
    Json out{{"name", expected.name},
             {"mismatch", nullptr},
             {"elements", comparison.elements},
             {"worst_error", number(comparison.worst_error)},
             {"worst_ratio", number(comparison.worst_ratio)}};
    if (comparison.out_of_bound == 0) return out;
    std::vector<int64_t> position(expected.shape.size());
    int64_t rest = comparison.index;
    for (size_t d = position.size(); d-- > 0;) {
        position[d] = rest % expected.shape[d];
        rest /= expected.shape[d];
    }
    out["mismatch"] = {{"index", position},
                       {"expected", number(comparison.expected)},
                       {"found", number(comparison.found)},
                       {"allowed", number(comparison.allowed)},
                       {"rms", number(expected.rms)},
                       {"out_of_bound", comparison.out_of_bound},
                       {"elements", comparison.elements}};
    return out;
}

}  // namespace tritonsmith::run
