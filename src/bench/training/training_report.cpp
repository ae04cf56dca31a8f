#include "bench/training/training_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bench/report/escaped.h"
#include "bench/report/filled_page.h"
#include "bench/report/page.h"

namespace tritonsmith::bench {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;  ///< value, what it is

std::string counted(double value) {
    for (const auto& [unit, name] :
         {std::pair(1e12, " T"), std::pair(1e9, " G"), std::pair(1e6, " M"), std::pair(1e4, " k")})
        if (value >= unit) return fmt::format("{:.3g}{}", value / (unit == 1e4 ? 1e3 : unit), name);
    return fmt::format("{:.6g}", value);
}

double last_of(const TrainingRun& run, const std::string& name) {
    const auto found = run.curves.find(name);
    if (found == run.curves.end()) return NAN;
    const std::vector<double>& mean = found->second.mean;
    const auto last =
        std::find_if(mean.rbegin(), mean.rend(), [](double value) { return !std::isnan(value); });
    return last == mean.rend() ? NAN : *last;
}

double median_of(const TrainingRun& run, const std::string& name) {
    const auto found = run.curves.find(name);
    if (found == run.curves.end()) return NAN;
    std::vector<double> values;
    std::copy_if(found->second.mean.begin(), found->second.mean.end(), std::back_inserter(values),
                 [](double value) { return !std::isnan(value); });
    if (values.empty()) return NAN;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

Facts facts_of(const TrainingRun& run) {
    Facts out;
    auto add = [&](double value, const std::string& text, const std::string& label) {
        if (std::isfinite(value) && value > 0) out.emplace_back(text, label);
    };
    const double steps = run.steps.back(), loss = last_of(run, "loss"),
                 rate = median_of(run, "tokens_per_second"), mfu = median_of(run, "mfu");
    add(steps, counted(steps), "steps");
    add(loss, fmt::format("{:.4g}", loss), "loss at the end");
    add(run.best,
        run.best_is_rate ? fmt::format("{:.1f} %", 100 * run.best) : fmt::format("{:.4g}", run.best),
        fmt::format("best evaluation, step {:.0f}", run.best_step));
    add(run.tokens.back(), counted(run.tokens.back()), "tokens");
    add(rate, counted(rate), "tokens/s, median");
    add(mfu, fmt::format("{:.1f} %", 100 * mfu), "of the device's peak, median");
    add(run.hours.back(),
        run.hours.back() < 1 ? fmt::format("{:.3g} min", 60 * run.hours.back())
                             : fmt::format("{:.3g} h", run.hours.back()),
        "of work");
    return out;
}

std::string subtitle_of(const TrainingRun& run) {
    std::string out = run.head.value("kind", "training");
    if (const Json parameters = run.head.value("parameters", Json()); parameters.is_number())
        out += " · " + counted(parameters.get<double>()) + " parameters";
    const Json settings = run.head.value("settings", Json::object());
    if (const Json of_run = settings.value("run", Json::object());
        of_run.is_object() && of_run.contains("device") && of_run["device"].is_string())
        out += " · " + of_run["device"].get<std::string>();
    if (const Json processes = run.head.value("processes", Json());
        processes.is_number_integer() && processes > 1)
        out += fmt::format(" · {} processes", processes.get<int64_t>());
    return out;
}

Json list_of(const std::vector<double>& values) {
    Json out = Json::array();
    for (const double value : values) out.push_back(std::isnan(value) ? Json() : Json(value));
    return out;
}

Json curves_of(const TrainingRun& run) {
    Json out = Json::object();
    for (const auto& [name, curve] : run.curves)
        out[name] = {
            {"mean", list_of(curve.mean)}, {"low", list_of(curve.low)}, {"high", list_of(curve.high)}};
    return out;
}

Json axes_of(const TrainingRun& run) {
    return {{"step", list_of(run.steps)}, {"tokens", list_of(run.tokens)}, {"hours", list_of(run.hours)}};
}

/// Rows that each source gave, or what else the last step counts of its data.
Json sources_of(const TrainingRun& run) {
    Json out = Json::array();
    const auto add = [&](const auto& self, const std::string& prefix, const Json& counts) -> void {
        for (const auto& [name, value] : counts.items()) {
            if (value.is_object()) self(self, prefix + name + " / ", value);
            if (value.is_number()) out.push_back({prefix + name, value});
        }
    };
    if (const Json counts = run.last.value("data", Json()); counts.is_object()) add(add, "", counts);
    return out;
}

}  // namespace

Json training_json(const TrainingRun& run) {
    return {{"run", run.name},
            {"head", run.head},
            {"steps", run.lines},
            {"last", run.last},
            {"best_evaluation",
             std::isnan(run.best)
                 ? Json()
                 : Json{{run.best_is_rate ? "pass_rate" : "loss", run.best}, {"step", run.best_step}}},
            {"axes", axes_of(run)},
            {"curves", curves_of(run)}};
}

std::string training_markdown(const TrainingRun& run) {
    std::string out = fmt::format("## {}\n{}\n\n| | |\n|---|---|\n", run.name, subtitle_of(run));
    for (const auto& [value, label] : facts_of(run)) out += fmt::format("| {} | {} |\n", label, value);
    return out;
}

std::string training_html(const TrainingRun& run) {
    Json tiles = Json::array();
    for (const auto& [value, label] : facts_of(run)) tiles.push_back({value, label});
    const Json page = {{"name", run.name},           {"subtitle", subtitle_of(run)}, {"tiles", tiles},
                       {"sources", sources_of(run)}, {"config", dump(run.head, 2)},  {"axes", axes_of(run)},
                       {"curves", curves_of(run)}};
    return filled_page(training_page, {{"TITLE", escaped(run.name)},
                                       {"CSS", std::string(page_css) + training_css},
                                       {"JS", std::string(common_js) + training_js},
                                       {"DATA", embedded(page)}});
}

}  // namespace tritonsmith::bench
