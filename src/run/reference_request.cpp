#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/isfinite.h>

#include <algorithm>

#include "plan/json.h"
#include "plan/link.h"
#include "plan/promote.h"
#include "run/draw_step.h"
#include "run/executor.h"
#include "run/oracle.h"
#include "run/requests.h"
#include "run/step_error.h"
#include "run/tensor_packs.h"
#include "run/torch_types.h"

namespace tritonsmith::run {
namespace {

/// Plan rule 19: parameters that start as ones and zeros get values that a kernel which skips them cannot
/// guess.
class Redraw {
  public:
    Redraw(const plan::Plan& plan, Executor& executor, uint64_t seed) : executor_(executor), seed_(seed) {
        std::vector<plan::WeightOrigin> origins = plan::weight_origins(plan);
        for (size_t i = 0; i < plan.weights.size(); ++i) {
            const plan::Weight& weight = plan.weights[i];
            if (!weight.parameter || !plan::is_floating(weight.tensor.dtype)) continue;
            Distribution law;
            if (origins[i].law == plan::Law::ones)
                law = {Law::uniform, 0.5, 1.5, 0, 1};
            else if (origins[i].law == plan::Law::zeros)
                law = {Law::normal, 0, 0.1, 0, 1};
            else
                continue;
            if (origins[i].writes.empty()) overwrite(weight, law, i);
            for (int step : origins[i].writes)
                after_.emplace(step, [this, &weight, law, i] { overwrite(weight, law, i); });
        }
    }
    void after(int step) {
        auto [first, last] = after_.equal_range(step);
        for (auto it = first; it != last; ++it) it->second();
    }

  private:
    void overwrite(const plan::Weight& weight, const Distribution& law, size_t index) {
        draw_into(executor_.memory().view(weight.tensor), weight.tensor.dtype, law,
                  {seed_, kRedrawStream, static_cast<uint32_t>(index)}, {});
    }

    Executor& executor_;
    uint64_t seed_;
    std::multimap<int, std::function<void()>> after_;
};

Variant variant_from(const Json& json) {
    return {json.at("sign").get<double>(), json.at("scale").get<double>(), json.at("offset").get<double>()};
}

/// Adds a pack to the answer.
void attach(Json& packs, const std::string& name, PackWriter& writer, std::vector<Fd>& files) {
    packs[name] = writer.index();
    files.push_back(writer.seal());
}

bool all_finite(const plan::Plan& plan, Memory& memory) {
    for (const plan::Tensor& tensor : plan::tensors_in(plan.output)) {
        at::Tensor view = memory.view(tensor);
        if ((view.is_floating_point() || view.is_complex()) && !at::isfinite(view).all().item<bool>())
            return false;
    }
    return true;
}

}  // namespace

Json run_reference(const Json& request, WorkerState& state, std::vector<Fd>& files) {
    auto start = Clock::now();
    plan::Plan plan = plan::from_json(request.at("plan"));
    auto want = request.at("want").get<std::vector<std::string>>();
    auto wanted = [&](const char* name) { return std::find(want.begin(), want.end(), name) != want.end(); };
    std::map<std::string, PackWriter> writers;
    for (const std::string& name : want) {
        if (name != "inputs" && name != "native" && name != "f64" && name != "absolute")
            throw InputError("\"want\": no pack is called '" + name + "'");
        writers[name];
    }
    ExecutorOptions options;
    options.seed = request.at("seed").get<uint64_t>();
    options.variant = variant_from(request.at("variant"));
    options.poison = fresh_poison();
    options.memory_limit = state.memory_limit;

    Json answer{{"ok", true}, {"rounding", Json::array()}, {"finite", true}};
    std::optional<ForwardState> forward;
    std::vector<std::string> mutated;
    bool native_finite = true;
    {
        Executor native(plan, options);
        std::optional<Redraw> redraw;
        if (request.at("redraw").get<bool>()) redraw.emplace(plan, native, options.seed);
        native.after_step = [&](int step) {
            if (redraw) redraw->after(step);
        };
        native.run_setup();
        NamedTensors tensors = input_tensors(plan), weights = weight_tensors(plan);
        tensors.insert(tensors.end(), weights.begin(), weights.end());
        PackWriter unwanted;
        PackWriter& before = wanted("inputs") ? writers["inputs"] : unwanted;
        write_pack(before, tensors, native.memory());
        if (wanted("f64") || wanted("absolute")) forward.emplace(plan, native.memory());
        native.run_forward();
        native_finite = all_finite(plan, native.memory());
        auto given = [&](size_t i) {
            return at::from_blob(before.data(i), tensors[i].second.shape, to_torch(tensors[i].second.dtype));
        };
        mutated = changed_since(given, input_tensors(plan), native.memory());
        answer["mutated"] = mutated;
        answer["random"] = native.forward_draws();
        if (wanted("native")) write_pack(writers["native"], results(plan, mutated), native.memory());
    }
    if (forward) {
        std::vector<std::string> rounding;
        plan::Plan promoted = plan::promote(plan, rounding);
        answer["rounding"] = rounding;
        SoftmaxResults softmaxes;
        for (const char* name : {"f64", "absolute"}) {
            if (!wanted(name)) continue;
            bool magnitudes = std::string_view(name) == "absolute";
            plan::Plan executed = magnitudes ? plan::absolute(promoted) : std::move(promoted);
            if (!magnitudes && wanted("absolute")) promoted = executed;
            Executor oracle(executed, options);
            forward->load(executed, oracle.memory(), magnitudes);
            magnitudes ? softmaxes.raise(oracle) : softmaxes.keep(oracle);
            oracle.run_forward();
            write_pack(writers[name], results(executed, mutated), oracle.memory());
            // What overflows in the reference's own dtype cannot be asked of a candidate either.
            if (!magnitudes) answer["finite"] = native_finite && all_finite(executed, oracle.memory());
        }
    }
    answer["longest_reduction"] = plan::longest_reduction(plan);
    answer["packs"] = Json::object();
    for (const std::string& name : want) attach(answer["packs"], name, writers[name], files);
    answer["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    return answer;
}

}  // namespace tritonsmith::run
