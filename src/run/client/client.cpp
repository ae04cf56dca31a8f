#include "run/client/client.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "plan/ir/json.h"
#include "run/client/sample_client.h"
#include "run/client/worker_process.h"

namespace tritonsmith::run {
namespace {

ReferenceResult reference_from(const Json& answer, std::vector<Fd>& files, std::vector<std::string> want) {
    ReferenceResult result;
    std::erase(want, "perturbed");
    const auto perturbed = answer.at("perturbed").get<size_t>();
    for (size_t i = 0; i < perturbed && i < files.size(); ++i)
        want.push_back("perturbed/" + std::to_string(i));
    if (files.size() != want.size())
        throw InputError("the worker sent another number of packs than it was asked for");
    for (size_t i = 0; i < want.size(); ++i) {
        Pack pack(files[i].release(), answer.at("packs").at(want[i]));
        if (want[i] == "inputs") result.inputs = std::move(pack);
        if (want[i] == "native") result.native = std::move(pack);
        if (want[i] == "f64") result.f64 = std::move(pack);
        if (want[i] == "absolute") result.absolute = std::move(pack);
        if (want[i] == "state") result.state = std::move(pack);
        if (want[i].starts_with("perturbed/")) result.perturbed.push_back(std::move(pack));
    }
    result.longest_reduction = answer.at("longest_reduction").get<int64_t>();
    result.finite = answer.at("finite").get<bool>();
    result.random = answer.at("random").get<bool>();
    result.mutated = answer.at("mutated").get<std::vector<std::string>>();
    result.rounding = answer.at("rounding").get<std::vector<std::string>>();
    result.seconds = answer.at("seconds").get<double>();
    return result;
}

CandidateResult candidate_from(const Json& answer, std::vector<Fd>& files) {
    CandidateResult result;
    const Json& further = answer.at("further");
    if (files.size() != 1 + further.size())
        throw InputError("the worker sent another number of packs of outputs than it made calls");
    result.outputs = Pack(files[0].release(), answer.at("packs").at("outputs"));
    for (size_t i = 0; i < further.size(); ++i)
        result.further.push_back({Pack(files[1 + i].release(), further[i].at("outputs")),
                                  further[i].at("mutated").get<std::vector<std::string>>(),
                                  findings_from(further[i].at("warnings"))});
    result.repeated = answer.at("repeated").get<int>();
    if (result.repeated > 0 && result.further.empty())
        throw InputError("the worker sent no answer of the last call");
    result.findings = findings_from(answer.at("findings"));
    result.warnings = findings_from(answer.at("warnings"));
    result.mutated = answer.at("mutated").get<std::vector<std::string>>();
    result.prints = answer.at("prints").get<std::vector<std::string>>();
    for (const Json& json : answer.at("launches"))
        result.launches.push_back({json.at("kernel").get<std::string>(), json.at("programs").get<int64_t>(),
                                   json.at("bytes_read").get<int64_t>(),
                                   json.at("bytes_written").get<int64_t>(), json.at("flops").get<int64_t>(),
                                   json.at("seconds").get<double>(), json.at("line").get<int>(),
                                   json.at("waiting").get<int64_t>()});
    result.tf32 = answer.at("tf32").get<bool>();
    result.seconds = answer.at("seconds").get<double>();
    return result;
}

}  // namespace

Worker::Worker(std::string program) : process_(std::make_unique<WorkerProcess>(std::move(program))) {}
Worker::~Worker() = default;

std::variant<ReferenceResult, WorkerError> Worker::reference(const ReferenceRequest& request) {
    if (!request.plan) throw std::logic_error("a reference request needs a plan");
    int threads =
        request.threads > 0 ? request.threads : static_cast<int>(std::thread::hardware_concurrency());
    Json json{{"do", "reference"},
              {"plan", plan::to_json(*request.plan)},
              {"seed", request.seed},
              {"weights_seed", request.weights_seed.value_or(request.seed)},
              {"variant", variant_json(request.variant)},
              {"redraw", request.redraw},
              {"redraw_state", request.redraw_state},
              {"threads", std::max(threads, 1)},
              {"want", request.want},
              {"precision", numerics::name(request.precision)}};
    std::vector<int> descriptors;
    if (request.state) {
        json["state"] = request.state->index();
        descriptors.push_back(request.state->fd());
    }
    return process_->ask<ReferenceResult>(json, descriptors, request.deadline_s,
                                          [&](const Json& answer, std::vector<Fd>& files) {
                                              return reference_from(answer, files, request.want);
                                          });
}

std::variant<CandidateResult, WorkerError> Worker::candidate(const CandidateRequest& request) {
    if (!request.plan || !request.inputs)
        throw std::logic_error("a candidate request needs a plan and inputs");
    Json json{{"do", "candidate"},
              {"plan", plan::to_json(*request.plan)},
              {"seed", request.seed},
              {"inputs", request.inputs->index()},
              {"links", request.links},
              {"linked_seed", request.linked_seed},
              {"choice", request.choice},
              {"threads", request.threads},
              {"checks", request.checks},
              {"full_size", request.full_size},
              {"issued", request.as_compiled.issued},
              {"keep_promises", request.as_compiled.keep_promises},
              {"disable_launch", request.disable_launch},
              {"further", Json::array()},
              {"repeat", request.repeat},
              {"kept_buffers", request.kept_buffers},
              {"repeat_s", request.repeat_s},
              {"deadline_s", request.deadline_s}};
    std::vector<int> descriptors{request.inputs->fd()};
    for (const Pack* pack : request.further) {
        json["further"].push_back(pack->index());
        descriptors.push_back(pack->fd());
    }
    return process_->ask<CandidateResult>(json, descriptors, request.deadline_s + kReportGrace.count(),
                                          candidate_from);
}

std::variant<SampleResult, WorkerError> Worker::sample(const SampleRequest& request) {
    double seconds = request.resident_kernels.empty() ? 0 : request.resident_seconds;
    if (request.handed_on) seconds += request.handed_on_seconds;
    for (const SampleRun& run : request.runs) seconds += 2 * run.seconds;
    return process_->ask<SampleResult>(
        to_json(request), {}, seconds + kReportGrace.count(),
        [](const Json& answer, std::vector<Fd>&) { return sample_result_from(answer); });
}

}  // namespace tritonsmith::run
