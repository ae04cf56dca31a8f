#include "bench/tests/difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/text.h"
#include "judge/compare/compare.h"

namespace tritonsmith::bench {
namespace {

double rms(const std::vector<double>& values) {
    double sum = 0;
    size_t count = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        sum += value * value;
        ++count;
    }
    return count ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

bool agree(double golden, double found, double allowed) {
    if (golden == found || (std::isnan(golden) && std::isnan(found))) return true;
    return std::isfinite(golden) && std::isfinite(found) && std::abs(golden - found) <= allowed;
}

std::optional<std::string> difference_of(const std::string& place, const judge::Elements& golden,
                                         const judge::Elements& found) {
    if (golden.shape != found.shape)
        return fmt::format("{} has the shape [{}], the golden program's [{}]", place,
                           fmt::join(found.shape, ", "), fmt::join(golden.shape, ", "));
    const bool inexact = numerics::inexact(golden.dtype);
    if (inexact != numerics::inexact(found.dtype))
        return place + " is of another kind of numbers than the golden program's";
    const double scale = rms(golden.values);
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < golden.values.size(); ++i) {
        const double allowed = inexact ? kTestTolerance * std::max(std::abs(golden.values[i]), scale) : 0;
        if (agree(golden.values[i], found.values[i], allowed)) continue;
        if (wrong++ == 0) first = i;
    }
    if (wrong == 0) return std::nullopt;
    return fmt::format("{}: {} of {} elements differ, element {} is {:g}, the golden program's {:g}", place,
                       wrong, golden.values.size(), first, found.values[first], golden.values[first]);
}

}  // namespace

std::optional<std::string> difference(const judge::ProgramResult& golden, const judge::ProgramResult& found) {
    for (const run::PackEntry& entry : golden.values.entries()) {
        const std::string place = printable(entry.name, 200);
        const run::PackEntry* other = found.values.find(entry.name);
        if (!other) return "the tests give no value for " + place;
        if (auto what = difference_of(place, judge::elements(golden.values, entry),
                                      judge::elements(found.values, *other)))
            return what;
    }
    for (const auto& [place, text] : golden.texts) {
        const auto other = found.texts.find(place);
        if (other == found.texts.end()) return "the tests give no value for " + printable(place, 200);
        if (other->second != text)
            return fmt::format("{} is '{}', the golden program's '{}'", printable(place, 200),
                               printable(other->second, 200), printable(text, 200));
    }
    if (found.values.entries().size() != golden.values.entries().size() ||
        found.texts.size() != golden.texts.size())
        return std::string("the tests give more values than the golden program's");
    return std::nullopt;
}

}  // namespace tritonsmith::bench
