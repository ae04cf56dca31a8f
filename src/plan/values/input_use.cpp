#include "plan/values/input_use.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

/// Operators whose integer tensors behind the first argument are places.
bool takes_indices(std::string_view op) {
    static constexpr std::string_view names[] = {
        "index",        "index_put",      "index_put_",     "_index_put_impl_", "index_select", "index_add",
        "index_add_",   "index_copy",     "index_fill",     "index_copy_",      "index_fill_",  "gather",
        "embedding",    "take",           "take_along_dim", "scatter",          "scatter_",     "scatter_add",
        "scatter_add_", "scatter_reduce", "scatter_reduce_"};
    return std::find(std::begin(names), std::end(names), op) != std::end(names);
}

bool compares(std::string_view op) {
    static constexpr std::string_view names[] = {"eq",         "ne",          "lt",          "le",
                                                 "gt",         "ge",          "logical_not", "logical_and",
                                                 "logical_or", "logical_xor", "isin"};
    return std::find(std::begin(names), std::end(names), op) != std::end(names);
}

bool whole_numbers(const std::vector<Tensor>& tensors) {
    return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) {
        return !is_floating(tensor.dtype) && tensor.dtype != DType::b1;
    });
}

bool asks_whether_finite(const AtenStep& step) {
    static constexpr std::string_view names[] = {"isnan",       "isinf",    "isfinite",
                                                 "isposinf",    "isneginf", "nan_to_num",
                                                 "nan_to_num_", "nansum",   "nanmean"};
    const OpName name(step.op);
    if (std::find(std::begin(names), std::end(names), name.base) != std::end(names)) return true;
    if (name.base != "eq" && name.base != "ne") return false;
    if (const auto* number = argument<double>(step, 1)) return std::isinf(*number);
    const auto *one = argument<Tensor>(step, 0), *other = argument<Tensor>(step, 1);
    return one && other && one->buffer == other->buffer && one->offset == other->offset &&
           one->shape == other->shape && one->stride == other->stride;
}

}  // namespace

std::vector<size_t> asked_whether_finite(const Plan& plan) {
    const std::vector<Tensor> inputs = tensors_in(plan.inputs);
    std::map<int, std::set<size_t>> from;  // of buffers: the inputs they are computed from
    for (size_t i = 0; i < inputs.size(); ++i) from[inputs[i].buffer].insert(i);
    std::set<size_t> asked;
    for (const Executed& executed : executed_steps(plan)) {
        if (executed.step->phase != Phase::forward) continue;
        std::set<size_t> here;
        const Flow flow = flow_of(plan, *executed.step, {});
        for (const ByteRange& range : flow.reads)
            if (const auto found = from.find(range.buffer); found != from.end())
                here.insert(found->second.begin(), found->second.end());
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (aten && asks_whether_finite(*aten)) asked.insert(here.begin(), here.end());
        for (const ByteRange& range : flow.writes) from[range.buffer].insert(here.begin(), here.end());
    }
    std::vector<size_t> out;
    for (size_t i : asked)
        if (is_floating(inputs[i].dtype) && element_size(inputs[i].dtype) > 1) out.push_back(i);
    return out;
}

TensorsThere::TensorsThere(const std::vector<Tensor>& tensors) {
    for (size_t i = 0; i < tensors.size(); ++i) there_[tensors[i].buffer].insert(i);
}

const std::set<size_t>& TensorsThere::in(int buffer) const {
    static const std::set<size_t> none;
    const auto found = there_.find(buffer);
    return found == there_.end() ? none : found->second;
}

bool TensorsThere::follow(const Step& step, const Flow& flow) {
    const auto* aten = std::get_if<AtenStep>(&step.what);
    if (!aten || op_class(aten->op) != OpClass::copy) return false;
    for (const ByteRange& from : flow.reads) {
        const std::set<size_t> copied = in(from.buffer);
        if (copied.empty()) continue;
        for (const ByteRange& to : flow.writes) there_[to.buffer].insert(copied.begin(), copied.end());
    }
    return true;
}

const Tensor* boundaries_of(const AtenStep& step) {
    const std::string_view base = OpName(step.op).base;
    if (base == "bucketize") return argument<Tensor>(step, 1, "boundaries");
    if (base != "searchsorted" || argument<Tensor>(step, 5, "sorter")) return nullptr;
    return argument<Tensor>(step, 0, "sorted_sequence");
}

std::vector<Use> uses(const Plan& plan, const std::vector<Tensor>& tensors) {
    std::vector<Use> out(tensors.size());
    TensorsThere there(tensors);
    std::map<int, std::set<size_t>> computed;  // of buffers of integers: the tensors they are computed from
    for (size_t i = 0; i < tensors.size(); ++i) computed[tensors[i].buffer].insert(i);
    const auto follow_integers = [&](const AtenStep& step, const Flow& flow) {
        std::set<size_t> from;
        for (const ByteRange& range : flow.reads)
            if (const auto found = computed.find(range.buffer); found != computed.end())
                from.insert(found->second.begin(), found->second.end());
        if (takes_indices(OpName(step.op).base))
            for (size_t i = 1; i < step.args.size(); ++i)
                for (const Tensor& tensor : tensors_in(step.args[i]))
                    if (!is_floating(tensor.dtype))
                        for (size_t found : computed[tensor.buffer]) out[found].places = true;
        if (whole_numbers(tensors_in(step.result)))
            for (const ByteRange& range : flow.writes)
                computed[range.buffer].insert(from.begin(), from.end());
    };
    std::map<int, std::set<size_t>> elements = computed;  // of buffers: what is computed element by element
    const auto follow_elements = [&](const AtenStep& step, const Flow& flow) {
        if (const Tensor* found = boundaries_of(step))
            for (size_t i : elements[found->buffer]) out[i].boundaries = true;
        if (op_class(step.op) != OpClass::copy && !op_is(step.op, aten::Trait::scalar)) return;
        std::set<size_t> from;
        for (const ByteRange& range : flow.reads)
            if (const auto found = elements.find(range.buffer); found != elements.end())
                from.insert(found->second.begin(), found->second.end());
        for (const ByteRange& range : flow.writes) elements[range.buffer].insert(from.begin(), from.end());
    };
    auto read = [&](int buffer, bool index) {
        for (size_t i : there.in(buffer)) {
            out[i].read = true;
            (index ? out[i].index : out[i].other) = true;
        }
    };
    for (const Executed& executed : executed_steps(plan)) {
        if (executed.step->phase != Phase::forward) continue;
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        const Flow flow = flow_of(plan, *executed.step, {});
        if (aten) {
            follow_integers(*aten, flow);
            follow_elements(*aten, flow);
        }
        const std::vector<Tensor> results = aten ? tensors_in(aten->result) : std::vector<Tensor>{};
        const bool to_truths =
            !results.empty() && results[0].dtype == DType::b1 && op_class(aten->op) == OpClass::copy;
        if (to_truths || (aten && compares(OpName(aten->op).base)))
            for (const ByteRange& range : flow.reads)
                for (size_t i : there.in(range.buffer)) out[i].compared = true;
        if (there.follow(*executed.step, flow)) continue;
        const bool indexed = aten && takes_indices(OpName(aten->op).base);
        if (!indexed) {
            for (const ByteRange& range : flow.reads) read(range.buffer, false);
            continue;
        }
        for (size_t i = 0; i < aten->args.size(); ++i)
            for (const Tensor& tensor : tensors_in(aten->args[i]))
                read(tensor.buffer, i > 0 && !is_floating(tensor.dtype));
    }
    for (const Tensor& tensor : tensors_in(plan.output)) read(tensor.buffer, false);
    return out;
}

std::vector<Tensor> tensors_of_weights(const Plan& plan) {
    std::vector<Tensor> out;
    for (const Weight& weight : plan.weights) out.push_back(weight.tensor);
    return out;
}

bool holds_reals(const Tensor& tensor) {
    return is_floating(tensor.dtype) && element_size(tensor.dtype) > 1;
}

}  // namespace tritonsmith::plan
