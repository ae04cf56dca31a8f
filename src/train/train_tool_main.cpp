// tritonsmith-train-tool: training for tests in Python. JSON lines on stdin, one answer for each on stdout:
//   {"do":"gradients","folder":F,"tokens":[[…]…],"learned":[[b…]…],"out":FILE, OPTIONS}
//       FILE (safetensors): of cross-entropy over the learned tokens of all documents, the gradient of each
//       tensor of the model by its name in the file, and logprobs [targets]; "loss" in the answer
//   {"do":"sft","configuration":{…},"resume":b,"stop_at":n}
//       `train sft`, of several processes where the environment says so; "steps" and "signal" in the answer.
//       stop_at: as if SIGTERM arrived in that step
//   {"do":"policy","values":FILE,"rewards":[[x…]…],"settings":{…},"out":FILE}
//       of the tokens in FILE (logprobs, old, rollout, reference, sequences, advantages, weights, kl_weights)
//       the losses, gradients, clipped [n] in `out`; in the answer each group's "advantages" and the
//       "mismatch"
//   {"do":"optimize","values":FILE,"gradients":[FILE…],"learning_rates":[x…],"method":"adamw"|"muon",
//    "weight_decay":x,"out":FILE}
//       what the tensors of `values` are after a step for each file of gradients; those with one dimension
//       are norms
//       "adapters":FOLDER, "rank":n, "alpha":x: weights stay, and the gradients are those of PEFT's adapters
//       there
// OPTIONS: "dtype":"float32"|"bfloat16", "gradients": the same, "recompute":"nothing"|"elementwise"|"layer",
//          "logits_bytes":n, "z":x, "device":"cpu"|"cuda:0"
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <atomic>
#include <csignal>
#include <string>

#include "model/json_fields.h"
#include "model/request_lines.h"
#include "model/weights/safetensors.h"
#include "model/weights/safetensors_writer.h"
#include "model/weights/weight_dtype.h"
#include "train/checkpoint/adapter_files.h"
#include "train/loss/cross_entropy.h"
#include "train/network/network.h"
#include "train/network/parameters.h"
#include "train/optimizer/optimizer.h"
#include "train/policy/advantages.h"
#include "train/policy/mismatch.h"
#include "train/policy/policy_loss.h"
#include "train/sft/sft.h"

namespace {

using namespace tritonsmith;
using namespace tritonsmith::train;
using model::JsonFields;

Recompute recompute_of(const std::string& name) {
    if (name == "nothing") return Recompute::nothing;
    if (name == "elementwise") return Recompute::elementwise;
    if (name == "layer") return Recompute::layer;
    throw InputError("recompute: \"" + name + "\" is unknown");
}

/// Lists of numbers, one behind the other.
std::vector<int64_t> joined(const Json& lists, std::vector<int64_t>* lengths) {
    std::vector<int64_t> all;
    for (const auto& list : lists.get<std::vector<std::vector<int64_t>>>()) {
        all.insert(all.end(), list.begin(), list.end());
        if (lengths != nullptr) lengths->push_back(static_cast<int64_t>(list.size()));
    }
    return all;
}

Json gradients(const JsonFields& request) {
    const at::Device device(request.text_or("device", "cpu"));
    const model::Model model = model::Model::load(
        request.text("folder"),
        {.device = device, .dtype = model::weight_dtype(request.text_or("dtype", "float32")), .plain = true});
    Documents documents;
    documents.tokens = at::tensor(joined(request.value("tokens"), &documents.lengths), at::kLong).to(device);

    std::optional<Adapters> adapters, adapter_sums;
    const at::ScalarType sums_dtype = model::weight_dtype(request.text_or("gradients", "float32"));
    if (request.has("adapters")) {
        adapters = new_adapters(model, request.integer("rank", 1, 1024), request.number("alpha", 0, 1e6), 1);
        read_adapters(request.text("adapters"), *adapters);
        adapter_sums = zero_gradients(*adapters, sums_dtype);
    }
    const Network network(model, recompute_of(request.text_or("recompute", "elementwise")),
                          adapters ? &*adapters : nullptr);
    model::Weights sums;
    sums.layers.resize(model.weights().layers.size());
    if (!adapters) sums = zero_gradients(model, sums_dtype);
    Tape tape;
    const at::Tensor hidden = network.forward(documents, tape);
    const std::vector<int64_t> learned = joined(request.value("learned"), nullptr);
    const Targets targets = targets_of(documents, {learned.begin(), learned.end()});
    const CrossEntropy loss{.targets = static_cast<double>(targets.rows.size(0)),
                            .z = request.number_or("z", 0, 0, 1)};
    const HeadResult result = train_targets(
        hidden.index_select(0, targets.rows), model.weights().head.values, targets.tokens,
        [&](int64_t, const at::Tensor& log_probabilities, const at::Tensor& log_normalisers) {
            return loss.gradients(log_probabilities, log_normalisers);
        },
        sums.head.values, request.integer_or("logits_bytes", 0, 0, int64_t{1} << 40));
    at::Tensor hidden_gradient = at::zeros_like(hidden);
    hidden_gradient.index_copy_(0, targets.rows, result.hidden_gradient);
    network.backward(hidden_gradient, tape, sums, adapter_sums ? &*adapter_sums : nullptr);

    std::vector<model::NamedTensor> tensors = {{"logprobs", result.log_probabilities}};
    for (const Parameter& parameter :
         adapters ? parameters_of(*adapters, *adapter_sums) : parameters_of(model, sums))
        for (const Parameter::Part& part : parameter.parts)
            tensors.emplace_back(part.name, parameter.gradient.narrow(0, part.first, part.rows));
    model::write_safetensors(request.text("out"), tensors);
    return {{"loss", loss.value(result).item<double>()}};
}

Json optimize(const JsonFields& request) {
    const auto files = request.value("gradients").get<std::vector<std::string>>();
    const auto rates = request.value("learning_rates").get<std::vector<double>>();
    const model::Safetensors values = model::Safetensors::open(request.text("values"));
    std::vector<Parameter> parameters;
    for (const auto& [name, entry] : values.entries()) {
        const at::Tensor value = values.tensor(name).clone();
        parameters.push_back({.kind = value.dim() == 2 ? Parameter::Kind::matrix : Parameter::Kind::norm,
                              .parts = {{name, 0, value.size(0)}},
                              .value = value,
                              .gradient = at::zeros_like(value)});
    }
    Optimizer optimizer(parameters,
                        {.method = request.text("method") == "muon" ? OptimizerSettings::Method::muon
                                                                    : OptimizerSettings::Method::adamw,
                         .weight_decay = request.number("weight_decay", 0, 1)});
    for (size_t i = 0; i < files.size(); ++i) {
        const model::Safetensors gradients = model::Safetensors::open(files[i]);
        for (const Parameter& parameter : parameters)
            parameter.gradient.copy_(gradients.tensor(parameter.name()));
        optimizer.step(static_cast<int64_t>(i) + 1, rates.at(i));
    }
    std::vector<model::NamedTensor> tensors;
    for (const Parameter& parameter : parameters) tensors.emplace_back(parameter.name(), parameter.value);
    model::write_safetensors(request.text("out"), tensors);
    return Json::object();
}

template <class Value>
Value named(const Json& settings, const char* field,
            std::initializer_list<std::pair<const char*, Value>> known) {
    for (const auto& [name, value] : known)
        if (settings.value(field, std::string(known.begin()->first)) == name) return value;
    throw InputError(std::string(field) + ": is unknown");
}

Json policy(const JsonFields& request) {
    const Json& wanted = request.value("settings");
    PolicyLossSettings settings;
    settings.ratio = named<PolicyLossSettings::Ratio>(
        wanted, "ratio",
        {{"token", PolicyLossSettings::Ratio::token}, {"sequence", PolicyLossSettings::Ratio::sequence}});
    settings.objective = named<PolicyLossSettings::Objective>(
        wanted, "objective",
        {{"clip", PolicyLossSettings::Objective::clip}, {"cispo", PolicyLossSettings::Objective::cispo}});
    settings.clip_low = wanted.value("clip_low", 0.2);
    settings.clip_high = wanted.value("clip_high", 0.2);
    settings.dual_clip = wanted.value("dual_clip", 0.0);
    settings.kl = wanted.value("kl", 0.0);
    settings.kl_form = named<PolicyLossSettings::Kl>(wanted, "kl_form",
                                                     {{"k3", PolicyLossSettings::Kl::k3},
                                                      {"k2", PolicyLossSettings::Kl::k2},
                                                      {"k1", PolicyLossSettings::Kl::k1}});
    settings.importance_cap = wanted.value("importance_cap", 0.0);
    const model::Safetensors values = model::Safetensors::open(request.text("values"));
    const at::Tensor log_probabilities = values.tensor("logprobs");
    PolicyTokens tokens{values.tensor("advantages"),
                        values.tensor("weights"),
                        values.tensor("kl_weights"),
                        values.tensor("old"),
                        values.tensor("rollout"),
                        values.tensor("reference"),
                        {}};
    const at::Tensor sequences = values.tensor("sequences");
    if (wanted.value("on_policy", false)) tokens.old = at::Tensor();
    if (tokens.old.defined())
        tokens.sequence_log_ratios = sequence_log_ratios(log_probabilities, tokens.old, sequences,
                                                         sequences.max().item<int64_t>() + 1);
    // In two pieces, as the head has them.
    const int64_t n = log_probabilities.size(0), half = n / 2;
    std::vector<at::Tensor> losses, gradients, clipped;
    for (const auto& [first, count] : {std::pair{int64_t{0}, half}, {half, n - half}}) {
        const PolicyTerms terms =
            policy_terms(settings, tokens.narrow(first, count), log_probabilities.narrow(0, first, count));
        losses.push_back(terms.losses);
        gradients.push_back(terms.gradients);
        clipped.push_back(terms.clipped.to(at::kFloat));
    }
    model::write_safetensors(
        request.text("out"),
        {{"losses", at::cat(losses)}, {"gradients", at::cat(gradients)}, {"clipped", at::cat(clipped)}});
    const AdvantageSettings advantages{
        named<AdvantageSettings::Baseline>(wanted, "baseline",
                                           {{"mean", AdvantageSettings::Baseline::mean},
                                            {"leave_one_out", AdvantageSettings::Baseline::leave_one_out}}),
        wanted.value("deviation", true)};
    Json groups = Json::array();
    for (const auto& rewards : request.value("rewards").get<std::vector<std::vector<double>>>())
        groups.push_back(group_advantages(rewards, advantages));
    const Mismatch mismatch = mismatch_of(values.tensor("old"), tokens.rollout);
    return {{"advantages", groups},
            {"mismatch",
             {{"kl", mismatch.kl}, {"largest", mismatch.largest}, {"effective", mismatch.effective}}}};
}

Json sft(const JsonFields& request) {
    const SftSettings settings = read_sft_settings(request.value("configuration"), "configuration");
    const int64_t stop_at = request.integer_or("stop_at", 0, 0, int64_t{1} << 40);
    std::atomic<int> signal = 0;
    std::vector<std::string> lines;
    const std::unique_ptr<Communicator> communicator =
        communicator_of_this_process(at::Device(settings.device), std::chrono::seconds(60));
    const SftResult result =
        run_sft(settings, {.resume = request.boolean_or("resume", false),
                           .signal = &signal,
                           .communicator = communicator.get(),
                           .tell = [&](const std::string& line) { lines.push_back(line); },
                           .on_step =
                               [&](int64_t step, const Json&) {
                                   if (step + 1 == stop_at) signal = SIGTERM;
                               }});
    return {{"steps", result.steps}, {"loss", result.loss}, {"signal", result.signal}, {"lines", lines}};
}

Json answer(const JsonFields& request) {
    const std::string what = request.text("do");
    if (what == "gradients") return gradients(request);
    if (what == "policy") return policy(request);
    if (what == "optimize") return optimize(request);
    if (what == "sft") return sft(request);
    throw InputError("do: \"" + what + "\" is unknown");
}

}  // namespace

int main() {
    model::answer_request_lines(answer);
    return 0;
}
