#include "run/client/device_client.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "plan/ir/json.h"
#include "run/client/pack_writer.h"
#include "run/client/worker_process.h"

namespace tritonsmith::run {
namespace {

constexpr double kComparison = 120;

double number(const Json& json) {
    if (json.is_number()) return json.get<double>();
    const auto& text = json.get_ref<const std::string&>();
    return text == "inf" ? INFINITY : text == "-inf" ? -INFINITY : NAN;
}

RemotePack pack_from(const Json& json, std::vector<Fd>& files, size_t ordinal) {
    if (ordinal >= files.size()) throw InputError("the worker sent fewer packs than it says");
    json.at("bytes").get<int64_t>();
    json.at("index").get_ref<const Json::array_t&>();
    return {std::move(files[ordinal]), json};
}

}  // namespace

DeviceWorker::DeviceWorker(std::string program, const std::string& device, bool sandbox)
    : process_(std::make_unique<WorkerProcess>(
          std::move(program),
          std::vector<std::string>{"--device", device, "--sandbox", sandbox ? "on" : "off"})) {}
DeviceWorker::~DeviceWorker() = default;

void DeviceWorker::revive() {
    process_->revive();
}

int DeviceWorker::generation() const {
    return process_->generation();
}

Answer<Json> DeviceWorker::device() {
    return process_->ask<Json>({{"do", "device"}}, {}, 120,
                               [](const Json& answer, std::vector<Fd>&) { return answer.at("device"); });
}

Answer<OpenedReference> DeviceWorker::open(const OpenReference& request) {
    Json sets = Json::array();
    for (const DeviceSet& set : request.sets)
        sets.push_back({{"seed", set.seed},
                        {"weights_seed", set.weights_seed.value_or(set.seed)},
                        {"variant", variant_json(set.variant)},
                        {"wide", set.wide}});
    const Json json{{"do", "open_reference"},
                    {"plan", plan::to_json(*request.plan)},
                    {"sets", sets},
                    {"tolerance", {{"f32", request.tolerance.f32}, {"low", request.tolerance.low}}},
                    {"precision", numerics::name(request.precision)},
                    {"budget_bytes", request.budget_bytes}};
    return process_->ask<OpenedReference>(
        json, {}, request.deadline_s, [](const Json& answer, std::vector<Fd>&) {
            OpenedReference out;
            out.parts = Json::array();
            out.session = answer.at("session").get<int>();
            for (const Json& set : answer.at("sets")) {
                out.finite.push_back(set.at("finite").get<bool>());
                out.expected_bytes += set.at("expected_bytes").get<int64_t>();
                out.spilled += set.at("spilled").get<bool>();
                out.parts.push_back(set.at("seconds"));
                out.left_out.push_back(set.at("left_out").get<std::vector<std::string>>());
            }
            out.random = answer.at("random").get<bool>();
            out.stateful = answer.at("stateful").get<bool>();
            out.mutated = answer.at("mutated").get<std::vector<std::string>>();
            out.rounding = answer.at("rounding").get<std::vector<std::string>>();
            out.longest_reduction = answer.at("longest_reduction").get<int64_t>();
            out.seconds = answer.at("seconds").get<double>();
            return out;
        });
}

Answer<int> DeviceWorker::open(const OpenCandidate& request) {
    PackWriter file;
    const auto bytes = static_cast<int64_t>(request.kernels->cubins.size());
    file.add("cubins", plan::DType::u8, {bytes});
    file.map();
    if (bytes > 0) std::memcpy(file.data(0), request.kernels->cubins.data(), request.kernels->cubins.size());
    const Fd cubins = file.seal();
    const Json json{{"do", "open_candidate"},
                    {"plan", plan::to_json(*request.plan)},
                    {"seed", request.seed},
                    {"links", request.links},
                    {"linked_seed", request.linked_seed},
                    {"precision", numerics::name(request.precision)},
                    {"kernels", request.kernels->kernels},
                    {"cubin_bytes", bytes}};
    return process_->ask<int>(
        json, {cubins.get()}, request.deadline_s,
        [](const Json& answer, std::vector<Fd>&) { return answer.at("session").get<int>(); });
}

Answer<GivenInputs> DeviceWorker::inputs(int session, size_t set) {
    return process_->ask<GivenInputs>(
        {{"do", "inputs"}, {"session", session}, {"set", set}}, {}, kComparison,
        [](const Json& answer, std::vector<Fd>& files) {
            return GivenInputs{pack_from(answer.at("inputs"), files, 0), answer.at("kept").get<bool>()};
        });
}

Answer<DeviceRun> DeviceWorker::run(int session, const RemotePack& inputs, const std::vector<int>& choice,
                                    int calls, double deadline_s, KeptModule module) {
    const Json json{{"do", "run"},
                    {"session", session},
                    {"inputs", inputs.where},
                    {"choice", choice},
                    {"calls", calls},
                    {"same_module", module.same},
                    {"keep_module", module.keep},
                    {"kept_buffers", module.kept_buffers},
                    {"deadline_s", deadline_s}};
    return process_->ask<DeviceRun>(json, {inputs.fd.get()}, deadline_s + kReportGrace.count(),
                                    [](const Json& answer, std::vector<Fd>& files) {
                                        DeviceRun out;
                                        out.findings = findings_from(answer.at("findings"));
                                        out.warnings = findings_from(answer.at("warnings"));
                                        out.mutated = answer.at("mutated").get<std::vector<std::string>>();
                                        out.tf32 = answer.at("tf32").get<bool>();
                                        out.seconds = answer.at("seconds").get<double>();
                                        if (!files.empty())
                                            out.outputs = pack_from(answer.at("outputs"), files, 0);
                                        return out;
                                    });
}

Answer<Pack> DeviceWorker::host_inputs(int session, size_t set) {
    return process_->ask<Pack>({{"do", "inputs"}, {"session", session}, {"set", set}, {"host", true}}, {},
                               kComparison, [](const Json& answer, std::vector<Fd>& files) {
                                   if (files.size() != 1)
                                       throw InputError("the worker sent no pack of inputs");
                                   return Pack(files[0].release(), answer.at("inputs").at("index"));
                               });
}

Answer<ComparedAnswer> DeviceWorker::compare(int session, size_t set, const RemotePack& outputs) {
    return compare({{"do", "compare"}, {"session", session}, {"set", set}, {"outputs", outputs.where}},
                   outputs.fd.get());
}

Answer<ComparedAnswer> DeviceWorker::compare(int session, size_t set, const Pack& outputs) {
    return compare({{"do", "compare"},
                    {"session", session},
                    {"set", set},
                    {"host", true},
                    {"outputs", {{"index", outputs.index()}}}},
                   outputs.fd());
}

Answer<ComparedAnswer> DeviceWorker::compare(const Json& request, int fd) {
    return process_->ask<ComparedAnswer>(
        request, {fd}, kComparison, [](const Json& answer, std::vector<Fd>&) {
            ComparedAnswer out;
            for (const Json& one : answer.at("outputs"))
                out.outputs.push_back({one.at("name").get<std::string>(), one.at("mismatch"),
                                       one.at("elements").get<int64_t>(), number(one.at("worst_error")),
                                       number(one.at("worst_ratio"))});
            out.missing = answer.at("missing").get<std::vector<std::string>>();
            return out;
        });
}

Answer<Prepared> DeviceWorker::prepare(int session, const std::vector<RemotePack>& sets,
                                       const std::vector<int>& choice, bool prepack, double deadline_s) {
    Json packs = Json::array();
    std::vector<int> descriptors;
    for (const RemotePack& set : sets) {
        packs.push_back(set.where);
        descriptors.push_back(set.fd.get());
    }
    const Json json{{"do", "prepare"},  {"session", session}, {"sets", packs},
                    {"choice", choice}, {"prepack", prepack}, {"deadline_s", deadline_s}};
    return process_->ask<Prepared>(json, descriptors, deadline_s + kReportGrace.count(),
                                   [](const Json& answer, std::vector<Fd>&) {
                                       return Prepared{answer.at("graph").get<bool>(),
                                                       answer.at("computes_at_construction").get<bool>()};
                                   });
}

Answer<Prepared> DeviceWorker::prepare(int session, const std::vector<size_t>& sets,
                                       numerics::Precision precision, double deadline_s) {
    const Json json{{"do", "prepare"},
                    {"session", session},
                    {"sets", sets},
                    {"precision", numerics::name(precision)},
                    {"deadline_s", deadline_s}};
    return process_->ask<Prepared>(json, {}, deadline_s + kReportGrace.count(),
                                   [](const Json& answer, std::vector<Fd>&) {
                                       return Prepared{answer.at("graph").get<bool>(), false};
                                   });
}

Answer<TimedBlock> DeviceWorker::time(int session, int samples, const std::vector<int>& keep,
                                      double deadline_s) {
    const Json json{{"do", "time"},
                    {"session", session},
                    {"samples", samples},
                    {"keep", keep},
                    {"deadline_s", deadline_s}};
    return process_->ask<TimedBlock>(
        json, {}, deadline_s + kReportGrace.count(), [](const Json& answer, std::vector<Fd>& files) {
            TimedBlock out;
            out.ms = answer.at("ms").get<std::vector<double>>();
            for (const Json& one : answer.at("kept"))
                out.kept.push_back({one.at("sample").get<int>(), one.at("set").get<size_t>(),
                                    pack_from(one.at("outputs"), files, out.kept.size())});
            return out;
        });
}

void DeviceWorker::release(int session) {
    tell("release", session);
}

void DeviceWorker::close(int session) {
    tell("close", session);
}

void DeviceWorker::tell(const std::string& what, int session) {
    (void)process_->ask<bool>({{"do", what}, {"session", session}}, {}, kReportGrace.count(),
                              [](const Json&, std::vector<Fd>&) { return true; });
}

}  // namespace tritonsmith::run
