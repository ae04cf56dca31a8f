#include "cli/train/ablation_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/process/files.h"
#include "grpo/settings.h"
#include "train/settings/grid.h"
#include "train/settings/toml.h"
#include "train/trainer/run_folder.h"

namespace tritonsmith::cli {
namespace {

Json toml_file(const std::string& file) {
    return train::parse_toml(read_file(file, "the configuration", 16 << 20), file);
}

std::string assigned(const char* field, const Json& value) {
    return std::string(field) + "=" + train::toml_value(value);
}

class PlanReader {
  public:
    PlanReader(const std::string& file, const std::vector<std::string>& changes) : file_(file) {
        Json configuration = toml_file(file);
        for (const std::string& change : changes) train::set_toml(configuration, change);
        train::SettingFields whole(configuration, file);
        read_fields(whole.table("ablation"), whole);
        points_ = train::grid_points(whole.tables("grids"));
        whole.finish();
    }

    AblationPlan plan() {
        const Json base = toml_file(base_);
        for (size_t row = 0; row < points_.size(); ++row)
            for (const int64_t seed : seeds_) add_cell(base, row, seed);
        make_head();
        return plan_;
    }

  private:
    void read_fields(train::SettingFields fields, train::SettingFields& whole) {
        plan_.folder = fields.text("folder", std::nullopt);
        base_ = fields.text("configuration", std::nullopt);
        for (const double seed : fields.numbers("seeds", {0}, 0, 1e12)) {
            const auto number = static_cast<int64_t>(seed);
            if (static_cast<double>(number) != seed) fields.wrong("seeds", "must be whole numbers");
            if (std::find(seeds_.begin(), seeds_.end(), number) != seeds_.end())
                fields.wrong("seeds", fmt::format("has {} twice", number));
            seeds_.push_back(number);
        }
        if (seeds_.empty()) fields.wrong("seeds", "must name at least one");
        plan_.devices = fields.texts("devices", {""});
        if (plan_.devices.empty()) fields.wrong("devices", "must name at least one");
        metrics_ = fields.texts("metrics", {"evaluation/pass_rate", "answers/pass_rate",
                                            "answers/reward/mean", "answers/cheating"});
        if (metrics_.empty()) fields.wrong("metrics", "must name at least one");
        window_ = fields.integer("window", 10, 1, 1'000'000);
        whole.put("ablation", fields.finish());
    }

    void add_cell(const Json& base, size_t row, int64_t seed) {
        AblationCell cell;
        cell.row = row;
        cell.seed = seed;
        cell.name = fmt::format("{},seed={}", points_[row].name(), seed);
        cell.folder = plan_.folder / "cells" / cell.name;
        const std::string& device = plan_.devices[plan_.cells.size() % plan_.devices.size()];
        std::vector<std::string> sets = points_[row].changes();
        sets.push_back(assigned("run.seed", seed));
        sets.push_back(assigned("run.folder", cell.folder.string()));
        if (!device.empty()) sets.push_back(assigned("run.device", device));
        if (device.starts_with("cuda:") && base.contains("judge") &&
            base["judge"].value("device", Json()).is_string() && base["judge"]["device"] != "cpu")
            sets.push_back(assigned("judge.device", device));
        Json configuration = base;
        for (const std::string& set : sets) train::set_toml(configuration, set);
        const grpo::Settings settings =
            grpo::read_settings(configuration, fmt::format("{} with {}", base_, cell.name));
        cell.settings = settings.resolved;
        cell.steps = settings.steps;
        cell.arguments = {"train", "grpo", base_, "--resume"};
        for (const std::string& set : sets) {
            cell.arguments.emplace_back("--set");
            cell.arguments.push_back(set);
        }
        plan_.cells.push_back(std::move(cell));
    }

    void make_head() {
        Json rows = Json::array();
        for (size_t row = 0; row < points_.size(); ++row) {
            Json values = Json::array(), cells = Json::array();
            for (const train::GridValue& value : points_[row].values)
                values.push_back({{"axis", value.axis}, {"label", value.label}});
            for (const AblationCell& cell : plan_.cells)
                if (cell.row == row)
                    cells.push_back({{"seed", cell.seed},
                                     {"steps", cell.steps},
                                     {"folder", (std::filesystem::path("cells") / cell.name).string()}});
            rows.push_back({{"name", points_[row].name()}, {"values", values}, {"cells", cells}});
        }
        plan_.head = {{"kind", "ablation"}, {"configuration", base_}, {"metrics", metrics_},
                      {"window", window_},  {"seeds", seeds_},        {"rows", rows}};
    }

    std::string file_, base_;
    std::vector<int64_t> seeds_;
    std::vector<std::string> metrics_;
    int64_t window_ = 0;
    std::vector<train::GridPoint> points_;
    AblationPlan plan_;
};

}  // namespace

bool AblationCell::is_done() const {
    std::error_code error;
    if (!std::filesystem::exists(folder / "run.json", error)) return false;
    train::check_same_run(folder, settings, grpo::free_settings());
    return train::steps_done(folder) >= steps;
}

AblationPlan read_ablation_plan(const std::string& file, const std::vector<std::string>& changes) {
    return PlanReader(file, changes).plan();
}

}  // namespace tritonsmith::cli
