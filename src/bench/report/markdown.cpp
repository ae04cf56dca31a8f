#include <fmt/format.h>

#include "bench/report/report.h"

namespace tritonsmith::bench {
namespace {

std::string cell(const Json& estimate) {
    return fmt::format("{:.1f} % ({:.1f}–{:.1f})", 100 * estimate.at("value").get<double>(),
                       100 * estimate.at("low").get<double>(), 100 * estimate.at("high").get<double>());
}

/// Names come from files: a bar would end a cell.
std::string name_cell(std::string text) {
    for (char& c : text)
        if (c == '|' || c == '\n') c = ' ';
    return text;
}

std::string protocol_section(const std::string& name, const Json& protocol) {
    std::string out = fmt::format("\n## {}: {}\n", name, protocol["describe"].get<std::string>());
    if (const int pending = protocol["pending"]; pending > 0)
        out += fmt::format("\n{} answers are not judged yet: they count as wrong.\n", pending);
    out += "\n| metric | attempts | all problems | sound problems |\n|---|---|---|---|\n";
    for (const Json& rate : protocol["rates"])
        out += fmt::format("| {} | {} | {} | {} |\n", rate["metric"].get<std::string>(), rate["k"].get<int>(),
                           cell(rate["all"]), cell(rate["sound"]));
    for (const auto& [property, rows] : protocol["groups"].items()) {
        if (rows.empty()) continue;
        out += fmt::format("\n| {} | problems | compiled | correct |\n|---|---|---|---|\n", property);
        for (const Json& row : rows)
            out += fmt::format("| {} | {} | {} | {} |\n", name_cell(row["group"]), row["tasks"].get<int>(),
                               cell(row["compiled"]), cell(row["correct"]));
    }
    if (protocol.contains("speedups")) {
        const Json& all = protocol["speedups"]["answers"];
        out += fmt::format(
            "\nSpeedup over eager PyTorch of {} accepted answers: geomean {:.3g}, median {:.3g}, from {:.3g} "
            "to {:.3g}.\n",
            all["count"].get<int>(), all["geomean"].get<double>(), all["median"].get<double>(),
            all["low"].get<double>(), all["high"].get<double>());
    }
    out += "\n| reason | answers | kind of cheating |\n|---|---|---|\n";
    for (const Json& reason : protocol["reasons"])
        out += fmt::format("| `{}` | {} | {} |\n", reason["reason"].get<std::string>(),
                           reason["count"].get<int>(), reason["hack"].get<std::string>());
    return out;
}

}  // namespace

std::string report_markdown(const RunData& run) {
    const Json report = report_json(run);
    std::string out = fmt::format(
        "# {}\n\n{} problems, {} with an answer, {} with a known flaw; {} answers each. Intervals: 95 %, "
        "bootstrap over problems.\n",
        name_cell(run.name), report["problems"]["all"].get<int>(), report["problems"]["answered"].get<int>(),
        report["problems"]["flawed"].get<int>(), run.samples);
    for (const auto& [name, protocol] : report["protocols"].items()) out += protocol_section(name, protocol);
    if (report["published"].empty()) return out;
    auto number = [](const Json& value) {
        return value.is_null() ? std::string() : fmt::format("{:g}", value.get<double>());
    };
    out +=
        "\n## Published by others, by their own protocols\n\n| system | benchmark | attempts | compiled | "
        "correct | fast_1 | fast_2 | protocol |\n|---|---|---|---|---|---|---|---|\n";
    for (const Json& row : report["published"])
        out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", row["system"].get<std::string>(),
                           row["benchmark"].get<std::string>(), row["attempts"].get<std::string>(),
                           number(row["compiled"]), number(row["correct"]), number(row["fast_1"]),
                           number(row["fast_2"]), row["protocol"].get<std::string>());
    return out;
}

}  // namespace tritonsmith::bench
