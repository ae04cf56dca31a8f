#include "numerics/alike.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace tritonsmith::numerics {

namespace {

/// Nothing: the number is zero, or there is nothing that it is relative to.
std::optional<std::pair<double, int>> relative(double number, double rms) {
    if (!(number > 0) || !(rms > 0)) return std::nullopt;
    int exponent = 0;
    const double mantissa = std::frexp(number / rms, &exponent);
    return std::pair{mantissa, exponent};
}

int class_of_ratio(double number, double rms, int least, int classes) {
    const auto parts = relative(number, rms);
    return parts ? std::clamp(parts->second - least + 1, 1, classes - 1) : 0;
}

}  // namespace

int Alike::class_of(double value, double scale) const {
    return class_of_ratio(value, rms_, kLeastValue, kValues) * kScales +
           class_of_ratio(scale, rms_, kLeastScale, kScales);
}

int Alike::class_of_error(double error) const {
    const auto parts = relative(error, rms_);
    if (!parts) return 0;
    return std::clamp(2 * (parts->second - kLeastError) + (parts->first >= kHalf) + 1, 1, kErrors - 1);
}

void Alike::add(double value, double scale, double error) {
    const auto row = static_cast<size_t>(class_of(value, scale)) * kErrors;
    ++counts_[row + static_cast<size_t>(class_of_error(error))];
}

void Alike::add(const int64_t* counts) {
    for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += counts[i];
}

const std::vector<double>& Alike::finish(bool outliers) {
    std::vector<int64_t> sizes(kClasses);
    std::vector<std::pair<int, int>> used;  // value class, scale class
    for (int v = 0; v < kValues; ++v)
        for (int s = 0; s < kScales; ++s) {
            const auto row = static_cast<size_t>(v * kScales + s);
            for (size_t e = 0; e < kErrors; ++e) sizes[row] += counts_[row * kErrors + e];
            if (sizes[row] > 0) used.emplace_back(v, s);
        }
    limits_.assign(kClasses, 0);
    const double share = outliers ? kShare : 1, beyond = outliers ? kBeyond : 1;
    for (const auto& [v, s] : used) {
        std::array<int64_t, kErrors> errors{};
        int64_t total = 0;
        const auto see = [&](int other_v, int other_s) {
            const auto row = static_cast<size_t>(other_v * kScales + other_s);
            // Errors are relative to S: those beside a smaller one would be larger here. (Not by far: what
            // underflows is as large as its S.)
            const bool smaller = other_s > 0 && s > other_s && s - other_s <= kNear;
            const size_t shift = smaller ? 2 * static_cast<size_t>(s - other_s) : 0;
            for (size_t e = 0; e < kErrors; ++e)
                errors[e > 0 ? std::min<size_t>(e + shift, kErrors - 1) : 0] += counts_[row * kErrors + e];
            total += sizes[row];
        };
        // The class alone, then with its neighbours, the nearest first. The rounding of a result hides
        // errors: those where less cancels than here (the result is larger beside S) are asked last, with
        // those that are far away.
        const int cancelled = std::min(s - v, kCancelled);
        for (const bool last : {false, true})
            for (int distance = 0; total < kEnough && distance < kScales; ++distance)
                for (const auto& [other_v, other_s] : used)
                    if (std::max(std::abs(other_v - v), std::abs(other_s - s)) == distance &&
                        (other_s - other_v < cancelled || distance > kNear) == last)
                        see(other_v, other_s);
        const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(total)));
        int64_t seen = 0;
        size_t e = 0;
        while (e + 1 < kErrors && (seen += errors[e]) < wanted) ++e;
        // The upper edge of the class.
        if (e > 0)
            limits_[static_cast<size_t>(v * kScales + s)] = std::ldexp(
                rms_ * beyond * (e % 2 == 1 ? kHalf : 1), kLeastError + static_cast<int>(e - 1) / 2);
    }
    return limits_;
}

}  // namespace tritonsmith::numerics
