#include "judge/candidate/evidence_sentence.h"

#include <fmt/format.h>

namespace tritonsmith::judge {

namespace {

std::string sets(int64_t number) {
    return fmt::format("{} set{} of inputs", number, number == 1 ? "" : "s");
}

/// "COLS 4096 -> 256, ROWS 4096 -> 256"
std::string sizes(const ScaledSizes& scaled) {
    std::string text;
    for (const auto& [constant, size] : scaled)
        text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", constant, size.first, size.second);
    return text;
}

/// Too small a share is a power of ten rather than 0 %.
std::string percent(double share) {
    return share >= 1e-3 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.1g} %", 100 * share);
}

std::string sample(const SampledEvidence& s) {
    if (s.compared == 0) return "at full size no element could be compared";
    int64_t elements = 0;
    std::string unwritten;
    for (const SampledOutputEvidence& output : s.outputs) {
        elements += output.elements;
        if (const auto share = output.unwritten_share(); share && *share > 0)
            unwritten += fmt::format("; no launch writes {} of {}", percent(*share), output.name);
    }
    std::string text =
        fmt::format("at full size {} of {} elements on {}", s.compared, elements, sets(s.sets));
    if (const auto* worst = s.worst())
        text += fmt::format(", where one wrong tile of {} would be missed with a probability of {:.2g}",
                            worst->tiles(), worst->missed());
    return text + unwritten;
}

}  // namespace

std::string evidence_sentence(const Evidence& evidence) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "compared: " : "; ") + part; };
    if (evidence.input_sets)
        add(fmt::format("all elements on {}{}", sets(static_cast<int64_t>(*evidence.input_sets)),
                        evidence.scaled ? " scaled down (" + sizes(*evidence.scaled) + ")"
                                        : std::string(" at the task's own size")));
    for (const ScaledSizes& further : evidence.further_sizes)
        add(further.empty() ? "the same on few sets at the task's own size"
                            : "the same with " + sizes(further));
    if (evidence.full_size_sample) add(sample(*evidence.full_size_sample));
    if (const auto& run = evidence.full_size_run)
        add(fmt::format("all elements at full size on {} on {}", sets(static_cast<int64_t>(run->input_sets)),
                        run->device));
    return text.empty() ? "accepted" : text;
}

}  // namespace tritonsmith::judge
