#include "bench/training/ablation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/process/files.h"

namespace tritonsmith::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
/// Points of a curve, at most.
constexpr size_t kPoints = 400;

/// The mean of the last numbers, or the last one.
double at_the_end(const TrainingRun& run, const std::string& metric, size_t window) {
    const auto found = run.curves.find(metric);
    if (found == run.curves.end()) return kNoNumber;
    const std::vector<double>& values = found->second.mean;
    const bool only_last = metric.starts_with("evaluation/");
    double sum = 0, count = 0;
    for (size_t i = values.size(); i-- > 0;) {
        if (!only_last && values.size() - i > window) break;
        if (std::isnan(values[i])) continue;
        sum += values[i];
        ++count;
        if (only_last) break;
    }
    return count > 0 ? sum / count : kNoNumber;
}

/// Mean, least and greatest of the numbers among these.
SeedMean mean_of(std::vector<double> values) {
    SeedMean out{kNoNumber, kNoNumber, kNoNumber, std::move(values)};
    double sum = 0, count = 0;
    for (const double value : out.by_seed) {
        if (std::isnan(value)) continue;
        sum += value;
        out.low = count == 0 ? value : std::min(out.low, value);
        out.high = count == 0 ? value : std::max(out.high, value);
        ++count;
    }
    if (count > 0) out.mean = sum / count;
    return out;
}

double value_at(const TrainingRun& run, const std::string& metric, size_t index) {
    const auto found = run.curves.find(metric);
    return found == run.curves.end() || index >= found->second.mean.size() ? kNoNumber
                                                                           : found->second.mean[index];
}

/// A run's folder may be missing, or have no step yet.
std::optional<TrainingRun> run_in(const fs::path& folder, size_t intervals) {
    std::error_code error;
    if (!fs::exists(folder / "run.json", error)) return std::nullopt;
    if (!fs::exists(folder / "metrics.jsonl", error) || fs::file_size(folder / "metrics.jsonl", error) == 0)
        return std::nullopt;
    return read_training_run(folder, intervals);
}

/// The curves of a row's runs as one. Runs have as many steps as each other, but for those that still run.
void add_curves(const std::vector<std::optional<TrainingRun>>& runs, const std::vector<std::string>& metrics,
                AblationRow& row) {
    for (const std::optional<TrainingRun>& run : runs)
        if (run && run->steps.size() > row.steps.size()) row.steps = run->steps;
    for (const std::string& metric : metrics) {
        Curve& curve = row.curves.emplace_back();
        for (size_t i = 0; i < row.steps.size(); ++i) {
            std::vector<double> values;
            for (const std::optional<TrainingRun>& run : runs)
                values.push_back(run ? value_at(*run, metric, i) : kNoNumber);
            const SeedMean point = mean_of(std::move(values));
            curve.mean.push_back(point.mean);
            curve.low.push_back(point.low);
            curve.high.push_back(point.high);
        }
    }
}

AblationRow row_of(const Json& described, const fs::path& folder, const Ablation& ablation) {
    AblationRow row;
    row.name = described.at("name").get<std::string>();
    for (const Json& value : described.at("values"))
        row.values.emplace_back(value.at("axis").get<std::string>(), value.at("label").get<std::string>());
    std::vector<std::optional<TrainingRun>> runs;
    int64_t most = 1;
    for (const Json& one : described.at("cells")) {
        AblationRow::Cell& cell = row.cells.emplace_back();
        cell.seed = one.at("seed").get<int64_t>();
        cell.steps = one.at("steps").get<int64_t>();
        most = std::max(most, cell.steps);
    }
    // As many steps in an interval for all of them, also for one that has not ended.
    const size_t each = (static_cast<size_t>(most) + kPoints - 1) / kPoints;
    std::vector<std::vector<double>> ends(ablation.metrics.size());
    for (size_t i = 0; i < row.cells.size(); ++i) {
        const fs::path cell_folder = folder / described["cells"][i].at("folder").get<std::string>();
        const std::optional<TrainingRun> whole = run_in(cell_folder, size_t{1} << 30);
        if (whole) row.cells[i].done = static_cast<int64_t>(whole->steps.back());
        for (size_t m = 0; m < ablation.metrics.size(); ++m)
            ends[m].push_back(
                whole ? at_the_end(*whole, ablation.metrics[m], static_cast<size_t>(ablation.window))
                      : kNoNumber);
        runs.push_back(whole && each > 1 ? run_in(cell_folder, (whole->lines + each - 1) / each) : whole);
    }
    for (std::vector<double>& values : ends) row.numbers.push_back(mean_of(std::move(values)));
    add_curves(runs, ablation.metrics, row);
    return row;
}

}  // namespace

double Ablation::steps() const {
    double most = 0;
    for (const AblationRow& row : rows)
        if (!row.steps.empty()) most = std::max(most, row.steps.back());
    return most;
}

bool is_ablation(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / "ablation.json", error);
}

Ablation read_ablation(const fs::path& folder) {
    const fs::path path = folder / "ablation.json";
    const std::optional<Json> head = parse_untrusted_json(read_file(path, "the ablation", 64 << 20));
    if (!head) throw InputError(path.string() + ": is no JSON; the same `train ablate` writes it again");
    Ablation ablation;
    try {
        ablation.head = *head;
        ablation.name = fs::absolute(path).lexically_normal().parent_path().filename().string();
        ablation.metrics = head->at("metrics").get<std::vector<std::string>>();
        ablation.window = std::max<int64_t>(head->at("window").get<int64_t>(), 1);
        for (const Json& row : head->at("rows")) ablation.rows.push_back(row_of(row, folder, ablation));
    } catch (const Json::exception&) {
        throw InputError(path.string() + ": is damaged; the same `train ablate` writes it again");
    }
    for (const AblationRow& row : ablation.rows)
        for (const auto& [axis, label] : row.values)
            if (std::find(ablation.axes.begin(), ablation.axes.end(), axis) == ablation.axes.end())
                ablation.axes.push_back(axis);
    return ablation;
}

}  // namespace tritonsmith::bench
