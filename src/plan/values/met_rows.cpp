#include "plan/values/met_rows.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/values/input_use.h"

namespace tritonsmith::plan {
namespace {

bool names_places(std::string_view base) {
    static constexpr std::string_view names[] = {"argmax", "argmin", "max", "min", "topk", "sort", "argsort"};
    return std::find(std::begin(names), std::end(names), base) != std::end(names);
}

bool rows_of(const Tensor& input, int64_t length) {
    const std::vector<int64_t>& shape = input.shape;
    return holds_reals(input) && shape.size() > 1 && (shape.back() == length || shape[1] == length);
}

}  // namespace

std::vector<MetRows> met_rows(const Plan& reference) {
    const std::vector<Tensor> inputs = tensors_in(reference.inputs), weights = tensors_of_weights(reference);
    TensorsThere inputs_there(inputs), weights_there(weights);
    std::set<std::pair<size_t, size_t>> met;
    std::set<int64_t> chosen_among;  // sizes of what places are chosen in
    for (const Executed& executed : executed_steps(reference)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        const Flow flow = flow_of(*aten);
        const bool copied = inputs_there.follow(*executed.step, flow);
        if (weights_there.follow(*executed.step, flow) || copied) continue;
        const std::vector<Tensor> arguments = tensors_in(aten->args);
        if (names_places(OpName(aten->op).base) && arguments.size() == 1)
            chosen_among.insert(arguments[0].shape.begin(), arguments[0].shape.end());
        std::set<size_t> here, beside;
        for (const ByteRange& range : flow.reads) {
            here.insert(inputs_there.in(range.buffer).begin(), inputs_there.in(range.buffer).end());
            beside.insert(weights_there.in(range.buffer).begin(), weights_there.in(range.buffer).end());
        }
        for (const size_t i : here)
            for (const size_t w : beside)
                if (holds_reals(weights[w]) && weights[w].shape.size() == 2 && weights[w].shape[0] > 1 &&
                    rows_of(inputs[i], weights[w].shape[1]))
                    met.insert({i, w});
    }
    std::vector<MetRows> out;
    for (const auto& [input, weight] : met)
        if (chosen_among.contains(weights[weight].shape[0])) out.push_back({input, weight});
    return out;
}

}  // namespace tritonsmith::plan
