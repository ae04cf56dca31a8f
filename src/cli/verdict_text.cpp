#include "cli/verdict_text.h"

#include <fmt/format.h>

#include "base/excerpt.h"

namespace tritonsmith::cli {

namespace {

std::string scaled(const Json& evidence) {
    if (!evidence.contains("scaled")) return "";
    std::string text;
    for (const auto& [constant, pair] : evidence["scaled"].items())
        text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", constant, pair[0].get<int64_t>(),
                            pair[1].get<int64_t>());
    return "  scaled for this machine: " + text + "\n";
}

/// What other than IEEE the verdict rests on.
std::string precision(const Json& evidence) {
    const std::string asked = evidence.value("precision", "default");
    const bool tf32 = evidence.value("tf32", false);
    if (asked == "default" && !tf32) return "";
    std::string text = "  precision: " + asked;
    if (asked == "tf32") text += " (products and convolutions of float32 may round to TF32, tolerance 1e-2)";
    if (tf32) text += "; the candidate's products round float32 operands to TF32";
    return text + "\n";
}

std::string numbers(const Json& evidence) {
    std::string text = precision(evidence);
    if (evidence.contains("error")) {
        const Json& e = evidence["error"];
        text +=
            fmt::format("  largest error {:.3g} (the reference's own: {:.3g}; {:.0f} % of what is allowed)\n",
                        e["candidate"].get<double>(), e["reference"].get<double>(),
                        100 * e["share_of_bound"].get<double>());
    }
    if (evidence.contains("kernels"))
        for (const Json& k : evidence["kernels"])
            text += fmt::format("  {}: {} registers, {} spills, {} bytes of shared memory\n",
                                k["kernel"].get<std::string>(), k["registers"].get<int>(),
                                k["spills"].get<int>(), k["shared"].get<int64_t>());
    return text;
}

std::string device(const judge::Verdict& v) {
    std::string text;
    if (!v.candidate_ms || !v.speedup) return text;
    const Json& interval = v.evidence.at("timing").at("candidate").at("interval_ms");
    text += fmt::format("  {:.4g} ms (95 %: {:.4g} to {:.4g})", *v.candidate_ms, interval[0].get<double>(),
                        interval[1].get<double>());
    for (const auto& [name, ms] : v.baseline_ms.items())
        text += fmt::format(", {} {:.4g} ms", name, ms.get<double>());
    return text + fmt::format(": {:.2f} times as fast as eager\n", *v.speedup);
}

}  // namespace

std::string stage_line(const judge::StageTime& stage) {
    return fmt::format("  {:<12} {:6.2f} s  {}\n", stage.stage, stage.seconds, stage.detail);
}

std::string verdict_text(const judge::Verdict& v, const task::Task& task, const std::string& candidate,
                         const std::string& name, bool colour) {
    const char* on = !colour                               ? ""
                     : v.accepted()                        ? "\033[32m"
                     : v.status == judge::Status::rejected ? "\033[31m"
                                                           : "\033[33m";
    std::string text = fmt::format("{}{}{}: {} for {} (checked: {})\n", on, judge::name(v.status),
                                   colour ? "\033[0m" : "", name, task.display, judge::name(v.checked));
    text += v.accepted() ? fmt::format("  {}\n", v.message)
                         : fmt::format("  {} at {}: {}\n", v.reason, v.stage, v.message);
    if (const std::string lines = v.accepted() ? "" : excerpt(candidate, v.line); !lines.empty())
        text += fmt::format("  {}:{}\n", name, v.line) + lines;
    return text + (v.accepted() ? "" : scaled(v.evidence)) + numbers(v.evidence) + device(v);
}

}  // namespace tritonsmith::cli
