#include "trace/tracer.h"

#include "base/json.h"
#include "plan/json.h"
#include "plan/validate.h"
#include "trace/classify.h"
#include "trace/environment.h"
#include "trace/private_folder.h"
#include "trace/service.h"
#include "trace/supervise.h"

namespace tritonsmith::trace {
namespace {

Json values(const plan::List& list) {
    Json json = Json::array();
    for (const plan::Value& value : list) json.push_back(plan::to_json(value));
    return json;
}

Json told(const std::vector<plan::ReadStep>& reads) {
    Json json = Json::array();
    for (const plan::ReadStep& read : reads) {
        json.push_back(plan::to_json(plan::Value{read.tensor}));
        json.back()["values"] = read.values;
    }
    return json;
}

Json to_json(const Request& request, const std::string& folder, bool sandbox) {
    const double seconds = std::chrono::duration<double>(request.deadline).count();
    return {{"kind", request.kind},
            {"device", request.device},
            {"target", request.target},
            {"source", request.source},
            {"filename", request.filename},
            {"entry", request.entry},
            {"constants", request.constants},
            {"inputs", values(request.inputs)},
            {"init_inputs", values(request.init_inputs)},
            {"readable", told(request.readable)},
            {"configuration", request.configuration},
            {"folder", folder},
            {"sandbox", sandbox},
            {"limits", {{"seconds", seconds}, {"memory", request.memory_bytes}}}};
}

/// A child that made its plan by hand may claim to have been asked something else.
std::optional<Finding> answers_the_request(const plan::Plan& plan, const Request& request) {
    auto wrong = [](const std::string& what) {
        return Finding{"plan_invalid", "the plan is not an answer to the request: " + what, 0,
                       Json::object()};
    };
    if (plan.role != request.kind) return wrong("its role is \"" + printable(plan.role, 40) + "\"");
    if (plan.device != request.device) return wrong("its device is \"" + printable(plan.device, 40) + "\"");
    if (plan.target != request.target) return wrong("its target is \"" + printable(plan.target, 40) + "\"");
    if (request.kind != "candidate") return std::nullopt;
    const auto given = plan::tensors_in(request.inputs), taken = plan::tensors_in(plan.inputs);
    bool same = given.size() == taken.size() && request.inputs.size() == plan.inputs.size();
    for (size_t i = 0; same && i < given.size(); ++i) {
        same = given[i].dtype == taken[i].dtype && given[i].shape == taken[i].shape;
    }
    if (!same) return wrong("its inputs are not those that were given");
    return std::nullopt;
}

Outcome read_result(const Ending& ending, const Request& request) {
    const std::optional<Json> json = parse_untrusted_json(frame_body(ending));
    if (!json || !json->is_object() || json->size() != 1) {
        return Finding{"trace_protocol", "the traced process sent something that is no result", 0,
                       Json::object()};
    }
    if (auto error = json->find("error"); error != json->end()) return finding_of(*error, request.kind);
    auto made = json->find("plan");
    if (made == json->end()) {
        return Finding{"trace_protocol", "the traced process sent something that is no result", 0,
                       Json::object()};
    }
    try {
        plan::Plan plan = plan::from_json_unchecked(*made);
        if (auto finding = plan::validate(plan)) {
            finding->message = printable(finding->message, 2000);
            return *finding;
        }
        if (auto finding = answers_the_request(plan, request)) return *finding;
        return plan;
    } catch (const InputError& error) {
        return Finding{"plan_invalid", printable(error.what(), 2000), 0, Json::object()};
    }
}

}  // namespace

struct Tracer::Impl {
    explicit Impl(TracerOptions o)
        : options(std::move(o)), zygote("tracer", [this](const std::string& folder) {
              return package_script(options, "tracer.py", folder, true);
          }) {}

    TracerOptions options;
    Service zygote;

    Outcome once(const Request& request, bool last) {
        zygote.ready();  // the deadline is the program's, not the start's
        PrivateFolder folder("tritonsmith-trace");
        Pipe result = make_pipe(), output = make_pipe();
        auto call = zygote.send(to_json(request, folder.path(), options.sandbox),
                                {result.write.get(), output.write.get()});
        result.write.reset();
        output.write.reset();
        Allowance allowance;
        allowance.deadline = Clock::now() + 3 * request.deadline;
        allowance.cpu_seconds = std::chrono::duration<double>(request.deadline).count();
        allowance.memory = request.memory_bytes;
        const Ending ending = supervise(*call, result.read.get(), output.read.get(), folder, allowance);
        if (!last && killed_from_outside(ending, allowance))
            throw ServiceEnded("the traced process was killed");
        if (auto finding = classify(ending, allowance)) return *finding;
        return read_result(ending, request);
    }
};

Tracer::Tracer(TracerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Tracer::~Tracer() = default;

Outcome Tracer::trace(const Request& request) {
    require_sandbox(impl_->options);
    return persistently([&](bool last) { return impl_->once(request, last); });
}

}  // namespace tritonsmith::trace
