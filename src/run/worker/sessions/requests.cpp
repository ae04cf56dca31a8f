#include "run/worker/sessions/requests.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/isposinf.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <new>
#include <system_error>

#include "plan/ir/json.h"
#include "plan/values/infinities.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

Json refusal(const std::string& reason, const std::string& message, int step = -1, int line = 0) {
    return {{"ok", false}, {"reason", reason}, {"message", message}, {"step", step}, {"line", line}};
}

Json dispatch(const Json& request, std::vector<Fd>& descriptors, WorkerState& state, std::vector<Fd>& files) {
    const std::string& what = request.at("do").get_ref<const std::string&>();
    int threads = std::clamp(request.value("threads", 1), 1, 256);
    if (at::get_num_threads() != threads) at::set_num_threads(threads);
    if (what == "reference") return run_reference(request, descriptors, state, files);
    if (what == "candidate") return run_candidate(request, descriptors, state, files);
    if (what == "sample")
        return to_json(sample::answer(sample_request_from(request), state.programs, state.samples));
    if (what == "device") return {{"ok", true}, {"device", state.accelerator->describe()}};
    if (what == "open_candidate" || what == "open_reference") {
        Json answer{{"ok", true}};
        std::unique_ptr<Session> session = what == "open_candidate"
                                               ? open_candidate(request, descriptors, state, answer)
                                               : open_reference(request, state, answer);
        answer["session"] = state.next_session;
        state.sessions.emplace(state.next_session++, std::move(session));
        return answer;
    }
    const auto session = state.sessions.find(request.value("session", 0));
    if (session == state.sessions.end())
        throw InputError("\"do\": '" + what + "' without an open session is no request");
    if (what == "close") {
        state.sessions.erase(session);
        state.accelerator->trim();
        return {{"ok", true}};
    }
    return session->second->answer(what, request, descriptors, files);
}

}  // namespace

numerics::Precision precision_of(const Json& request) {
    const auto& name = request.at("precision").get_ref<const std::string&>();
    const std::optional<numerics::Precision> precision = numerics::precision_from_name(name);
    if (!precision) throw InputError("\"precision\": there is no precision '" + name + "'");
    return *precision;
}

namespace {

/// torch does not ask all 8-bit floats.
at::Tensor asked(const plan::Tensor& tensor, Memory& memory) {
    const at::Tensor view = memory.view(tensor);
    return view.is_floating_point() && view.element_size() == 1 ? view.to(at::kFloat) : view;
}

bool finite(const at::Tensor& view) {
    return (!view.is_floating_point() && !view.is_complex()) || at::isfinite(view).all().item<bool>();
}

/// -1 and 1 where it is infinite.
at::Tensor infinities_of(const at::Tensor& view) {
    return at::isposinf(view).to(at::kChar).sub_(at::isneginf(view).to(at::kChar));
}

}  // namespace

bool all_finite(const plan::Plan& plan, Memory& memory, Infinities& where) {
    const std::set<int> stated = plan::stated_infinities(plan);
    for (const auto& [name, tensor] : output_tensors(plan)) {
        const at::Tensor view = asked(tensor, memory);
        const auto before = where.find(name);
        if (finite(view) && before == where.end()) continue;
        if (!stated.contains(tensor.buffer) || view.is_complex() || at::isnan(view).any().item<bool>())
            return false;
        const at::Tensor here = infinities_of(view);
        if (before == where.end())
            where.emplace(name, here);
        else if (!before->second.equal(here))
            return false;
    }
    return true;
}

bool all_finite(const NamedTensors& tensors, Memory& memory) {
    return std::all_of(tensors.begin(), tensors.end(),
                       [&](const auto& named) { return finite(asked(named.second, memory)); });
}

Json answer(const Json& request, std::vector<Fd>& descriptors, WorkerState& state, std::vector<Fd>& files) {
    Json out;
    try {
        return dispatch(request, descriptors, state, files);
    } catch (const StepError& error) {
        out = refusal(error.reason, error.what(), error.step, error.line);
    } catch (const DeviceFault& error) {
        out = refusal(error.reason, error.what());
        out["lost"] = error.context_is_lost;
    } catch (const c10::AcceleratorError& error) {
        const DeviceFault fault =
            state.accelerator->fault(error.get_error_code(), first_line(error.what_without_backtrace()));
        out = refusal(fault.reason, fault.what());
        out["lost"] = fault.context_is_lost;
    } catch (const InputError& error) {
        out = refusal("plan_invalid", error.what());
    } catch (const Json::exception& error) {
        out = refusal("plan_invalid", std::string("malformed request: ") + error.what());
    } catch (const c10::Error& error) {
        const std::string message = first_line(error.what_without_backtrace());
        const bool memory = message.find("allocate memory") != std::string::npos ||
                            message.find("out of memory") != std::string::npos;
        out = refusal(memory ? "out_of_memory" : "aten_error", message);
        if (memory && state.accelerator)
            state.accelerator->trim();  // whoever tries again is told what is free
    } catch (const std::bad_alloc&) {
        out = refusal("out_of_memory", "the machine's memory is full");
    } catch (const MachineError& error) {
        out = refusal("machine_error", error.what());
    } catch (const std::system_error& error) {
        out = refusal("machine_error", error.what());
    } catch (const std::exception& error) {
        out = refusal("aten_error", error.what());
    }
    files.clear();
    return out;
}

}  // namespace tritonsmith::run
