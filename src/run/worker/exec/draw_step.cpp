#include "run/worker/exec/draw_step.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "run/worker/aten/aten_step.h"
#include "run/worker/exec/device_draw.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

const plan::Tensor& tensor_argument(const plan::AtenStep& step, size_t position) {
    const auto* tensor = plan::argument<plan::Tensor>(step, position);
    if (!tensor)
        throw StepError("plan_invalid",
                        step.op + ": argument " + std::to_string(position) + " is not a tensor");
    return *tensor;
}

double real_argument(const plan::AtenStep& step, size_t position) {
    if (const auto number = plan::as_number(plan::find_argument(step, position))) return *number;
    throw StepError("plan_invalid", step.op + ": argument " + std::to_string(position) + " is not a number");
}

/// A contiguous float32 tensor of draws.
at::Tensor drawn(const std::vector<int64_t>& shape, const Distribution& law, const DrawKey& key,
                 at::Device device) {
    at::Tensor out = at::empty(shape, at::TensorOptions(at::kFloat).device(device));
    draw_into(out, {key, law});
    return out;
}

/// The result buffer of a step that does not write in place is made here.
at::Tensor target(const plan::Tensor& result, Memory& memory) {
    if (!memory.live(result.buffer)) memory.allocate(result.buffer, result.dtype);
    return memory.view(result);
}

void dropout(const plan::AtenStep& step, const DrawKey& key, Memory& memory) {
    const auto* results = std::get_if<plan::Sequence>(&step.result.v);
    if (!results || results->items.size() != 2) throw StepError("plan_invalid", step.op + " has two results");
    at::Tensor input = memory.view(tensor_argument(step, 0));
    double p = real_argument(step, 1);
    const bool* training = plan::argument<bool>(step, 2);
    const bool train = !training || *training;
    Distribution kept{Law::bernoulli, train ? 1 - p : 1, 1, 0, 1};
    at::Tensor mask = drawn(input.sizes().vec(), kept, key, memory.device());
    at::Tensor out = input.mul(mask).mul(train && p < 1 ? 1 / (1 - p) : 1.0);
    std::vector<int> made;
    const at::Tensor values[] = {out, mask.to(at::kBool)};
    for (size_t i = 0; i < 2; ++i)
        if (const auto* tensor = std::get_if<plan::Tensor>(&results->items[i].v))
            place(*tensor, values[i], i, made, memory);
}

/// Laws whose parameters are tensors, by transforming a standard draw.
std::optional<at::Tensor> by_tensors(const plan::AtenStep& step, const std::vector<int64_t>& shape,
                                     const DrawKey& key, const Variant& variant, Memory& memory) {
    auto tensor = [&](size_t position) { return memory.view(tensor_argument(step, position)); };
    Distribution normal{Law::normal, 0, 1, 0, 1};
    if (const auto probabilities = probabilities_argument(step)) {
        const StepLaw level{{Law::level}};
        at::Tensor levels = at::empty(shape, at::TensorOptions(at::kFloat).device(memory.device()));
        draw_into(levels, {key, level.distribution, plan::DType::f32, of_law(variant, level)});
        return levels.neg_().add_(1).clamp_max_(kLargestLevel).lt(tensor(*probabilities));
    }
    if (step.op == "aten::normal.Tensor_float") {
        double deviation = plan::find_argument(step, 1) ? real_argument(step, 1) : 1;
        return drawn(shape, normal, key, memory.device()).mul(deviation).add(tensor(0));
    }
    if (step.op == "aten::normal.float_Tensor")
        return drawn(shape, normal, key, memory.device()).mul(tensor(1)).add(real_argument(step, 0));
    if (step.op == "aten::normal.Tensor_Tensor")
        return drawn(shape, normal, key, memory.device()).mul(tensor(1)).add(tensor(0));
    return std::nullopt;
}

}  // namespace

bool draws(const plan::AtenStep& step) {
    if (step.draw >= 0) return true;
    if (step_law(step)) return true;
    for (const char* op :
         {"aten::bernoulli", "aten::bernoulli.Tensor", "aten::bernoulli_.Tensor", "aten::normal.Tensor_float",
          "aten::normal.float_Tensor", "aten::normal.Tensor_Tensor", "aten::native_dropout"})
        if (step.op == op) return true;
    return false;
}

void draw_into(const at::Tensor& tensor, Draw draw) {
    if (!tensor.is_contiguous()) {
        at::Tensor rows = at::empty(tensor.sizes(), tensor.options());
        draw_into(rows, std::move(draw));
        tensor.copy_(rows);
        return;
    }
    if (tensor.numel() == 0) return;
    draw.shape = tensor.sizes().vec();
    draw.dtype = from_torch(tensor.scalar_type());
    if (!tensor.is_cpu()) return device_draw(tensor, draw);
    auto* data = static_cast<std::byte*>(tensor.data_ptr());
    int64_t size = plan::element_size(draw.dtype);
    at::parallel_for(0, tensor.numel(), 1 << 16, [&](int64_t first, int64_t last) {
        fill(draw, first, last - first, data + first * size);
    });
}

void run_draw(const plan::AtenStep& step, const DrawKey& key, const Variant& variant, const LeafRole& role,
              Memory& memory) {
    if (step.op == "aten::native_dropout") return dropout(step, key, memory);
    const auto* result = std::get_if<plan::Tensor>(&step.result.v);
    if (!result) throw StepError("plan_invalid", step.op + " has no result");
    try {
        if (std::optional<StepLaw> law = step_law(step)) {
            draw_into(target(*result, memory),
                      {key, law->distribution, result->dtype, of_law(variant, *law, role.rank), {}, role});
        } else if (std::optional<at::Tensor> values = by_tensors(step, result->shape, key, variant, memory)) {
            target(*result, memory).copy_(*values);
        } else {
            throw StepError("unsupported_operation", "random numbers of " + step.op);
        }
    } catch (const InputError& wrong) {
        throw StepError("unsupported_operation", step.op + ": " + wrong.what());
    } catch (const c10::Error& wrong) {
        throw StepError("plan_invalid", step.op + ": " + std::string(wrong.what_without_backtrace()));
    }
    memory.mark_written(*result);
}

}  // namespace tritonsmith::run
