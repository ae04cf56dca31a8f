#include "bench/training/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "bench/report/escaped.h"

namespace tritonsmith::bench {
namespace {

constexpr double kPlotWidth = 640, kPlotHeight = 300, kPlotLeft = 48, kPlotRight = 12, kPlotTop = 40,
                 kPlotBottom = 30, kLegendRow = 18;
constexpr size_t kColours = 5;

constexpr const char* kPlotStyle =
    "text { font: 12px system-ui, sans-serif; fill: #1c1d1f } .soft { fill: #5d6066 } .head { font-weight: "
    "600; font-size: 13px }\n"
    "path { fill: none; stroke-width: 1.8; stroke-linejoin: round } .grid { stroke: #dfe0e2; stroke-width: 1 "
    "} .own { stroke: #3450c8 } .held { stroke: #b3392c } .c2 { stroke: #2e7d4f } .c3 { stroke: #8a5fb0 } "
    ".c4 { stroke: #9a6a00 } .dashed { stroke-dasharray: 5 3 } .band { stroke: none; opacity: .15 } "
    ".band.own { fill: #3450c8 } .band.held { fill: #b3392c } .band.c2 { fill: #2e7d4f } .band.c3 { fill: "
    "#8a5fb0 } .band.c4 { fill: #9a6a00 }\n"
    "@media (prefers-color-scheme: dark) { text { fill: #e6e7e9 } .soft { fill: #9ba0a8 } .grid { stroke: "
    "#33373d } .own { stroke: #8fa6ff } .held { stroke: #f08a7d } .c2 { stroke: #74c69d } .c3 { stroke: "
    "#c9a6ea } .c4 { stroke: #e0b050 } .band { stroke: none } }\n";

std::string style_of(size_t line) {
    constexpr const char* styles[kColours] = {"own", "held", "c2", "c3", "c4"};
    return std::string(styles[line % kColours]) + (line >= kColours ? " dashed" : "");
}

/// A step of 1, 2 or 5 times a power of ten, so that at most five fit.
double tick_of(double range) {
    const double power = std::pow(10, std::floor(std::log10(range / 4)));
    for (const double times : {1.0, 2.0, 5.0})
        if (range / (times * power) <= 5) return times * power;
    return 10 * power;
}

/// One plot, drawn from its own origin.
class Panel {
  public:
    explicit Panel(const Plot& plot) : plot_(plot) {
        for (const PlotLine& line : plot.lines) {
            if (!line.steps->empty()) last_ = std::max(last_, line.steps->back());
            for (size_t i = 0; i < line.values->mean.size(); ++i) {
                if (std::isnan(line.values->mean[i])) continue;
                high_ = std::max(high_, line.values->high[i]);
                low_ = std::min(low_, line.values->low[i]);
            }
        }
        if (high_ <= low_) high_ = low_ + 1;
    }

    double height() const { return kPlotHeight + kLegendRow * static_cast<double>(plot_.lines.size()); }

    std::string body() const {
        std::string body =
            fmt::format("<text class=\"head\" x=\"0\" y=\"16\">{}</text>\n", escaped(plot_.title));
        const double tick = tick_of(high_ - low_);
        for (double value = std::ceil(low_ / tick) * tick; value <= high_ + tick / 1e6; value += tick)
            body += fmt::format(
                "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text class=\"soft\" x=\"{}\" y=\"{:.1f}\" "
                "text-anchor=\"end\">{:.4g}</text>\n",
                kPlotLeft, y(value), kPlotWidth - kPlotRight, kPlotLeft - 6, y(value) + 4,
                std::abs(value) < tick / 1e6 ? 0 : value);
        const double step_tick = tick_of(last_);
        for (double value = 0; value <= last_; value += step_tick)
            body += fmt::format(
                "<text class=\"soft\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.6g}</text>\n", x(value),
                kPlotHeight - 10, value);
        for (size_t i = 0; i < plot_.lines.size(); ++i) body += line(i);
        return body;
    }

  private:
    double x(double step) const { return kPlotLeft + (kPlotWidth - kPlotLeft - kPlotRight) * step / last_; }
    double y(double value) const {
        return kPlotTop + (kPlotHeight - kPlotTop - kPlotBottom) * (1 - (value - low_) / (high_ - low_));
    }

    std::string path(const std::vector<double>& steps, const std::vector<double>& values) const {
        std::string path;
        for (size_t i = 0; i < steps.size(); ++i)
            if (!std::isnan(values[i]))
                path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(steps[i]), y(values[i]));
        return path;
    }

    std::string line(size_t number) const {
        const PlotLine& line = plot_.lines[number];
        const std::string style = style_of(number);
        const double row = kPlotHeight + kLegendRow * static_cast<double>(number) + 8;
        std::vector<double> steps(line.steps->rbegin(), line.steps->rend()),
            low(line.values->low.rbegin(), line.values->low.rend());
        std::string back = path(steps, low);
        std::string body;
        if (!back.empty() && line.values->low != line.values->high) {
            back[0] = 'L';
            body = fmt::format("<path class=\"band {}\" d=\"{}{}Z\"/>\n", style,
                               path(*line.steps, line.values->high), back);
        }
        return body + fmt::format(
                          "<path class=\"{}\" d=\"{}\"/><path class=\"{}\" d=\"M{} {}h16\"/><text "
                          "class=\"soft\" x=\"{}\" y=\"{}\">{}</text>\n",
                          style, path(*line.steps, line.values->mean), style, kPlotLeft, row, kPlotLeft + 22,
                          row + 4, escaped(line.label));
    }

    const Plot& plot_;
    double last_ = 1, low_ = 0, high_ = 0;
};

}  // namespace

bool Plot::has_values() const {
    return std::any_of(lines.begin(), lines.end(), [](const PlotLine& line) {
        return std::any_of(line.values->mean.begin(), line.values->mean.end(),
                           [](double value) { return !std::isnan(value); });
    });
}

std::string plotted(const std::string& title, const std::vector<Plot>& plots) {
    std::string body;
    double height = 0;
    for (const Plot& plot : plots) {
        if (!plot.has_values()) continue;
        const Panel panel(plot);
        body += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", height, panel.body());
        height += panel.height() + 12;
    }
    if (body.empty()) throw InputError(title + ": there is nothing to draw yet");
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
        "aria-label=\"{}\">\n<style>\n{}</style>\n{}</svg>\n",
        kPlotWidth, height, escaped(title), kPlotStyle, body);
}

}  // namespace tritonsmith::bench
