#include <initializer_list>
#include <utility>

#include "bench/training/plot.h"
#include "bench/training/training_report.h"

namespace tritonsmith::bench {

std::string training_figure(const TrainingRun& run) {
    const auto plot_of = [&](const char* title,
                             std::initializer_list<std::pair<const char*, const char*>> lines) {
        Plot plot{run.name + ": " + title + " by step", {}};
        for (const auto& [name, label] : lines)
            if (const auto curve = run.curves.find(name); curve != run.curves.end())
                plot.lines.push_back({label, &run.steps, &curve->second});
        return plot;
    };
    return plotted(
        run.name,
        {plot_of("loss", {{"loss", "training"}, {"evaluation/loss", "evaluation"}}),
         plot_of("share of right answers",
                 {{"answers/pass_rate", "training"}, {"evaluation/pass_rate", "evaluation"}}),
         plot_of("reward", {{"answers/reward/mean", "training"}, {"evaluation/reward", "evaluation"}})});
}

}  // namespace tritonsmith::bench
