#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report/escaped.h"
#include "bench/training/training_report.h"

namespace tritonsmith::bench {
namespace {

constexpr double kPlotWidth = 640, kPlotHeight = 300, kPlotLeft = 48, kPlotRight = 12, kPlotTop = 40,
                 kPlotBottom = 30;

constexpr const char* kPlotStyle =
    "text { font: 12px system-ui, sans-serif; fill: #1c1d1f } .soft { fill: #5d6066 } .head { font-weight: "
    "600; font-size: 13px }\n"
    "path { fill: none; stroke-width: 1.8; stroke-linejoin: round } .grid { stroke: #dfe0e2; stroke-width: 1 "
    "} .own { stroke: #3450c8 } .held { stroke: #b3392c }\n"
    "@media (prefers-color-scheme: dark) { text { fill: #e6e7e9 } .soft { fill: #9ba0a8 } .grid { stroke: "
    "#33373d } .own { stroke: #8fa6ff } .held { stroke: #f08a7d } }\n";

/// A step of 1, 2 or 5 times a power of ten, so that at most five fit.
double tick_of(double range) {
    const double power = std::pow(10, std::floor(std::log10(range / 4)));
    for (const double times : {1.0, 2.0, 5.0})
        if (range / (times * power) <= 5) return times * power;
    return 10 * power;
}

}  // namespace

std::string training_figure(const TrainingRun& run) {
    double most = 0;
    for (const char* name : {"loss", "evaluation/loss"})
        if (const auto curve = run.curves.find(name); curve != run.curves.end())
            for (const double value : curve->second.mean)
                if (!std::isnan(value)) most = std::max(most, value);
    if (!(most > 0)) throw InputError("run " + run.name + " has no losses: there is nothing to draw");
    const double last = std::max(run.steps.back(), 1.0);
    const auto x = [&](double step) {
        return kPlotLeft + (kPlotWidth - kPlotLeft - kPlotRight) * step / last;
    };
    const auto y = [&](double loss) {
        return kPlotTop + (kPlotHeight - kPlotTop - kPlotBottom) * (1 - loss / most);
    };
    std::string body =
        fmt::format("<text class=\"head\" x=\"0\" y=\"16\">{}: loss by step</text>\n", escaped(run.name));
    for (double value = 0, tick = tick_of(most); value <= most; value += tick)
        body += fmt::format(
            "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text class=\"soft\" x=\"{}\" y=\"{:.1f}\" "
            "text-anchor=\"end\">{:.4g}</text>\n",
            kPlotLeft, y(value), kPlotWidth - kPlotRight, kPlotLeft - 6, y(value) + 4, value);
    for (double value = 0, tick = tick_of(last); value <= last; value += tick)
        body +=
            fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.6g}</text>\n",
                        x(value), kPlotHeight - 10, value);
    double legend = kPlotWidth - kPlotRight;
    for (const auto& [name, style] : {std::pair("evaluation/loss", "held"), std::pair("loss", "own")}) {
        const auto curve = run.curves.find(name);
        if (curve == run.curves.end()) continue;
        std::string line;
        for (size_t i = 0; i < run.steps.size(); ++i)
            if (const double value = curve->second.mean[i]; !std::isnan(value))
                line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x(run.steps[i]), y(value));
        const bool held = std::string_view(style) == "held";
        legend -= held ? 90 : 80;
        body += fmt::format(
            "<path class=\"{}\" d=\"{}\"/><path class=\"{}\" d=\"M{} 12h16\"/><text class=\"soft\" x=\"{}\" "
            "y=\"16\">{}</text>\n",
            style, line, style, legend, legend + 20, held ? "evaluation" : "training");
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}: loss "
        "by step\">\n<style>\n{}</style>\n{}</svg>\n",
        kPlotWidth, kPlotHeight, escaped(run.name), kPlotStyle, body);
}

}  // namespace tritonsmith::bench
