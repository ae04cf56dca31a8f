#include "bench/training/training_run.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/process/files.h"
#include "bench/run/run_lines.h"

namespace tritonsmith::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What the axes show already, and what names a line.
bool is_axis(const std::string& name) {
    return name == "step" || name == "seconds" || name == "tokens";
}

using TakeNumber = std::function<void(const std::string& name, double value)>;

void each_number(const std::string& prefix, const Json& values, const TakeNumber& take) {
    for (const auto& [key, value] : values.items()) {
        if (value.is_object()) each_number(prefix + key + "/", value, take);
        if (value.is_number()) take(prefix + key, value.get<double>());
    }
}

double number(const Json& line, const char* name) {
    const Json value = line.value(name, Json());
    return value.is_number() ? value.get<double>() : 0;
}

/// Seconds that a step took, by its parts.
double seconds_of(const Json& line) {
    double sum = 0;
    if (const Json parts = line.value("time", Json()); parts.is_object())
        each_number("", parts, [&](const std::string& name, double part) {
            if (name != "total") sum += part;
        });
    return sum;
}

class Intervals {
  public:
    Intervals(size_t lines, size_t most, TrainingRun& run) : each_((lines + most - 1) / most), run_(run) {}

    void add(const Json& line) {
        if (seen_++ % each_ == 0) begin();
        run_.steps.back() = number(line, "step");
        run_.tokens.back() = number(line, "tokens");
        run_.hours.back() = hours_ += seconds_of(line) / 3600;
        each_number("", line, [&](const std::string& name, double value) {
            if (!is_axis(name) && std::isfinite(value)) add(name, value);
        });
    }

  private:
    void begin() {
        for (std::vector<double>* axis : {&run_.steps, &run_.tokens, &run_.hours}) axis->push_back(0);
        counts_.clear();
    }
    void add(const std::string& name, double value) {
        Curve& curve = run_.curves[name];
        for (std::vector<double>* part : {&curve.mean, &curve.low, &curve.high})
            part->resize(run_.steps.size(), kNone);
        const double before = static_cast<double>(counts_[name]++), count = before + 1;
        curve.mean.back() = before == 0 ? value : curve.mean.back() * (before / count) + value / count;
        curve.low.back() = before == 0 ? value : std::min(curve.low.back(), value);
        curve.high.back() = before == 0 ? value : std::max(curve.high.back(), value);
    }

    size_t each_, seen_ = 0;
    TrainingRun& run_;
    std::map<std::string, size_t> counts_;  ///< in this interval
    double hours_ = 0;
};

}  // namespace

bool is_training_run(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / "run.json", error) && !fs::exists(folder / "problems.jsonl", error);
}

TrainingRun read_training_run(const fs::path& folder, size_t intervals) {
    TrainingRun run;
    run.name = fs::absolute(folder).lexically_normal().filename().string();
    if (run.name.empty())
        run.name = fs::absolute(folder).lexically_normal().parent_path().filename().string();
    const std::optional<Json> head =
        parse_untrusted_json(read_file(folder / "run.json", "settings", int64_t{16} << 20));
    if (!head || !head->is_object())
        throw InputError((folder / "run.json").string() +
                         " is no JSON object: is this the folder of a run of `train`?");
    run.head = *head;
    const fs::path metrics = folder / "metrics.jsonl";
    for_each_line(metrics, [&](const Json&) { ++run.lines; });
    if (run.lines == 0) throw InputError(metrics.string() + " has no step yet: there is nothing to report");
    Intervals curves(run.lines, std::max<size_t>(intervals, 1), run);
    run.best = kNone;
    for_each_line(metrics, [&](const Json& line) {
        curves.add(line);
        if (const Json evaluation = line.value("evaluation", Json()); evaluation.is_object()) {
            run.best_is_rate = evaluation.contains("pass_rate");
            const double value = number(evaluation, run.best_is_rate ? "pass_rate" : "loss");
            if (run.best_is_rate ? !(value <= run.best) : !(value >= run.best))
                run.best = value, run.best_step = number(line, "step");
        }
        run.last = line;
    });
    for (auto& [name, curve] : run.curves)
        for (std::vector<double>* part : {&curve.mean, &curve.low, &curve.high})
            part->resize(run.steps.size(), kNone);
    return run;
}

}  // namespace tritonsmith::bench
