#include "data/synth/families/layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tritonsmith::data {

bool is_image(const Sampler& a, int v) {
    const int rank = a.s.theme == "i" ? 4 : a.s.theme == "c" ? 3 : a.s.theme == "v" ? 5 : -1;
    return a.floating(v) && a.rank(v) == rank && a.at(v).tensor.dtype == a.s.dtype &&
           !a.shape(v)[1].text.empty() && a.at(v).bound < 1e3;
}

PerAxis::PerAxis(Sampler& sampler, size_t axes, bool in_forward)
    : a_(sampler),
      axes_(axes),
      in_forward_(in_forward),
      separate_(axes > 1 && sampler.s.optional > 0 && sampler.r.chance(0.12)) {
    static const std::vector<std::vector<const char*>> endings = {
        {"_d", "_h", "_w"}, {"_depth", "_height", "_width"}, {"_t", "_h", "_w"}, {"_z", "_y", "_x"}};
    const std::vector<const char*>& drawn = a_.r.of(endings);
    endings_.assign(drawn.end() - static_cast<std::ptrdiff_t>(axes), drawn.end());
}

std::string PerAxis::number(const std::string& name, int64_t value) {
    return in_forward_ ? a_.kept(name.c_str(), std::to_string(value), Arg(value))
                       : a_.option(name.c_str(), value);
}

std::string PerAxis::text(const char* name, const std::vector<int64_t>& numbers) {
    if (separate_) return fmt::format("({})", fmt::join(each(name, numbers), ", "));
    if (all_are(numbers, numbers[0])) {
        const std::string one = number(name, numbers[0]);
        if (axes_ == 1 || !a_.r.chance(0.15)) return one;
        return fmt::format("({})", fmt::join(std::vector<std::string>(axes_, one), ", "));
    }
    // (kernel_size, 1)
    const auto plain = std::count_if(numbers.begin(), numbers.end(), [](int64_t one) { return one <= 1; });
    if (!in_forward_ && plain + 1 == static_cast<std::ptrdiff_t>(numbers.size()) && a_.r.chance(0.5)) {
        std::vector<std::string> each;
        for (const int64_t one : numbers) each.push_back(one <= 1 ? std::to_string(one) : number(name, one));
        return fmt::format("({})", fmt::join(each, ", "));
    }
    const Shape shape(numbers.begin(), numbers.end());
    const std::string tuple = fmt::format("({})", fmt::join(numbers, ", "));
    return in_forward_ ? a_.kept(name, tuple, Arg::tuple(shape)) : a_.option(name, tuple, Arg::tuple(shape));
}

std::vector<std::string> PerAxis::each(const char* name, const std::vector<int64_t>& numbers) {
    std::vector<std::string> out;
    for (size_t i = 0; i < numbers.size(); ++i) {
        if (separate_)
            out.push_back(number(std::string(name) + endings_[i], numbers[i]));
        else if (i > 0 && all_are(numbers, numbers[0]))
            out.push_back(out[0]);
        else if (i == 0 && all_are(numbers, numbers[0]))
            out.push_back(number(name, numbers[0]));
        else
            out.push_back(std::to_string(numbers[i]));
    }
    return out;
}

}  // namespace tritonsmith::data
