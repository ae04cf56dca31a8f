#include "judge/device_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "judge/reference_runs.h"
#include "plan/json.h"
#include "plan/flow.h"

namespace tritonsmith::judge {

namespace {

int64_t io_bytes(const plan::Plan& plan) {
    std::set<int> buffers;
    for (const plan::Tensor& tensor : plan::tensors_in(plan.inputs)) buffers.insert(tensor.buffer);
    for (const plan::Tensor& tensor : plan::tensors_in(plan.output)) buffers.insert(tensor.buffer);
    for (const plan::Weight& weight : plan.weights) buffers.insert(weight.tensor.buffer);
    int64_t bytes = 0;
    for (int buffer : buffers) bytes += plan.buffers[static_cast<size_t>(buffer)].bytes;
    return bytes;
}

struct Setting {
    run::Variant variant;
    bool wide = false;
};

/// As reference_runs.cpp has them, as many as there is room for: large tasks have seen the others at the small
/// size. The first two are the task's own distribution: timed calls take them in turn.
std::vector<Setting> settings_for(int64_t bytes) {
    std::vector<Setting> all = {{{1, 1, 0}}, {{1, 1, 0}}, {{-1, 1, 0}}, {{1, 100, 0}, true}, {{1, 1, 100}}};
    if (bytes > (int64_t{1} << 30)) all.resize(2);
    if (bytes > (int64_t{128} << 20)) all.resize(std::min<size_t>(all.size(), 3));
    return all;
}

Finding from_worker(const run::WorkerError& error) {
    std::string reason = "task_error";
    for (const char* kept : {"unsupported_operation", "task_random", "out_of_memory"})
        if (error.reason == kept) reason = kept;
    if (error.reason == "aten_not_allowed") reason = "unsupported_operation";
    return of_the_task({reason,
                        "the reference does not run on the device: " + error.message,
                        error.line,
                        {{"worker_reason", error.reason}}});
}

}  // namespace

DeviceReference::DeviceReference(plan::Plan plan, DeviceServices& services, const Options& options)
    : plan_(std::move(plan)),
      services_(services),
      tolerance_(options.tolerance),
      seed_(options.seed ? *options.seed : std::random_device{}() * uint64_t{0x9E3779B97F4A7C15}),
      bytes_(io_bytes(plan_)) {}

DeviceReference::~DeviceReference() {
    if (session_ == 0) return;
    DeviceServices::ReferenceLease lease(services_);
    if (lease->generation() == generation_) lease->close(session_);
}

std::optional<Finding> DeviceReference::ensure(DeviceServices::ReferenceLease& lease) {
    if (session_ != 0 && lease->generation() == generation_) return std::nullopt;
    session_ = 0;
    prepared.generation = 0;
    run::OpenReference request;
    request.plan = &plan_;
    request.tolerance_f32 = tolerance_.f32;
    request.tolerance_low = tolerance_.low;
    std::mt19937_64 seeds(seed_);
    const std::vector<Setting> settings = settings_for(bytes_);
    for (const Setting& setting : settings) request.sets.push_back({seeds(), setting.variant, setting.wide});
    for (int attempt = 0;; ++attempt) {
        auto device = lease->device();
        if (auto* error = std::get_if<run::WorkerError>(&device))
            throw MachineError("the device's worker does not answer: " + error->message);
        // Four tasks are kept, and candidates need room as well.
        request.budget_bytes = std::get<Json>(device).at("free_bytes").get<int64_t>() / 8;
        auto answer = lease->open(request);
        if (auto* error = std::get_if<run::WorkerError>(&answer)) {
            if (error->reason == "worker_died" && attempt < 3) continue;
            return from_worker(*error);
        }
        opened_ = std::move(std::get<run::OpenedReference>(answer));
        break;
    }
    session_ = opened_.session;
    generation_ = lease->generation();
    if (opened_.random)
        return Finding{"task_random", "the reference draws random numbers in its forward pass", 0, Json::object()};
    if (opened_.finite.empty() || !opened_.finite[0])
        return Finding{"task_error", "the reference's own output is not finite on its own inputs", 0, Json::object()};
    sets_.clear();
    for (size_t i = 0; i < opened_.finite.size(); ++i)
        if (opened_.finite[i])
            sets_.push_back({i, i < 2, fmt::format("sign {} scale {} offset {}", settings[i].variant.sign,
                                                   settings[i].variant.scale, settings[i].variant.offset)});
    return std::nullopt;
}

}  // namespace tritonsmith::judge
