#include "judge/sampling/sampled_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/format.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

/// Of noise: computations of another order err in other places.
constexpr double kTimesNoise = 2;

struct Representable {
    double least, most;
};

/// Below `least` nothing is asked for: float32 arithmetic may flush subnormal numbers.
Representable representable(plan::DType dtype) {
    using plan::DType;
    constexpr double least = 0x1p-126;
    switch (dtype) {
        case DType::f64:
            return {least, std::numeric_limits<double>::max()};
        case DType::f16:
            return {0x1p-14, 65504};
        case DType::f8e4m3fn:
            return {0x1p-6, 448};
        case DType::f8e4m3fnuz:
            return {0x1p-7, 240};
        case DType::f8e5m2:
            return {0x1p-14, 57344};
        case DType::f8e5m2fnuz:
            return {0x1p-15, 57344};
        default:
            return {least, std::numeric_limits<float>::max()};
    }
}

}  // namespace

SampledLimit::SampledLimit(plan::DType dtype, const SampledBound& bound, const std::vector<double>& expected)
    : bound_(bound), integers_(!plan::is_floating(dtype)) {
    double squares = 0, finite = 0;
    for (double value : expected)
        if (std::isfinite(value)) {
            squares += value * value;
            finite++;
        }
    rms_ = finite > 0 ? std::sqrt(squares / finite) : 0;
    const double eps = numerics::format(dtype).spacing;
    tolerance_ = eps > 0x1p-20 ? bound.tolerance.low : bound.tolerance.f32;
    by_scale_ = 16 * eps * std::sqrt(static_cast<double>(std::max<int64_t>(bound.longest_reduction, 1)));
    const Representable range = representable(dtype);
    least_ = range.least;
    most_ = range.most;
}

double SampledLimit::allowed(double expected, double scale) const {
    if (integers_) return 0;
    // An element far below the output's own magnitude still carries the rounding of its neighbours' inputs.
    const double of_scale = by_scale_ * std::max({std::abs(expected), scale, 1e-3 * rms_});
    const double stated = tolerance_ * std::max(std::abs(expected), rms_);
    return std::max(least_, bound_.wide ? std::max(of_scale, stated) : std::min(of_scale, stated));
}

bool SampledLimit::within(double expected, double scale, double found) const {
    if (expected == found) return true;
    if (integers_) return false;
    if (!std::isfinite(expected)) return !bound_.own_law || (std::isnan(expected) && std::isnan(found));
    // The type itself overflows there.
    if (std::abs(expected) > 0.99 * most_ && (!bound_.own_law || std::isinf(found))) return true;
    return std::abs(found - expected) <= allowed(expected, scale);
}

bool SampledLimit::within_noise(double expected, double found, const std::vector<double>& noisy) const {
    if (integers_) return std::find(noisy.begin(), noisy.end(), found) != noisy.end();
    double noise = 0;
    for (double value : noisy) {
        if (!std::isfinite(value)) return true;  // it overflows on the way
        noise = std::max(noise, std::abs(value - expected));
    }
    return std::abs(found - expected) <= kTimesNoise * noise;
}

}  // namespace tritonsmith::judge
