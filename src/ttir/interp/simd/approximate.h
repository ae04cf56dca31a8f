#pragma once

#include <cmath>
#include <numbers>

/// The approximate instructions of the special function unit on float32, with errors as large as the PTX ISA
/// documents them ("Floating Point Instructions": sin, cos, lg2, tanh; of ex2, rcp, sqrt and rsqrt it
/// promises a unit or two in the last place, which every function may have); those of sin and cos as an H100
/// has them. What NVIDIA's libdevice makes of them (fast_*) multiplies and divides in float32 around them.
namespace tritonsmith::ttir::approximate {

/// The nearest multiple of `step`, a power of two.
inline double on_grid(double value, double step) {
    return std::nearbyint(value / step) * step;
}

/// What is left of x / 2π beside whole turns, in turns, after the product with a float32 constant is cut to
/// float32 (FMUL.RZ): 2^-20.6 of an angle of 2π, 2^-14.7 of 100π, everything of 2^24. (NaN of infinities.) Of
/// it 25 binary places are kept: the sine of less is zero, that of small angles is off by up to 2^-22.35.
inline double turns(float x) {
    constexpr float kTurnsOfOne = 0.15915494F;
    const double exact = static_cast<double>(x) * static_cast<double>(kTurnsOfOne);
    const auto rounded = static_cast<float>(exact);
    const double product = std::abs(rounded) > std::abs(exact) ? std::nextafter(rounded, 0.0F) : rounded;
    return std::trunc((product - std::nearbyint(product)) * 0x1p25) * 0x1p-25;
}
/// To as many bits as the unit's results have.
inline double to_result(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::isfinite(mantissa) ? std::ldexp(on_grid(mantissa, 0x1p-22), exponent) : mantissa;
}
/// The absolute error is at most 2^-20.5 up to 2π and 2^-14.7 up to 100π; beyond that nothing is promised.
inline double sine(double x) {
    return to_result(std::sin(2 * std::numbers::pi * turns(static_cast<float>(x))));
}
inline double cosine(double x) {
    return to_result(std::cos(2 * std::numbers::pi * turns(static_cast<float>(x))));
}

/// Of log2: an absolute error of at most 2^-22 between 0.5 and 2, a relative one beyond.
inline double logarithm(double x) {
    const double exact = std::log2(x);
    return x > 0.5 && x < 2 ? on_grid(exact, 0x1p-21) : exact;
}

/// A relative error of up to 2^-11: cut off there.
inline double hyperbolic_tangent(double x) {
    int exponent = 0;
    const double mantissa = std::frexp(std::tanh(x), &exponent);
    return std::isfinite(mantissa) ? std::ldexp(std::trunc(mantissa * 0x1p12) * 0x1p-12, exponent) : mantissa;
}

}  // namespace tritonsmith::ttir::approximate
