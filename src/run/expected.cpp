#include "run/expected.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/json.h"
#include "run/torch_types.h"

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

/// Spacing of the type's numbers next to one.
double epsilon(at::ScalarType type) {
    switch (type) {
        case at::kDouble:
        case at::kComplexDouble:
            return 0x1p-52;
        case at::kHalf:
            return 0x1p-10;
        case at::kBFloat16:
            return 0x1p-7;
        case at::kFloat8_e4m3fn:
        case at::kFloat8_e4m3fnuz:
            return 0x1p-3;
        case at::kFloat8_e5m2:
        case at::kFloat8_e5m2fnuz:
            return 0x1p-2;
        default:
            return 0x1p-23;
    }
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

struct Flat {
    at::Tensor oracle, native, absolute;
    at::Device device;
    int64_t at_a_time;

    /// S, never below a thousandth of the output's own magnitude: an element far below it still carries the
    /// rounding of its neighbours' inputs.
    at::Tensor scale(int64_t first, int64_t count, const at::Tensor& value, double rms) const {
        at::Tensor s = value.abs();
        if (absolute.defined()) {
            const at::Tensor a = piece(absolute, first, count, device).abs();
            s = at::where(at::isfinite(a), at::maximum(s, a), s);
        }
        return at::where(at::isfinite(s), s.clamp_min(1e-3 * rms), rms);
    }
};

double root_mean_square(const Flat& flat) {
    double squares = 0, finite = 0;
    in_pieces(flat.oracle.numel(), flat.at_a_time, [&](int64_t first, int64_t count) {
        const at::Tensor value = piece(flat.oracle, first, count, flat.device);
        const at::Tensor good = at::isfinite(value);
        const auto sums = numbers({at::where(good, value * value, 0.0).sum(), good.sum()});
        squares += sums[0];
        finite += sums[1];
    });
    return finite > 0 ? std::sqrt(squares / finite) : 0;
}

void measure_reference(const Flat& flat, ExpectedOutput& out) {
    in_pieces(flat.oracle.numel(), flat.at_a_time, [&](int64_t first, int64_t count) {
        const at::Tensor value = piece(flat.oracle, first, count, flat.device);
        const at::Tensor native = piece(flat.native, first, count, flat.device);
        const at::Tensor good = at::isfinite(value).logical_and(at::isfinite(native));
        const at::Tensor error = at::where(good, (native - value).abs(), 0.0);
        const at::Tensor scale = flat.scale(first, count, value, out.rms);
        const auto worst =
            numbers({error.max(), at::where(scale.gt(0), error / scale, at::zeros_like(error)).max()});
        out.reference_error = std::max(out.reference_error, worst[0]);
        out.relative_to_scale = std::max(out.relative_to_scale, 4 * worst[1]);
    });
}

at::Tensor limits(const Flat& flat, const ExpectedOutput& out, bool by_conditioning, bool compact) {
    // What float32 holds bounds the error of all types but float64.
    const bool wide = out.dtype == plan::DType::f64 || out.dtype == plan::DType::c128;
    const at::ScalarType type = compact ? at::kBFloat16 : wide ? at::kDouble : at::kFloat;
    const double up = compact ? 1 + 0x1p-7 : 1;  // what float64 admits is admitted
    at::Tensor limit = at::empty({flat.oracle.numel()}, at::TensorOptions(type).device(flat.oracle.device()));
    in_pieces(flat.oracle.numel(), flat.at_a_time, [&](int64_t first, int64_t count) {
        const at::Tensor value = piece(flat.oracle, first, count, flat.device);
        const at::Tensor by_scale = flat.scale(first, count, value, out.rms) * out.relative_to_scale;
        const at::Tensor by_error =
            (value.abs().clamp_min(out.rms) * out.tolerance).clamp_min(4 * out.reference_error);
        const at::Tensor either =
            by_conditioning ? at::maximum(by_scale, by_error) : at::minimum(by_scale, by_error);
        const at::Tensor slack = compact ? value.abs() * 0x1p-24 : at::zeros_like(value);
        limit.narrow(0, first, count).copy_((either + slack) * up);
    });
    return limit;
}

}  // namespace

int64_t ExpectedOutput::bytes() const {
    int64_t sum = 0;
    for (const at::Tensor* tensor : {&oracle, &limit, &native})
        if (tensor->defined()) sum += static_cast<int64_t>(tensor->nbytes());
    return sum;
}

void ExpectedOutput::spill() {
    for (at::Tensor* tensor : {&oracle, &limit, &native})
        if (tensor->defined()) *tensor = tensor->cpu();
}

ExpectedOutput expect(const std::string& name, const at::Tensor& oracle, const at::Tensor& native,
                      const at::Tensor& absolute, const BoundOptions& options, at::Device device,
                      int64_t at_a_time) {
    const Flat all{flat(oracle), flat(native), absolute.defined() ? flat(absolute) : at::Tensor(), device,
                   at_a_time};
    ExpectedOutput out;
    out.name = name;
    out.dtype = from_torch(native.scalar_type());
    out.shape = native.sizes().vec();
    if (native.is_complex()) out.shape.push_back(2);
    out.oracle = all.oracle;
    if (!c10::isFloatingType(native.scalar_type()) && !native.is_complex()) {
        out.native = all.native;
        if (options.ties) out.ties = std::max<int64_t>(2, all.oracle.numel() / 100);
        return out;
    }
    const double eps = epsilon(native.scalar_type());
    out.tolerance = eps > 0x1p-20 ? options.tolerance_low : options.tolerance_f32;
    out.rms = root_mean_square(all);
    measure_reference(all, out);
    const auto longest = static_cast<double>(std::max<int64_t>(options.longest_reduction, 1));
    out.relative_to_scale = std::max(out.relative_to_scale, 16 * eps * std::sqrt(longest));
    const bool compact = options.compact && eps >= 0x1p-23;
    out.limit = limits(all, out, options.by_conditioning, compact);
    if (compact) out.oracle = all.oracle.to(at::kFloat);
    return out;
}

OutputComparison compare(const ExpectedOutput& expected, const at::Tensor& found, at::Device device,
                         int64_t at_a_time) {
    const at::Tensor answer = flat(found);
    OutputComparison out;
    out.elements = expected.oracle.numel();
    double furthest = -1;
    in_pieces(out.elements, at_a_time, [&](int64_t first, int64_t count) {
        const at::Tensor want = piece(expected.oracle, first, count, device);
        const at::Tensor got = piece(answer, first, count, device);
        at::Tensor error = (got - want).abs(), limit = at::zeros_like(want);
        if (expected.floating()) {
            const at::Tensor finite = at::isfinite(want);
            const at::Tensor same = at::isnan(want).logical_and(at::isnan(got)).logical_or(want.eq(got));
            error = at::where(at::isnan(error), kInfinity, error);
            error = at::where(finite, error, at::where(same, at::zeros_like(error), kInfinity));
            limit = at::where(finite, piece(expected.limit, first, count, device), limit);
        } else {
            const at::Tensor oracle = want.abs().lt(kExactIntegers).logical_and(got.eq(want));
            const at::Tensor native = answer.narrow(0, first, count)
                                          .to(device)
                                          .eq(expected.native.narrow(0, first, count).to(device));
            const at::Tensor equal = oracle.logical_or(native);
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
                                   place, here(far), here(want), here(got), here(limit)});
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
    if (!expected.floating() && out.out_of_bound <= expected.ties) out = {0, out.elements};
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
                       {"out_of_bound", comparison.out_of_bound},
                       {"elements", comparison.elements}};
    return out;
}

}  // namespace tritonsmith::run
