#include "trace/tracer.h"

#include "plan/ir/json.h"
#include "trace/classify.h"
#include "trace/environment.h"
#include "trace/outcome.h"
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

Json readable_json(const std::vector<plan::ReadStep>& reads) {
    Json json = Json::array();
    for (const plan::ReadStep& read : reads) {
        json.push_back(plan::to_json(plan::Value{read.tensor}));
        json.back()["values"] = read.values;
    }
    return json;
}

Json to_json(const Request& request, const std::string& folder, bool sandbox, bool keep_lowered) {
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
            {"readable", readable_json(request.readable)},
            {"configuration", request.configuration},
            {"call", request.call},
            {"moved", request.moved},
            {"draw_seed", request.draw_seed},
            {"lowered", request.lowered ? *request.lowered : Json::array()},
            {"keep_lowered", keep_lowered},
            {"folder", folder},
            {"sandbox", sandbox},
            {"limits", {{"seconds", seconds}, {"memory", request.memory_bytes}}}};
}

}  // namespace

struct Tracer::Impl {
    explicit Impl(TracerOptions o)
        : options(std::move(o)), zygote("tracer", [this](const std::string& folder) {
              return package_script(options, "tracer.py", folder, true);
          }) {}

    TracerOptions options;
    Service zygote;

    Outcome once(const Request& request, std::shared_ptr<const Json>* lowered) {
        zygote.ready();  // the deadline is the program's, not the start's
        PrivateFolder folder("tritonsmith-trace");
        Pipe result = make_pipe(), output = make_pipe();
        auto call = zygote.send(to_json(request, folder.path(), options.sandbox, lowered != nullptr),
                                {result.write.get(), output.write.get()});
        result.write.reset();
        output.write.reset();
        Allowance allowance;
        allowance.deadline = Clock::now() + kClockPerProcessor * request.deadline;
        allowance.cpu_seconds = std::chrono::duration<double>(request.deadline).count();
        allowance.memory = request.memory_bytes;
        const Ending ending = supervise(*call, result.read.get(), output.read.get(), folder, allowance);
        if (killed_from_outside(ending, allowance)) throw HelperEnded("the traced process was killed");
        return outcome_of(ending, allowance, request, lowered);
    }
};

Tracer::Tracer(TracerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Tracer::Tracer() = default;
Tracer::~Tracer() = default;

Outcome Tracer::trace(const Request& request, std::shared_ptr<const Json>* lowered) {
    require_sandbox(impl_->options);
    return ask_until_answered([&](bool) { return impl_->once(request, lowered); });
}

}  // namespace tritonsmith::trace
