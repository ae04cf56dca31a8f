#include "run/client/sample_client.h"

#include "plan/ir/json.h"
#include "run/client/worker_process.h"

namespace tritonsmith::run {

namespace {

Json leaves_json(const Leaves::Options& options) {
    return {{"seed", options.seed}, {"variant", variant_json(options.variant)}, {"uneven", options.uneven}};
}

Leaves::Options leaves_from(const Json& json) {
    return {json.at("seed").get<uint64_t>(), variant_from_json(json.at("variant")),
            json.at("uneven").get<bool>()};
}

Json run_json(const SampleRun& run) {
    return {{"leaves", leaves_json(run.leaves)},
            {"choice", run.choice},
            {"elements", run.elements},
            {"seconds", run.seconds},
            {"enough_seconds", run.enough_seconds},
            {"least_programs", run.least_programs},
            {"programs_per_launch", run.programs_per_launch},
            {"completion_seconds", run.completion_seconds},
            {"optional", run.optional},
            {"keep_promises", run.keep_promises}};
}

SampleRun run_from(const Json& json) {
    SampleRun run;
    run.leaves = leaves_from(json.at("leaves"));
    run.choice = json.at("choice").get<std::vector<int>>();
    run.elements = json.at("elements").get<std::vector<std::vector<int64_t>>>();
    run.seconds = json.at("seconds").get<double>();
    run.enough_seconds = json.at("enough_seconds").get<double>();
    run.least_programs = json.at("least_programs").get<int>();
    run.programs_per_launch = json.at("programs_per_launch").get<int>();
    run.completion_seconds = json.at("completion_seconds").get<double>();
    run.optional = json.at("optional").get<bool>();
    run.keep_promises = json.at("keep_promises").get<bool>();
    return run;
}

Json one_or_none(const std::optional<Finding>& finding) {
    return finding ? findings_json({*finding}) : Json::array();
}

std::optional<Finding> one_or_none_from(const Json& json) {
    std::vector<Finding> findings = findings_from(json);
    return findings.empty() ? std::nullopt : std::optional(std::move(findings.front()));
}

Json tensor_json(const SampledTensor& tensor) {
    Json elements = Json::array();
    for (const SampledElement& e : tensor.elements)
        elements.push_back(Json::array({e.index, e.bits, e.tile, e.of_sample}));
    return {{"elements", elements},
            {"looked_at", tensor.looked_at},
            {"unwritten", tensor.unwritten},
            {"tiles", tensor.tiles}};
}

SampledTensor tensor_from(const Json& json) {
    SampledTensor tensor;
    for (const Json& e : json.at("elements"))
        tensor.elements.push_back(
            {e.at(0).get<int64_t>(), e.at(1).get<uint64_t>(), e.at(2).get<int64_t>(), e.at(3).get<bool>()});
    tensor.looked_at = json.at("looked_at").get<int64_t>();
    tensor.unwritten = json.at("unwritten").get<int64_t>();
    tensor.tiles = json.at("tiles").get<int64_t>();
    return tensor;
}

Json handed_on_json(const std::vector<HandedOn>& all) {
    Json out = Json::array();
    for (const HandedOn& one : all)
        out.push_back({{"kernel", one.kernel},
                       {"argument", one.argument},
                       {"line", one.line},
                       {"bytes", one.bytes},
                       {"unwritten", one.unwritten},
                       {"unread", one.unread}});
    return out;
}

std::vector<HandedOn> handed_on_from(const Json& json) {
    std::vector<HandedOn> out;
    for (const Json& one : json)
        out.push_back({one.at("kernel").get<std::string>(), one.at("argument").get<int>(),
                       one.at("line").get<int>(), one.at("bytes").get<int64_t>(),
                       one.at("unwritten").get<int64_t>(), one.at("unread").get<double>()});
    return out;
}

}  // namespace

Json to_json(const SampleRequest& request) {
    Json tensors = Json::array(), runs = Json::array();
    for (const SampleTensor& tensor : request.tensors)
        tensors.push_back({{"name", tensor.name}, {"comparable", tensor.comparable}});
    for (const SampleRun& run : request.runs) runs.push_back(run_json(run));
    return {{"do", "sample"},
            {"leaves", plan::to_json(*request.leaves)},
            {"leaves_id", request.leaves_id},
            {"plan", plan::to_json(*request.plan)},
            {"links", request.links},
            {"issued", request.issued},
            {"skip_kernels", request.skip_kernels},
            {"tensors", tensors},
            {"may_change", request.may_change},
            {"runs", runs},
            {"optional_seconds", request.optional_seconds},
            {"resident_kernels", request.resident_kernels},
            {"resident_leaves", leaves_json(request.resident_leaves)},
            {"resident_seconds", request.resident_seconds},
            {"handed_on", request.handed_on},
            {"threads", request.threads}};
}

OwnedSampleRequest sample_request_from(const Json& json) {
    OwnedSampleRequest owned;
    owned.leaves = plan::from_json(json.at("leaves"));
    owned.plan = plan::from_json(json.at("plan"));
    SampleRequest& request = owned.request;
    request.leaves_id = json.at("leaves_id").get<std::string>();
    request.links = json.at("links").get<std::map<std::string, std::string>>();
    request.issued = json.at("issued").get<IssuedKernels>();
    request.skip_kernels = json.at("skip_kernels").get<std::vector<bool>>();
    for (const Json& tensor : json.at("tensors"))
        request.tensors.push_back(
            {tensor.at("name").get<std::string>(), tensor.at("comparable").get<bool>()});
    request.may_change = json.at("may_change").get<std::vector<std::string>>();
    for (const Json& run : json.at("runs")) request.runs.push_back(run_from(run));
    request.optional_seconds = json.at("optional_seconds").get<double>();
    request.resident_kernels = json.at("resident_kernels").get<std::set<std::string>>();
    request.resident_leaves = leaves_from(json.at("resident_leaves"));
    request.resident_seconds = json.at("resident_seconds").get<double>();
    request.handed_on = json.at("handed_on").get<bool>();
    request.threads = json.at("threads").get<int>();
    return owned;
}

Json to_json(const SampleResult& result) {
    Json runs = Json::array();
    for (const SampleRunResult& run : result.runs) {
        Json tensors = Json::array();
        for (const SampledTensor& tensor : run.tensors) tensors.push_back(tensor_json(tensor));
        runs.push_back({{"findings", findings_json(run.findings)},
                        {"programs", run.programs},
                        {"launches", run.launches},
                        {"launches_sampled", run.launches_sampled},
                        {"broken_promise", one_or_none(run.broken_promise)},
                        {"tensors", tensors}});
    }
    return {{"ok", true},
            {"residency", one_or_none(result.residency)},
            {"handed_on", handed_on_json(result.handed_on)},
            {"runs", runs},
            {"seconds", result.seconds}};
}

SampleResult sample_result_from(const Json& json) {
    SampleResult result;
    result.residency = one_or_none_from(json.at("residency"));
    result.handed_on = handed_on_from(json.at("handed_on"));
    for (const Json& run : json.at("runs")) {
        SampleRunResult made;
        made.findings = findings_from(run.at("findings"));
        made.programs = run.at("programs").get<int64_t>();
        made.launches = run.at("launches").get<int>();
        made.launches_sampled = run.at("launches_sampled").get<int>();
        made.broken_promise = one_or_none_from(run.at("broken_promise"));
        for (const Json& tensor : run.at("tensors")) made.tensors.push_back(tensor_from(tensor));
        result.runs.push_back(std::move(made));
    }
    result.seconds = json.at("seconds").get<double>();
    return result;
}

}  // namespace tritonsmith::run
