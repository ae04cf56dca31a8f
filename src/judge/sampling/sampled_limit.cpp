#include "judge/sampling/sampled_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/float_format.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

double largest_of(plan::DType dtype) {
    if (dtype == plan::DType::f64) return std::numeric_limits<double>::max();
    return largest_number(plan::float_format(dtype).value_or(kBinary32));
}

double rms_of(const std::vector<double>& values) {
    double squares = 0, finite = 0;
    for (double value : values)
        if (std::isfinite(value)) {
            squares += value * value;
            finite++;
        }
    return finite > 0 ? std::sqrt(squares / finite) : 0;
}

}  // namespace

SampledLimit::SampledLimit(plan::DType dtype, const SampledBound& bound, const std::vector<double>& expected)
    : own_law_(bound.own_law),
      integers_(!plan::is_floating(dtype)),
      bound_(numerics::bound_of(dtype, bound.longest_reduction, rms_of(expected), bound.tolerance,
                                bound.precision, bound.wide)),
      most_(largest_of(dtype)) {}

double SampledLimit::allowed(double expected, double scale, double noise) const {
    if (integers_) return 0;
    const double value = std::abs(expected);
    const double regular =
        numerics::regular_limit<numerics::Numbers>(value, std::max(value, scale), noise, bound_);
    return numerics::element_limit<numerics::Numbers>(value, regular, noise, bound_);
}

bool SampledLimit::within(double expected, double scale, double found) const {
    if (expected == found) return true;
    if (integers_) return false;
    if (!std::isfinite(expected)) return !own_law_ || (std::isnan(expected) && std::isnan(found));
    // The type itself overflows there.
    if (std::abs(expected) > 0.99 * most_ && (!own_law_ || std::isinf(found))) return true;
    return std::abs(found - expected) <= allowed(expected, scale);
}

bool SampledLimit::within_noise(double expected, double scale, double found,
                                const std::vector<double>& noisy) const {
    if (integers_) return std::find(noisy.begin(), noisy.end(), found) != noisy.end();
    double noise = 0;
    for (double value : noisy) {
        // It overflows on the way. On the task's own inputs what comes of that is no number either.
        if (!std::isfinite(value)) {
            if (!own_law_ || !std::isfinite(found)) return true;
            continue;
        }
        noise = std::max(noise, std::abs(value - expected));
    }
    return std::abs(found - expected) <= allowed(expected, scale, noise);
}

}  // namespace tritonsmith::judge
