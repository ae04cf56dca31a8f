#pragma once

#include <cmath>
#include <limits>

/// Arithmetic in the four rounding directions, from the nearest result and the sign of what it lacks
/// (error-free transformations: Knuth's two-sum, and fused multiply-adds for product, quotient and root).
namespace tritonsmith::ttir::rounding {

enum class Mode { rn, rd, ru, rz };

/// `nearest` is a value rounded to nearest, `rest` the sign of exact - nearest.
template <class T>
T adjust(T nearest, T rest, Mode mode) {
    if (mode == Mode::rn || rest == 0 || std::isnan(nearest)) return nearest;
    const T inf = std::numeric_limits<T>::infinity();
    if (std::isinf(nearest)) {
        // Overflow of a finite value: the directions that point inward give the largest number.
        const bool inward = mode == Mode::rz || (nearest > 0 ? mode == Mode::rd : mode == Mode::ru);
        return inward ? std::copysign(std::numeric_limits<T>::max(), nearest) : nearest;
    }
    const bool up = mode == Mode::ru || (mode == Mode::rz && (nearest < 0 || (nearest == 0 && rest < 0)));
    if (up && rest > 0) return std::nextafter(nearest, inf);
    if (!up && rest < 0) return std::nextafter(nearest, -inf);
    return nearest;
}

template <class T>
T add(T a, T b, Mode mode) {
    const T s = a + b;
    if (!std::isfinite(s)) return std::isfinite(a) && std::isfinite(b) ? adjust(s, -s, mode) : s;
    const T bb = s - a, rest = (a - (s - bb)) + (b - bb);
    if (s == 0 && rest == 0 && mode == Mode::rd && (std::signbit(a) || std::signbit(b)) &&
        !(a == 0 && b == 0 && !std::signbit(a) && !std::signbit(b)))
        return -T(0);
    return adjust(s, rest, mode);
}
template <class T>
T multiply(T a, T b, Mode mode) {
    const T p = a * b;
    if (!std::isfinite(p)) return std::isfinite(a) && std::isfinite(b) ? adjust(p, -p, mode) : p;
    return adjust(p,
                  static_cast<T>(std::fma(static_cast<long double>(a), static_cast<long double>(b),
                                          -static_cast<long double>(p))),
                  mode);
}
template <class T>
T divide(T a, T b, Mode mode) {
    const T q = a / b;
    if (!std::isfinite(q) || b == 0)
        return std::isfinite(a) && std::isfinite(b) && b != 0 ? adjust(q, -q, mode) : q;
    if (std::isinf(b)) return q;
    const long double rest =
        std::fma(-static_cast<long double>(q), static_cast<long double>(b), static_cast<long double>(a));
    const T sign = rest == 0 ? T(0) : ((rest > 0) == (b > 0) ? T(1) : T(-1));
    return adjust(q, sign, mode);
}
template <class T>
T root(T a, Mode mode) {
    const T r = std::sqrt(a);
    if (!std::isfinite(r)) return r;
    const long double rest =
        std::fma(-static_cast<long double>(r), static_cast<long double>(r), static_cast<long double>(a));
    return adjust(r, rest == 0 ? T(0) : rest > 0 ? T(1) : T(-1), mode);
}
template <class T>
T fused(T a, T b, T c, Mode mode) {
    const T r = std::fma(a, b, c);
    if (!std::isfinite(r))
        return std::isfinite(a) && std::isfinite(b) && std::isfinite(c) ? adjust(r, -r, mode) : r;
    // a·b = p + e exactly; p + c = s + f exactly; the sign of (s - r) + f + e is that of the rest.
    const T p = a * b, e = std::fma(a, b, -p), s = p + c, bb = s - p, f = (p - (s - bb)) + (c - bb);
    const long double rest = (static_cast<long double>(s) - static_cast<long double>(r)) +
                             static_cast<long double>(f) + static_cast<long double>(e);
    return adjust(r, rest == 0 ? T(0) : rest > 0 ? T(1) : T(-1), mode);
}
/// An exact value (wider type) to T.
template <class T, class Wide>
T narrow(Wide value, Mode mode) {
    const T r = static_cast<T>(value);
    if (std::isnan(r)) return r;
    if (std::isinf(r)) return std::isinf(value) ? r : adjust(r, -r, mode);
    const Wide back = static_cast<Wide>(r);
    return adjust(r, back == value ? T(0) : back < value ? T(1) : T(-1), mode);
}
/// To an integer with saturation; NaN gives 0 (the smallest number for 64 bits), as the hardware's cvt.
template <class I, class T>
I integer(T value, Mode mode) {
    if (std::isnan(value)) return sizeof(I) == 8 ? static_cast<I>(uint64_t{1} << 63) : I(0);
    const T r = mode == Mode::rn   ? std::nearbyint(value)
                : mode == Mode::rd ? std::floor(value)
                : mode == Mode::ru ? std::ceil(value)
                                   : std::trunc(value);
    const long double wide = static_cast<long double>(r);
    if (wide >= static_cast<long double>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
    if (wide <= static_cast<long double>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
    return static_cast<I>(r);
}

}  // namespace tritonsmith::ttir::rounding
