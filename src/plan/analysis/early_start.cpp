#include "plan/analysis/early_start.h"

#include <algorithm>

#include "plan/ir/options.h"

namespace tritonsmith::plan {
namespace {

class Search {
  public:
    Search(const Plan& plan, const KernelEffects& effects) : plan_(plan), effects_(effects) {
        early_ = effects;
        for (std::vector<ParameterEffect>& kernel : early_)
            for (ParameterEffect& effect : kernel) {
                effect.reads = effect.reads_early;
                effect.writes = effect.writes_early;
            }
    }

    std::optional<Finding> run() {
        for (const Step& step : plan_.steps) {
            if (step.phase != Phase::forward) continue;
            visit(step);
            if (finding_) return finding_;
        }
        return std::nullopt;
    }

  private:
    void visit(const Step& step) {
        if (const auto* choice = std::get_if<ChoiceStep>(&step.what)) {
            for (const Alternative& alternative : choice->alternatives)
                for (const Step& inner : alternative.steps) visit(inner);
            return;
        }
        if (const auto* launch = std::get_if<LaunchStep>(&step.what)) check(*launch, step.line);
        const Flow flow = flow_of(plan_, step, effects_);
        read_.insert(read_.end(), flow.reads.begin(), flow.reads.end());
        written_.insert(written_.end(), flow.writes.begin(), flow.writes.end());
    }

    void check(const LaunchStep& launch, int line) {
        const Kernel& kernel = plan_.kernels[static_cast<size_t>(launch.kernel)];
        if (!starts_early(kernel)) return;
        const Flow early = flow_of(plan_, launch, early_);
        const bool stale = meet(early.reads, written_);
        if (!stale && !meet(early.writes, written_) && !meet(early.writes, read_)) return;
        finding_ =
            Finding{"race",
                    "kernel " + kernel.name +
                        " is launched with launch_pdl, so that it may start before earlier work of the "
                        "call has ended, and " +
                        (stale ? "reads" : "overwrites") +
                        " what that work touches without griddepcontrol.wait (gdc_wait) before it",
                    line,
                    {{"kernel", kernel.name}}};
    }

    static bool meet(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b) {
        return std::any_of(a.begin(), a.end(), [&](const ByteRange& one) {
            return std::any_of(b.begin(), b.end(),
                               [&](const ByteRange& other) { return overlap(one, other); });
        });
    }

    const Plan& plan_;
    const KernelEffects& effects_;
    KernelEffects early_;
    std::vector<ByteRange> read_, written_;
    std::optional<Finding> finding_;
};

}  // namespace

std::optional<Finding> early_access(const Plan& plan, const KernelEffects& effects) {
    return Search(plan, effects).run();
}

}  // namespace tritonsmith::plan
