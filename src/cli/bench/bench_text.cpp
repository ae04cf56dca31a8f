#include "cli/bench/bench_text.h"

#include <fmt/format.h>

namespace tritonsmith::cli {
namespace {

std::string percent_text(const Json& estimate) {
    return fmt::format("{:5.1f} % [{:.1f}, {:.1f}]", 100 * estimate.at("value").get<double>(),
                       100 * estimate.at("low").get<double>(), 100 * estimate.at("high").get<double>());
}

}  // namespace

std::string summary_text(const Json& summary) {
    std::string out;
    for (const auto& [name, protocol] : summary.at("protocols").items()) {
        out += fmt::format("{} ({}), {} problems, {} answers each\n", name,
                           protocol.at("describe").get<std::string>(),
                           summary.at("problems").at("all").get<int>(), summary.at("samples").get<int>());
        if (const int pending = protocol.at("pending"); pending > 0)
            out += fmt::format("  {} answers are not judged yet: they count as wrong\n", pending);
        for (const Json& rate : protocol.at("rates"))
            out += fmt::format("  {:<18} pass@{:<4} {}\n", rate.at("metric").get<std::string>(),
                               rate.at("k").get<int>(), percent_text(rate.at("all")));
        for (const Json& reason : protocol.at("reasons"))
            out += fmt::format("  {:>6}  {}\n", reason.at("count").get<int>(),
                               reason.at("reason").get<std::string>());
    }
    return out;
}

std::string compare_text(const Json& compared) {
    std::string out =
        fmt::format("{} -> {} ({}), {} problems in both\n", compared.at("a").get<std::string>(),
                    compared.at("b").get<std::string>(), compared.at("protocol").get<std::string>(),
                    compared.at("tasks").get<int>());
    for (const Json& one : compared.at("metrics"))
        out += fmt::format("  {:<18} {} -> {}  difference {}  gained {} lost {}  p = {:.3g}\n",
                           one.at("metric").get<std::string>(), percent_text(one.at("a")),
                           percent_text(one.at("b")), percent_text(one.at("difference")),
                           one.at("gained").get<int>(), one.at("lost").get<int>(), one.at("p").get<double>());
    for (const Json& flip : compared.at("flips"))
        out += fmt::format("  {} {}: {} -> {}\n", flip.at("to").get<std::string>(),
                           flip.at("problem").get<std::string>(), flip.at("a").get<std::string>(),
                           flip.at("b").get<std::string>());
    return out;
}

}  // namespace tritonsmith::cli
