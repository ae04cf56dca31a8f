#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bench/report/escaped.h"
#include "bench/report/report.h"

namespace tritonsmith::bench {
namespace {

constexpr int kLabel = 190, kBars = 420, kRow = 20, kWidth = kLabel + kBars + 130;

constexpr const char* kStyle =
    "text { font: 12px system-ui, sans-serif; fill: #1c1d1f } .soft { fill: #5d6066 } .head { font-weight: "
    "600; font-size: 13px }\n"
    ".own { fill: #3450c8 } .theirs { fill: #c9ccd1 } .line { stroke: #5d6066; stroke-width: 1.5; fill: none "
    "}\n"
    "@media (prefers-color-scheme: dark) { text { fill: #e6e7e9 } .soft { fill: #9ba0a8 } .own { fill: "
    "#8fa6ff } .theirs { fill: #4a4f57 }\n"
    "  .line { stroke: #9ba0a8 } }\n";

/// Rows from the top down.
class Bars {
  public:
    void heading(const std::string& text) {
        y_ += kRow + 6;
        body_ += fmt::format("<text class=\"head\" x=\"0\" y=\"{}\">{}</text>\n", y_, escaped(text));
    }
    void note(const std::string& text) {
        y_ += kRow;
        body_ += fmt::format("<text class=\"soft\" x=\"0\" y=\"{}\">{}</text>\n", y_, escaped(text));
    }
    /// @param share from 0 to 1 @param interval null: none is known
    void bar(const std::string& label, double share, const Json* interval, const char* style) {
        y_ += kRow;
        const double width = kBars * share;
        body_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kLabel - 8, y_,
                             escaped(shortened(label, 32)));
        body_ +=
            fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"12\" rx=\"2\"/>\n",
                        style, kLabel, y_ - 10, std::max(width, 1.0));
        double end = width;
        std::string text = fmt::format("{:.0f} %", 100 * share);
        if (interval) {
            const double low = interval->at("low"), high = interval->at("high");
            body_ += fmt::format("<path class=\"line\" d=\"M{:.1f} {}H{:.1f}\"/>\n", kLabel + kBars * low,
                                 y_ - 4, kLabel + kBars * high);
            end = std::max(end, kBars * high);
            text = fmt::format("{:.1f} % ({:.0f}–{:.0f})", 100 * share, 100 * low, 100 * high);
        }
        body_ +=
            fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", kLabel + end + 6, y_, text);
    }
    std::string svg(const std::string& title) const {
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
            "aria-label=\"{}\">\n<style>\n{}</style>\n{}</svg>\n",
            kWidth, y_ + 10, escaped(title), kStyle, body_);
    }

  private:
    std::string body_;
    int y_ = 0;
};

}  // namespace

std::string report_figure(const RunData& run) {
    const Json report = report_json(run);
    const Json& protocols = report["protocols"];
    if (protocols.empty())
        throw InputError("run " + run.name + " has no verdicts yet: there is nothing to draw");
    const std::string name = protocols.contains("robust") ? "robust" : protocols.begin().key();
    const Json& protocol = protocols[name];
    const Json& levels = protocol["groups"]["level"];
    Bars bars;
    const std::string title = fmt::format("{}: correct answers, {} problems, {} each ({})", run.name,
                                          report["problems"]["all"].get<int>(), run.samples, name);
    bars.heading(title);
    for (const Json& rate : protocol["rates"])
        if (rate["metric"] == "correct" && rate["k"] == 1)
            bars.bar("all problems", rate["all"]["value"], &rate["all"], "own");
    for (const Json& level : levels) {
        const std::string number = level["group"];
        bars.heading("level " + number);
        bars.bar("this run", level["correct"]["value"], &level["correct"], "own");
        for (const Json& row : report["published"])
            if (row["benchmark"] == "kernelbench level " + number && row["attempts"] == "1" &&
                row["correct"].is_number())
                bars.bar(row["system"], row["correct"].get<double>() / 100, nullptr, "theirs");
    }
    if (const int pending = protocol["pending"]; pending > 0)
        bars.note(fmt::format("{} answers are not judged yet: they count as wrong.", pending));
    if (!report["published"].empty())
        bars.note(
            "Grey: as their authors report them, at one attempt, on whole levels, by their own protocols.");
    return bars.svg(title);
}

}  // namespace tritonsmith::bench
