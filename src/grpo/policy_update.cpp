#include "grpo/policy_update.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include "train/data/packing.h"
#include "train/loss/cross_entropy.h"
#include "train/loss/head.h"

namespace tritonsmith::grpo {
namespace {

using train::PolicyTokens;

/// Some examples on a device, one behind the other; targets are their answers' tokens in that order.
struct DeviceExamples {
    train::Documents documents;
    train::Targets targets;
    std::vector<const PolicyExample*> examples;

    at::Device device() const { return documents.tokens.device(); }
    /// A vector of the answers' tokens; undefined where the first example has none.
    at::Tensor gathered(std::vector<float> PolicyExample::*member) const {
        if ((examples.front()->*member).empty()) return {};
        std::vector<float> all;
        for (const PolicyExample* example : examples)
            all.insert(all.end(), (example->*member).begin(), (example->*member).end());
        return at::tensor(all).to(device());
    }
    /// Of each answer's token the number of its answer.
    at::Tensor sequences() const {
        std::vector<int64_t> numbers;
        int64_t number = 0;
        for (const PolicyExample* example : examples)
            for (const text::Span& answer : example->answers)
                numbers.insert(numbers.end(), static_cast<size_t>(answer.end - answer.begin), number++);
        return at::tensor(numbers).to(device());
    }
    int64_t answers() const {
        int64_t count = 0;
        for (const PolicyExample* example : examples) count += static_cast<int64_t>(example->answers.size());
        return count;
    }
};

DeviceExamples on_device(const std::vector<PolicyExample>& examples, const std::vector<size_t>& chosen,
                         at::Device device) {
    DeviceExamples result;
    std::vector<int64_t> tokens;
    std::vector<uint8_t> learned;
    for (const size_t index : chosen) {
        const PolicyExample& example = examples[index];
        result.examples.push_back(&example);
        tokens.insert(tokens.end(), example.tokens.begin(), example.tokens.end());
        const size_t first = learned.size();
        learned.resize(tokens.size(), 0);
        for (const text::Span& answer : example.answers)
            std::fill(learned.begin() + static_cast<std::ptrdiff_t>(first) + answer.begin,
                      learned.begin() + static_cast<std::ptrdiff_t>(first) + answer.end, uint8_t{1});
        result.documents.lengths.push_back(static_cast<int64_t>(example.tokens.size()));
    }
    result.documents.tokens = at::tensor(tokens, at::kLong).to(device);
    result.targets = train::targets_of(result.documents, learned);
    return result;
}

std::vector<std::vector<size_t>> batches_of(const std::vector<PolicyExample>& examples, int64_t budget) {
    std::vector<int64_t> lengths;
    for (const PolicyExample& example : examples) {
        lengths.push_back(static_cast<int64_t>(example.tokens.size()));
        if (lengths.back() > budget)
            throw InputError(fmt::format("loss: tokens is {}, and a prompt with its answer has {}", budget,
                                         lengths.back()));
    }
    return train::pack(lengths, budget);
}

std::vector<float> on_host(const at::Tensor& tensor) {
    const at::Tensor host = tensor.to(at::kCPU).contiguous();
    const auto* first = host.const_data_ptr<float>();
    return {first, first + host.numel()};
}

PolicyTokens policy_tokens(const DeviceExamples& batch, const train::PolicyLossSettings& loss) {
    PolicyTokens tokens;
    tokens.advantages = batch.gathered(&PolicyExample::advantages);
    tokens.weights = batch.gathered(&PolicyExample::weights);
    tokens.old = batch.gathered(&PolicyExample::old);
    if (loss.importance_cap > 0) tokens.rollout = batch.gathered(&PolicyExample::rollout);
    if (loss.kl > 0) {
        tokens.kl_weights = batch.gathered(&PolicyExample::kl_weights);
        tokens.reference = batch.gathered(&PolicyExample::reference);
    }
    return tokens;
}

void train_batch(train::Trainer& trainer, const DeviceExamples& batch, const train::PolicyLossSettings& loss,
                 UpdateSums& sums) {
    const train::Network& network = trainer.network();
    const at::Tensor& head = network.weights().head.values;
    train::Tape tape;
    const at::Tensor hidden = network.forward(batch.documents, tape);
    const at::Tensor rows = hidden.index_select(0, batch.targets.rows);
    PolicyTokens tokens = policy_tokens(batch, loss);
    if (loss.ratio == train::PolicyLossSettings::Ratio::sequence && tokens.old.defined())
        tokens.sequence_log_ratios = train::sequence_log_ratios(
            train::score_targets(rows, head, batch.targets.tokens, 0, network.exact()).log_probabilities,
            tokens.old, batch.sequences(), batch.answers());
    const train::HeadResult result = train::train_targets(
        rows, head, batch.targets.tokens,
        [&](int64_t first, const at::Tensor& log_probabilities, const at::Tensor&) -> train::TargetGradients {
            const train::PolicyTerms terms =
                train::policy_terms(loss, tokens.narrow(first, log_probabilities.size(0)), log_probabilities);
            sums.loss += terms.losses.sum(at::kDouble).item<double>();
            sums.clipped += terms.clipped.sum().item<double>();
            if (terms.divergences.defined())
                sums.divergence += terms.divergences.sum(at::kDouble).item<double>();
            return {terms.gradients, {}};
        },
        trainer.gradients().head.values, 0, network.exact());
    at::Tensor gradient = at::zeros_like(hidden);
    gradient.index_copy_(0, batch.targets.rows, result.hidden_gradient);
    network.backward(gradient, tape, trainer.gradients(), trainer.adapter_gradients());
    sums.tokens += static_cast<double>(result.log_probabilities.size(0));
    sums.surprise -= result.log_probabilities.sum(at::kDouble).item<double>();
    const std::vector<float> old = on_host(result.log_probabilities);
    sums.old.insert(sums.old.end(), old.begin(), old.end());
    for (const PolicyExample* example : batch.examples)
        sums.rollout.insert(sums.rollout.end(), example->rollout.begin(), example->rollout.end());
}

}  // namespace

std::vector<std::vector<float>> score(const train::Network& network,
                                      const std::vector<PolicyExample>& examples, int64_t budget,
                                      const TakeTurn& turn) {
    std::vector<std::vector<float>> scores(examples.size());
    const at::Device device = network.weights().norm.device();
    for (const std::vector<size_t>& chosen : batches_of(examples, budget)) {
        const DeviceWork work(turn, device);
        const DeviceExamples batch = on_device(examples, chosen, device);
        const at::Tensor hidden = network.forward(batch.documents);
        const std::vector<float> all = on_host(
            train::score_targets(hidden.index_select(0, batch.targets.rows), network.weights().head.values,
                                 batch.targets.tokens, 0, network.exact())
                .log_probabilities);
        auto next = all.begin();
        for (const size_t index : chosen) {
            const auto count = static_cast<std::ptrdiff_t>(examples[index].learned());
            scores[index].assign(next, next + count);
            next += count;
        }
    }
    return scores;
}

UpdateSums train_policy(train::Trainer& trainer, const std::vector<PolicyExample>& examples,
                        const train::PolicyLossSettings& loss, int64_t budget, const TakeTurn& turn) {
    UpdateSums sums;
    const at::Device device = trainer.model().options().device;
    for (const std::vector<size_t>& chosen : batches_of(examples, budget)) {
        const DeviceWork work(turn, device);
        train_batch(trainer, on_device(examples, chosen, device), loss, sums);
    }
    return sums;
}

}  // namespace tritonsmith::grpo
