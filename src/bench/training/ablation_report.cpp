#include "bench/training/ablation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report/escaped.h"
#include "bench/report/filled_page.h"
#include "bench/report/page.h"
#include "bench/training/plot.h"

namespace tritonsmith::bench {
namespace {

Json finite_or_null(double value) {
    return std::isnan(value) ? Json() : Json(value);
}

Json finite_or_nulls(const std::vector<double>& values) {
    Json out = Json::array();
    for (const double value : values) out.push_back(finite_or_null(value));
    return out;
}

std::string number_cell(const SeedMean& number) {
    if (std::isnan(number.mean)) return "–";
    if (number.low == number.high) return fmt::format("{:.4g}", number.mean);
    return fmt::format("{:.4g} ({:.4g}–{:.4g})", number.mean, number.low, number.high);
}

/// Names come from files: a bar would end a cell.
std::string plain_cell(std::string text) {
    for (char& c : text)
        if (c == '|' || c == '\n') c = ' ';
    return text;
}

std::string label_on(const AblationRow& row, const std::string& axis) {
    for (const auto& [name, label] : row.values)
        if (name == axis) return label;
    return "";
}

std::string runs_cell(const AblationRow& row) {
    const auto done = std::count_if(row.cells.begin(), row.cells.end(),
                                    [](const AblationRow::Cell& cell) { return cell.done >= cell.steps; });
    return static_cast<size_t>(done) == row.cells.size() ? fmt::format("{}", done)
                                                         : fmt::format("{} of {}", done, row.cells.size());
}

/// Metrics that any run has measured.
std::vector<size_t> measured(const Ablation& ablation) {
    std::vector<size_t> found;
    for (size_t m = 0; m < ablation.metrics.size(); ++m)
        if (std::any_of(ablation.rows.begin(), ablation.rows.end(),
                        [&](const AblationRow& row) { return !std::isnan(row.numbers[m].mean); }))
            found.push_back(m);
    return found;
}

/// The table's head and cells.
std::vector<std::vector<std::string>> table_of(const Ablation& ablation) {
    const std::vector<size_t> metrics = measured(ablation);
    std::vector<std::vector<std::string>> table(1, ablation.axes);
    table[0].emplace_back("runs");
    for (const size_t m : metrics) table[0].push_back(ablation.metrics[m]);
    for (const AblationRow& row : ablation.rows) {
        std::vector<std::string>& cells = table.emplace_back();
        for (const std::string& axis : ablation.axes) cells.push_back(label_on(row, axis));
        cells.push_back(runs_cell(row));
        for (const size_t m : metrics) cells.push_back(number_cell(row.numbers[m]));
    }
    return table;
}

std::string how_to_read(const Ablation& ablation) {
    const size_t seeds = ablation.head.value("seeds", Json::array()).size();
    return fmt::format(
        "Mean (least to greatest) over {} seed{}; of the last {} steps, of evaluations the last one. An "
        "empty "
        "cell: as {} says.",
        seeds, seeds == 1 ? "" : "s", ablation.window,
        ablation.head.value("configuration", std::string("the configuration")));
}

/// "a/b" as one word: the page puts curves of "a/…" into one chart.
std::string chart_of(std::string metric) {
    std::replace(metric.begin(), metric.end(), '/', ' ');
    return metric;
}

}  // namespace

Json ablation_json(const Ablation& ablation) {
    Json rows = Json::array();
    for (const AblationRow& row : ablation.rows) {
        Json values = Json::object(), numbers = Json::object(), curves = Json::object(),
             cells = Json::array();
        for (const auto& [axis, label] : row.values) values[axis] = label;
        for (size_t m = 0; m < ablation.metrics.size(); ++m) {
            const SeedMean& number = row.numbers[m];
            numbers[ablation.metrics[m]] = {{"mean", finite_or_null(number.mean)},
                                            {"low", finite_or_null(number.low)},
                                            {"high", finite_or_null(number.high)},
                                            {"by_seed", finite_or_nulls(number.by_seed)}};
            curves[ablation.metrics[m]] = {{"mean", finite_or_nulls(row.curves[m].mean)},
                                           {"low", finite_or_nulls(row.curves[m].low)},
                                           {"high", finite_or_nulls(row.curves[m].high)}};
        }
        for (const AblationRow::Cell& cell : row.cells)
            cells.push_back({{"seed", cell.seed}, {"steps", cell.steps}, {"done", cell.done}});
        rows.push_back({{"name", row.name},
                        {"values", values},
                        {"runs", cells},
                        {"numbers", numbers},
                        {"steps", finite_or_nulls(row.steps)},
                        {"curves", curves}});
    }
    return {{"ablation", ablation.name}, {"head", ablation.head}, {"axes", ablation.axes}, {"rows", rows}};
}

std::string ablation_markdown(const Ablation& ablation) {
    const std::vector<std::vector<std::string>> table = table_of(ablation);
    std::string out = fmt::format("## {}\n{}\n\n", plain_cell(ablation.name), how_to_read(ablation));
    for (size_t i = 0; i < table.size(); ++i) {
        for (const std::string& cell : table[i]) out += "| " + plain_cell(cell) + " ";
        out += "|\n";
        if (i > 0) continue;
        for (size_t j = 0; j < table[0].size(); ++j) out += "|---";
        out += "|\n";
    }
    return out;
}

std::string ablation_figure(const Ablation& ablation) {
    std::vector<Plot> plots;
    for (size_t m = 0; m < ablation.metrics.size(); ++m) {
        Plot& plot = plots.emplace_back(Plot{ablation.name + ": " + ablation.metrics[m] + " by step", {}});
        for (const AblationRow& row : ablation.rows)
            plot.lines.push_back({row.name, &row.steps, &row.curves[m]});
    }
    return plotted(ablation.name, plots);
}

std::string ablation_html(const Ablation& ablation) {
    if (ablation.steps() == 0)
        throw InputError(ablation.name + ": no step is done: there is nothing to draw");
    const std::vector<double>* steps = &ablation.rows.front().steps;
    Json curves = Json::object();
    size_t done = 0, cells = 0;
    for (const AblationRow& row : ablation.rows) {
        if (row.steps.size() > steps->size()) steps = &row.steps;
        cells += row.cells.size();
        for (const AblationRow::Cell& cell : row.cells) done += cell.done >= cell.steps;
    }
    // All lines of a chart are over the same steps: a line that is shorter has no numbers at its end.
    const auto padded = [&](const std::vector<double>& values) {
        Json out = finite_or_nulls(values);
        while (out.size() < steps->size()) out.push_back(Json());
        return out;
    };
    for (const size_t m : measured(ablation))
        for (const AblationRow& row : ablation.rows)
            curves[chart_of(ablation.metrics[m]) + "/" + row.name] = {{"mean", padded(row.curves[m].mean)},
                                                                      {"low", padded(row.curves[m].low)},
                                                                      {"high", padded(row.curves[m].high)}};
    const Json none(std::vector<double>(steps->size(), 0));
    const std::vector<std::vector<std::string>> table = table_of(ablation);
    const Json page = {{"name", ablation.name},
                       {"subtitle", "ablation · " + how_to_read(ablation)},
                       {"tiles",
                        {{fmt::format("{}", ablation.rows.size()), "settings"},
                         {fmt::format("{} of {}", done, cells), "runs are done"}}},
                       {"table", {{"head", table[0]}, {"rows", std::vector(table.begin() + 1, table.end())}}},
                       {"sources", Json::array()},
                       {"config", dump(ablation.head, 2)},
                       {"axes", {{"step", finite_or_nulls(*steps)}, {"tokens", none}, {"hours", none}}},
                       {"curves", curves}};
    return filled_page(training_page, {{"TITLE", escaped(ablation.name)},
                                       {"CSS", std::string(page_css) + training_css},
                                       {"JS", std::string(common_js) + training_js},
                                       {"DATA", embedded(page)}});
}

}  // namespace tritonsmith::bench
