#include "judge/stages/planted_values.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/json.h"
#include "judge/candidate/launches.h"
#include "plan/ir/json.h"
#include "ttir/footprint/data_constants.h"

namespace tritonsmith::judge {

namespace {

constexpr size_t kMostConstants = 8;
/// Where elements of one input are compared with those of another: all have the same ones in the same places.
constexpr double kEqual[] = {-0.5, 0.25, 0.5, 0, 1, 2};

/// Where the constant is a bound, errors just behind it do not show.
void add_around(double constant, std::set<double>& out) {
    const auto near = static_cast<float>(constant);
    const double tiny = near == 0 ? 0x1p-20 : 0;
    out.insert({constant, std::nextafter(near, INFINITY) + tiny, std::nextafter(near, -INFINITY) - tiny,
                constant + 0.5, constant - 0.5, 1.5 * constant, 0.75 * constant});
}

/// All that is asked of pointers is that they are some.
ttir::Argument number_or_pointer(const plan::Value& value) {
    if (const auto* number = std::get_if<int64_t>(&value.v)) return *number;
    if (const auto* flag = std::get_if<bool>(&value.v)) return static_cast<int64_t>(*flag);
    if (const auto* number = std::get_if<double>(&value.v)) return *number;
    return ttir::PointerArgument{};
}

}  // namespace

std::vector<double> planted_values(const plan::Plan& plan,
                                   const std::vector<std::shared_ptr<const ttir::Module>>& modules) {
    std::set<double> constants, out;
    std::set<std::string> seen;  // the same kernel with the same numbers
    for (const LaunchRef& ref : launches(plan)) {
        std::string key = std::to_string(ref.launch->kernel);
        for (const plan::Value& value : ref.launch->args)
            if (plan::tensors_in(value).empty()) key += " " + dump(plan::to_json(value));
        if (!seen.insert(key).second) continue;
        std::vector<ttir::Argument> arguments;
        for (const plan::Value& value : ref.launch->args) arguments.push_back(number_or_pointer(value));
        const ttir::DataConstants found = ttir::data_constants(
            *modules[static_cast<size_t>(ref.launch->kernel)], arguments, kMostConstants);
        if (found.with_each_other) out.insert(std::begin(kEqual), std::end(kEqual));
        for (const auto* list : {&found.reals, &found.integers})
            for (double constant : *list)
                if (std::abs(constant) < 1e30 && constants.size() < kMostConstants)
                    constants.insert(constant);
    }
    for (double constant : constants) add_around(constant, out);
    return {out.begin(), out.end()};
}

}  // namespace tritonsmith::judge
