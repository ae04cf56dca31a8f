#include "cli/generate_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/text.h"

namespace tritonsmith::cli {

std::string describe_attempt(const generate::Attempt& attempt) {
    std::string out = attempt.round == 0
                          ? "the forge's: "
                          : fmt::format("round {}, sample {}: ", attempt.round, attempt.sample);
    if (attempt.accepted())
        return out + (attempt.speedup() > 0
                          ? fmt::format("accepted, {:.2f} times the reference's speed", attempt.speedup())
                          : std::string("accepted"));
    std::string message = shortened(attempt.verdict.value("message", ""), 160);
    for (char& c : message)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return out + attempt.reason() + (message.empty() ? "" : ": " + message);
}

std::string describe_counts(const std::map<std::string, int>& reasons) {
    std::vector<std::pair<int, std::string>> order;
    for (const auto& [reason, count] : reasons) order.emplace_back(-count, reason);
    std::sort(order.begin(), order.end());
    std::string out;
    for (const auto& [count, reason] : order)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", -count, reason);
    return out;
}

Json generate_json(const generate::Outcome& out, const task::Task& task, const GenerateFlags& flags,
                   const std::string& model, double seconds) {
    Json best;
    if (out.best)
        best = {{"round", out.best->round},
                {"sample", out.best->sample},
                {"code", out.best->code},
                {"verdict", out.best->verdict}};
    return {
        {"task", task.id},
        {"model", model},
        {"accepted", out.best.has_value()},
        {"output", out.best && !flags.output.empty() ? Json(flags.output) : Json()},
        {"samples", flags.samples},
        {"rounds", out.rounds},
        {"answers", out.answers},
        {"programs", out.programs},
        {"judged", out.judged},
        {"reasons", out.reasons},
        {"best", best},
        {"usage",
         {{"prompt_tokens", out.usage.prompt_tokens}, {"completion_tokens", out.usage.completion_tokens}}},
        {"interrupted", out.cancelled},
        {"failure", out.failure.empty() ? Json() : Json(out.failure)},
        {"seconds", seconds}};
}

GenerateDisplay::GenerateDisplay(int samples)
    : terminal_(::isatty(STDERR_FILENO) != 0), progress_("answers judged", samples) {}

void GenerateDisplay::verdict(const generate::Attempt& attempt) {
    line(describe_attempt(attempt));
    progress_.advance();
}

void GenerateDisplay::news(int answers, size_t bytes) {
    progress_.note(fmt::format("{} answers, {} kB received", answers, bytes / 1000));
    progress_.advance(0);
}

void GenerateDisplay::line(const std::string& text) const {
    fmt::print(stderr, "{}{}\n", terminal_ ? "\r\033[K" : "", text);
}

}  // namespace tritonsmith::cli
