#include <algorithm>
#include <cmath>

#include "judge/elements/element_families.h"

/// Interpolation: (input, output_size, align_corners?, scales…), of the last dimensions.
namespace tritonsmith::judge {

namespace {

using Tensor = plan::Tensor;

/// Steps of the input for one of the output.
double step_of(const StepArguments& a, size_t at, int64_t from, int64_t to) {
    const double stated = a.real(at, "", 0);
    return stated > 0 ? 1 / stated : static_cast<double>(from) / static_cast<double>(to);
}

/// PyTorch computes the place in float32: where that matters, nothing is known.
int64_t nearest(double step, int64_t at, bool centred, int64_t size) {
    const double exact = std::floor((static_cast<double>(at) + (centred ? 0.5 : 0)) * step);
    const float rounded =
        std::floor((static_cast<float>(at) + (centred ? 0.5F : 0.0F)) * static_cast<float>(step));
    if (exact != static_cast<double>(rounded)) throw CannotEvaluate("a place that rounding decides");
    return std::min(static_cast<int64_t>(exact), size - 1);
}

/// Between two elements of the input.
struct Between {
    int64_t low = 0, high = 0;
    double share = 0;  ///< of the second
    double place = 0;  ///< errors of the share are relative to it
};

Between between(double step, int64_t at, bool align_corners, int64_t from, int64_t to) {
    const auto place = static_cast<double>(at);
    Between out;
    if (align_corners)
        out.place = to > 1 ? place * (static_cast<double>(from - 1) / static_cast<double>(to - 1)) : 0;
    else
        out.place = std::max(0.0, step * (place + 0.5) - 0.5);
    out.low = std::min(static_cast<int64_t>(out.place), from - 1);
    out.high = std::min(out.low + 1, from - 1);
    out.share = std::clamp(out.place - static_cast<double>(out.low), 0.0, 1.0);
    return out;
}

OracleElement linear(const Tensor& x, const Index& index, const std::vector<Between>& sides,
                     ElementContext& context) {
    const size_t first = index.size() - sides.size();
    // A share is wrong by two roundings of its place: in the units of a bound's eight spacings.
    constexpr double kOfPlace = 0.25;
    OracleElement out;
    for (size_t corner = 0; corner < size_t{1} << sides.size(); corner++) {
        Index at = index;
        double weight = 1, doubt = 0;
        for (size_t d = 0; d < sides.size(); d++) {
            const bool high = (corner >> d & 1) != 0;
            at[first + d] = high ? sides[d].high : sides[d].low;
            weight *= high ? sides[d].share : 1 - sides[d].share;
            doubt += kOfPlace * sides[d].place;
        }
        const OracleElement e = context.at(x, at);
        out = {out.value + weight * e.value, out.scale + (weight + doubt) * e.scale};
    }
    out.value = context.noise(out.value, out.scale);
    return out;
}

}  // namespace

std::optional<OracleElement> resampled(const std::string& base, int result, const StepArguments& a,
                                       const Index& index, ElementContext& context) {
    const bool centred = base.starts_with("aten::_upsample_nearest_exact");
    const bool by_nearest = centred || base.starts_with("aten::upsample_nearest");
    const bool by_lines = base == "aten::upsample_linear1d" || base == "aten::upsample_bilinear2d" ||
                          base == "aten::upsample_trilinear3d";
    if (result != 0 || (!by_nearest && !by_lines)) return std::nullopt;
    const Tensor& x = a.tensor(0);
    const std::vector<int64_t> sizes = a.integers(1, "output_size");
    if (sizes.empty() || sizes.size() > 3) throw CannotEvaluate(base);
    const size_t first = index.size() - sizes.size(), scales = by_nearest ? 2 : 3;
    Index at = index;
    std::vector<Between> sides;
    for (size_t d = 0; d < sizes.size(); d++) {
        const int64_t from = x.shape.at(first + d), place = index[first + d];
        const double step = step_of(a, scales + d, from, sizes[d]);
        if (by_nearest)
            at[first + d] = nearest(step, place, centred, from);
        else
            sides.push_back(between(step, place, a.flag(2, "align_corners", false), from, sizes[d]));
    }
    return by_nearest ? context.at(x, at) : linear(x, index, sides, context);
}

}  // namespace tritonsmith::judge
