#include "run/draw/changed_leaf.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "plan/ir/element.h"
#include "run/draw/draw.h"
#include "run/draw/store.h"

namespace tritonsmith::run {

namespace {

constexpr uint32_t kChangedLeafStream = 21;  ///< ordinal: of the input
constexpr double kOneIn = 8;

/// @param u uniform in [0, 1)
double named(double value, double u, const std::vector<double>& numbers, bool everywhere) {
    const double part = u * (everywhere ? 1 : Variant::kNamedOneIn);
    if (part >= 1 || numbers.empty()) return value;
    if (everywhere) return numbers[0];
    return numbers[static_cast<size_t>(part * static_cast<double>(numbers.size()))];
}

/// Of the input of this ordinal.
std::vector<double> numbers_of(const Variant& variant, uint32_t ordinal) {
    for (size_t i = 0; i < std::min(variant.named.size(), variant.inputs.size()); ++i)
        if (variant.inputs[i] == ordinal) return variant.named[i];
    return {};
}

/// @param u uniform in [0, 1)
double nonfinite(double value, double u, Variant::Nonfinite which) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double part = u * kOneIn;
    if (part >= 1) return value;
    if (which == Variant::Nonfinite::nan || (which == Variant::Nonfinite::any && part < 1.0 / 3))
        return std::numeric_limits<double>::quiet_NaN();
    return part < 2.0 / 3 ? infinity : -infinity;
}

double another(double value, double u, plan::DType dtype, const Variant& variant) {
    const bool near = variant.constants == Variant::Constants::near;
    if (plan::is_floating(dtype)) {
        if (value == 0) return (u - 0.5) * (near ? 0.1 : 2);
        return near ? value : value * (0.7 + 0.6 * u);
    }
    const bool flag = value == 0 || value == 1;
    return flag && variant.patterns && u * kOneIn < 1 ? 1 - value : value;
}

}  // namespace

ttir::PageSource changed_leaf(ttir::PageSource source, plan::DType dtype, uint64_t seed, uint32_t ordinal,
                              const Variant& variant) {
    const DrawKey key{seed, kChangedLeafStream, ordinal};
    const std::vector<double> numbers = numbers_of(variant, ordinal);
    return [source = std::move(source), dtype, key, variant, numbers](int64_t offset, std::byte* out,
                                                                      int64_t count) {
        source(offset, out, count);
        const int64_t size = plan::element_size(dtype), elements = count / size;
        std::vector<float> u(static_cast<size_t>(elements));
        fill(key, {Law::uniform, 0, 1, 0, 1}, Variant{}, plan::DType::f32, offset / size, elements,
             reinterpret_cast<std::byte*>(u.data()));
        for (int64_t i = 0; i < elements; ++i) {
            std::byte* element = out + i * size;
            const double value = plan::read_element(element, dtype), part = u[static_cast<size_t>(i)];
            const double other = !variant.named.empty() ? named(value, part, numbers, variant.everywhere)
                                 : variant.nonfinite != Variant::Nonfinite::none
                                     ? nonfinite(value, part, variant.nonfinite)
                                     : another(value, part, dtype, variant);
            if (other != value) store(element, dtype, other);
        }
    };
}

}  // namespace tritonsmith::run
