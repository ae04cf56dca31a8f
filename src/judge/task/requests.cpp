#include "judge/task/requests.h"

#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

std::vector<plan::ReadStep> host_reads(const plan::Plan& reference) {
    std::vector<plan::ReadStep> reads;
    const std::vector<plan::Tensor> inputs = plan::tensors_in(reference.inputs);
    for (const plan::Step& step : reference.steps) {
        const auto* read = std::get_if<plan::ReadStep>(&step.what);
        if (!read || step.phase != plan::Phase::forward) continue;
        for (const plan::Tensor& input : inputs)
            if (input.buffer == read->tensor.buffer) {
                reads.push_back(*read);
                break;
            }
    }
    return reads;
}

std::string name(task::MovedNumbers moved) {
    switch (moved) {
        case task::MovedNumbers::floats:
            return "floats";
        case task::MovedNumbers::whole:
            return "whole";
        case task::MovedNumbers::above:
            return "above";
        case task::MovedNumbers::below:
            return "below";
        case task::MovedNumbers::order:
            return "order";
        case task::MovedNumbers::none:
            break;
    }
    return "";
}

}  // namespace

trace::Request reference_request(const task::Task& task, const std::string& target,
                                 const std::string& device) {
    trace::Request request;
    request.kind = "reference";
    request.device = device;
    request.target = target;
    request.source = task.source;
    request.filename = task.display;
    request.entry = task.entry;
    request.moved = name(task.moved);
    return request;
}

trace::Request candidate_request(const plan::Plan& reference, const std::string& candidate,
                                 const std::string& name, const std::string& target) {
    trace::Request request;
    request.kind = "candidate";
    request.target = target;
    request.source = candidate;
    request.filename = name;
    request.entry = "ModelNew";
    request.inputs = reference.inputs;
    request.init_inputs = reference.init_inputs;
    request.readable = host_reads(reference);
    return request;
}

}  // namespace tritonsmith::judge
