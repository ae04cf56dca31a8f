#include "run/worker/program_cache.h"

#include "ttir/analysis/effects.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::run {
namespace {

constexpr size_t kMaxTextBytes = size_t{64} << 20;

}  // namespace

std::variant<ProgramCache::Entry, Finding> ProgramCache::get(const plan::Kernel& kernel) {
    if (auto found = entries_.find(kernel.ttir); found != entries_.end()) return found->second;
    try {
        Entry entry;
        entry.module = std::make_shared<const ttir::Module>(ttir::parse(kernel.ttir));
        entry.program = std::make_shared<const ttir::Program>(entry.module);
        if (text_bytes_ + kernel.ttir.size() > kMaxTextBytes) {
            entries_.clear();
            text_bytes_ = 0;
        }
        text_bytes_ += kernel.ttir.size();
        return entries_.emplace(kernel.ttir, std::move(entry)).first->second;
    } catch (const ttir::ParseError& wrong) {
        return Finding{
            "invalid_ttir", "kernel '" + kernel.name + "': " + wrong.what(), kernel.line,
            Json{{"kernel", kernel.name}, {"ttir_line", wrong.line}, {"ttir_column", wrong.column}}};
    }
}

std::shared_ptr<const ttir::Program> as_issued(int kernel, const ProgramCache::Entry& entry,
                                               const IssuedKernels& issued) {
    const auto found = issued.find(kernel);
    if (found == issued.end()) return entry.program;
    ttir::IssueOrder order;
    for (const auto& [number, loop, ahead, place] : found->second) order[number] = {loop, ahead, place};
    return std::make_shared<const ttir::Program>(entry.module, order);
}

plan::KernelEffects kernel_effects(const plan::Plan& plan, ProgramCache& programs, bool construction_only) {
    plan::KernelEffects effects(plan.kernels.size());
    for (const plan::Executed& executed : plan::executed_steps(plan)) {
        const auto* launch = std::get_if<plan::LaunchStep>(&executed.step->what);
        if (!launch || (construction_only && executed.step->phase == plan::Phase::forward)) continue;
        const auto kernel = static_cast<size_t>(launch->kernel);
        if (kernel >= effects.size() || !effects[kernel].empty()) continue;
        auto ready = programs.get(plan.kernels[kernel]);
        if (const auto* entry = std::get_if<ProgramCache::Entry>(&ready))
            for (const ttir::Effect& e : ttir::parameter_effects(*entry->module))
                effects[kernel].push_back({e.reads || e.escapes, e.writes || e.escapes});
    }
    return effects;
}

}  // namespace tritonsmith::run
