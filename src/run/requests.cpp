#include "run/requests.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <c10/util/Exception.h>
#include <sys/random.h>

#include <algorithm>
#include <new>

#include "plan/json.h"
#include "run/step_error.h"

namespace tritonsmith::run {
namespace {

Json refusal(const std::string& reason, const std::string& message, int step = -1, int line = 0) {
    return {{"ok", false}, {"reason", reason}, {"message", message}, {"step", step}, {"line", line}};
}

Json dispatch(const Json& request, std::vector<Fd>& descriptors, WorkerState& state, std::vector<Fd>& files) {
    const std::string& what = request.at("do").get_ref<const std::string&>();
    int threads = std::clamp(request.value("threads", 1), 1, 256);
    if (at::get_num_threads() != threads) at::set_num_threads(threads);
    if (what == "reference") return run_reference(request, state, files);
    if (what == "candidate") {
        if (descriptors.size() != 1)
            throw InputError("a candidate request carries one memory file, the inputs");
        return run_candidate(request, std::move(descriptors[0]), state, files);
    }
    throw InputError("\"do\": '" + what + "' is neither reference nor candidate");
}

}  // namespace

Variant variant_from_json(const Json& json) {
    return {json.at("sign").get<double>(), json.at("scale").get<double>(), json.at("offset").get<double>()};
}

bool all_finite(const plan::Plan& plan, Memory& memory) {
    for (const plan::Tensor& tensor : plan::tensors_in(plan.output)) {
        at::Tensor view = memory.view(tensor);
        if ((view.is_floating_point() || view.is_complex()) && !at::isfinite(view).all().item<bool>())
            return false;
    }
    return true;
}

uint64_t fresh_poison() {
    uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random)
        throw MachineError("no random numbers from the kernel");
    return random;
}

Json answer(const Json& request, std::vector<Fd>& descriptors, WorkerState& state, std::vector<Fd>& files) {
    Json out;
    try {
        return dispatch(request, descriptors, state, files);
    } catch (const StepError& error) {
        out = refusal(error.reason, error.what(), error.step, error.line);
    } catch (const InputError& error) {
        out = refusal("plan_invalid", error.what());
    } catch (const Json::exception& error) {
        out = refusal("plan_invalid", std::string("malformed request: ") + error.what());
    } catch (const c10::Error& error) {
        std::string message = error.what_without_backtrace();
        message = message.substr(0, message.find('\n'));
        bool memory = message.find("allocate memory") != std::string::npos;
        out = refusal(memory ? "out_of_memory" : "aten_error", message);
    } catch (const std::bad_alloc&) {
        out = refusal("out_of_memory", "the machine's memory is full");
    } catch (const MachineError& error) {
        out = refusal("out_of_memory", error.what());
    } catch (const std::exception& error) {
        out = refusal("aten_error", error.what());
    }
    files.clear();
    return out;
}

}  // namespace tritonsmith::run
