#include "judge/verdict/evidence_sentence.h"

#include <fmt/format.h>

#include <vector>

namespace tritonsmith::judge {

namespace {

std::string sets(int64_t number) {
    return fmt::format("{} set{} of inputs", number, number == 1 ? "" : "s");
}

/// "COLS 4096 -> 256, ROWS 4096 -> 256"
std::string sizes(const Json& scaled) {
    std::string text;
    for (const auto& [constant, pair] : scaled.items())
        text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", constant, pair[0].get<int64_t>(),
                            pair[1].get<int64_t>());
    return text;
}

/// Too small a share is a power of ten rather than 0 %.
std::string percent(double share) {
    return share >= 1e-3 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.1g} %", 100 * share);
}

std::string sample(const Json& s) {
    const auto compared = s.at("elements_compared").get<int64_t>();
    if (compared == 0) return "at full size no element could be compared";
    int64_t elements = 0;
    std::vector<std::string> unwritten;
    for (const Json& output : s.at("outputs")) {
        elements += output.at("elements").get<int64_t>();
        const Json& share = output.at("unwritten_share");
        if (share.is_number() && share.get<double>() > 0)
            unwritten.push_back(fmt::format("no launch writes {} of {}", percent(share.get<double>()),
                                            output.at("output").get<std::string>()));
    }
    std::string text = fmt::format("at full size {} of {} elements on {}", compared, elements,
                                   sets(s.at("input_sets").get<int64_t>()));
    if (s.contains("one_wrong_tile"))
        text += fmt::format(", where one wrong tile of {} would be missed with a probability of {:.2g}",
                            s.at("one_wrong_tile").at("of").get<int64_t>(),
                            s.at("one_wrong_tile").at("missed").get<double>());
    for (const std::string& one : unwritten) text += "; " + one;
    return text;
}

}  // namespace

std::string evidence_sentence(const Verdict& verdict) {
    const Json& evidence = verdict.evidence;
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "compared: " : "; ") + part; };
    if (evidence.contains("input_sets"))
        add(fmt::format("all elements on {}{}", sets(evidence.at("input_sets").get<int64_t>()),
                        evidence.contains("scaled") ? " scaled down (" + sizes(evidence.at("scaled")) + ")"
                                                    : std::string(" at the task's own size")));
    if (evidence.contains("full_size_sample")) add(sample(evidence.at("full_size_sample")));
    if (evidence.contains("full_size_run")) {
        const Json& run = evidence.at("full_size_run");
        add(fmt::format("all elements at full size on {} on {}", sets(run.at("input_sets").get<int64_t>()),
                        run.at("device").get<std::string>()));
    }
    return text.empty() ? "accepted" : text;
}

}  // namespace tritonsmith::judge
