#include "judge/candidate/evidence.h"

namespace tritonsmith::judge {

namespace {

Json noted(const std::vector<Finding>& findings) {
    Json out = Json::array();
    for (const Finding& note : findings) out.push_back({{"message", note.message}, {"line", note.line}});
    return out;
}

Json warned(const std::vector<Finding>& findings) {
    Json out = Json::array();
    for (const Finding& w : findings)
        out.push_back({{"reason", w.reason}, {"message", w.message}, {"line", w.line}});
    return out;
}

Json json_of(const std::vector<run::Launched>& launches) {
    Json out = Json::array();
    for (const run::Launched& l : launches)
        out.push_back({{"kernel", l.kernel},
                       {"programs", l.programs},
                       {"bytes_read", l.bytes_read},
                       {"bytes_written", l.bytes_written},
                       {"flops", l.flops},
                       {"interpreted_seconds", l.seconds}});
    return out;
}

Json json_of(const std::vector<KernelResources>& kernels) {
    Json out = Json::array();
    for (const KernelResources& k : kernels)
        out.push_back({{"kernel", k.kernel},
                       {"registers", k.registers},
                       {"spills", k.spills},
                       {"shared", k.shared},
                       {"num_warps", k.num_warps}});
    return out;
}

Json json_of(const std::vector<UndecidedSize>& sizes) {
    Json out = Json::array();
    for (const UndecidedSize& size : sizes) {
        Json one = {{"scaled", size.scaled}};
        if (const auto& f = size.finding)
            one.update({{"reason", f->reason}, {"message", f->message}, {"line", f->line}});
        out.push_back(std::move(one));
    }
    return out;
}

Json json_of(const FullSizeRun& run) {
    return {{"device", run.device},
            {"input_sets", run.input_sets},
            {"runs", run.runs},
            {"elements_compared", run.elements},
            {"share_of_bound", run.worst_ratio},
            {"reference_seconds", run.reference_seconds},
            {"reference_parts", run.reference_parts},
            {"expected_spilled", run.expected_spilled},
            {"seconds", run.seconds}};
}

Json json_of(const AsWrittenRun& run) {
    if (!run.not_run.empty()) return "not run: " + run.not_run;
    Json out = {{"seconds", run.seconds}, {"unlinked_draws", run.unlinked_draws}};
    if (run.compared) out["compared"] = *run.compared;
    return out;
}

Json json_of(const CompileBaseline& baseline) {
    Json out = Json::object();
    if (baseline.failed)
        out = {{"reason", baseline.failed->reason}, {"message", baseline.failed->message}};
    else if (baseline.opened)
        out = {{"graph", baseline.opened->graph}, {"compile_seconds", baseline.opened->seconds}};
    if (baseline.not_timed) out["not_timed"] = *baseline.not_timed;
    return out;
}

Json policy_json(const plan::PolicyReport& report) {
    const int64_t bytes = report.launch_bytes + report.host_bytes;
    return {{"host_steps", noted(report.notes)},
            {"launches", report.launches},
            {"host_byte_share",
             bytes > 0 ? static_cast<double>(report.host_bytes) / static_cast<double>(bytes) : 0.0}};
}

}  // namespace

Json to_json(const Evidence& e) {
    Json out = e.policy ? policy_json(*e.policy) : Json::object();
    const auto put = [&out](const char* key, bool known, Json value) {
        if (known) out[key] = std::move(value);
    };
    const auto put_list = [&put](const char* key, const auto& list) { put(key, !list.empty(), Json(list)); };
    if (e.scaled) out["scaled"] = *e.scaled;
    put_list("skipped_input_variants", e.skipped_input_variants);
    put_list("left_out_outputs", e.left_out_outputs);
    put_list("oracle_rounding", e.oracle_rounding);
    put_list("weights_linked_by_order", e.weights_linked_by_order);
    put("weights_ambiguous", e.weights_ambiguous,
        "parameters of equal shape correspond in the order of the state dict; in the order of their draws "
        "the "
        "answer is wrong");
    put("state_notes", !e.state_notes.empty(), noted(e.state_notes));
    if (e.kernels) out["kernels"] = json_of(*e.kernels);
    if (e.input_sets) out["input_sets"] = *e.input_sets;
    put("tf32", e.tf32, true);
    if (e.small_size_launches) out["small_size_launches"] = json_of(*e.small_size_launches);
    if (e.small_size_reference)
        out["small_size_reference"] = {{"traffic", e.small_size_reference->traffic},
                                       {"flops", e.small_size_reference->flops}};
    put("warnings", !e.warnings.empty(), warned(e.warnings));
    if (e.error)
        out["error"] = {{"candidate", e.error->candidate},
                        {"reference", e.error->reference},
                        {"share_of_bound", e.error->share_of_bound},
                        {"worst", e.error->worst}};
    put("sizes_that_failed", !e.sizes_that_failed.empty(), json_of(e.sizes_that_failed));
    if (e.only_at_full_size)
        out["only_at_full_size"] = {{"what", e.only_at_full_size->what}, {"line", e.only_at_full_size->line}};
    put_list("further_sizes", e.further_sizes);
    if (e.shape_specialised) out["shape_specialised"] = *e.shape_specialised;
    if (e.full_size_sample) out["full_size_sample"] = e.full_size_sample->json();
    if (e.full_size_run) out["full_size_run"] = json_of(*e.full_size_run);
    if (e.as_written) out["as_written"] = json_of(*e.as_written);
    put("timing", e.timing.candidate_ms.has_value(), e.timing.evidence);
    if (e.baseline_failed)
        out["baseline_failed"] = {{"reason", e.baseline_failed->reason},
                                  {"message", e.baseline_failed->message}};
    const Json compiled = json_of(e.compile_baseline);
    put("compile_baseline", !compiled.empty(), compiled);
    put_list("later_calls", e.later_calls);
    return out;
}

}  // namespace tritonsmith::judge
