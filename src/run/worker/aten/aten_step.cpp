#include "run/worker/aten/aten_step.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/jit_type.h>

#include <algorithm>

#include "base/text.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "run/worker/aten/aten_allowlist.h"
#include "run/worker/aten/aten_equivalents.h"
#include "run/worker/aten/schema_args.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

using c10::IValue;

c10::OperatorHandle find_operator(const std::string& op) {
    size_t dot = op.find('.');
    std::string overload = dot == std::string::npos ? "" : op.substr(dot + 1);
    auto handle = c10::Dispatcher::singleton().findSchema({op.substr(0, dot), overload});
    if (!handle) throw StepError("aten_not_allowed", op + " does not exist");
    return *handle;
}

/// torch's message, without its stack of C++ frames and its advice to file reports.
[[noreturn]] void rethrow(const std::string& op, const c10::Error& error) {
    std::string message = first_line(error.what_without_backtrace());
    std::string reason = "aten_error";
    if (message.find("allocate memory") != std::string::npos ||
        message.find("out of memory") != std::string::npos)
        reason = "out_of_memory";
    else if (message.find("Could not run '") != std::string::npos ||
             message.find("not implemented for") != std::string::npos)
        reason = "unsupported_operation";
    throw StepError(reason, op + ": " + message);
}

/// Within a handler: the exception as a worker reports it.
[[noreturn]] void rethrow_current(const std::string& op) {
    try {
        throw;
    } catch (const c10::AcceleratorError&) {
        throw;
    } catch (const c10::Error& error) {
        rethrow(op, error);
    } catch (const std::bad_alloc&) {
        throw StepError("out_of_memory", op + ": the machine's memory is full");
    }
}

bool makes_empty_memory(const std::string& op) {
    for (const char* name : {"aten::empty.memory_format", "aten::empty_like", "aten::empty_strided",
                             "aten::empty_permuted", "aten::new_empty", "aten::new_empty_strided"})
        if (op == name) return true;
    return false;
}

void flatten(const plan::Value& value, std::vector<const plan::Value*>& out) {
    if (const auto* list = std::get_if<plan::Sequence>(&value.v))
        for (const plan::Value& item : list->items) flatten(item, out);
    else
        out.push_back(&value);
}

void flatten(const IValue& value, std::vector<IValue>& out) {
    if (value.isTensorList())
        for (const at::Tensor& item : value.toTensorVector()) out.emplace_back(item);
    else if (value.isTuple())
        for (const IValue& item : value.toTupleRef().elements()) flatten(item, out);
    else
        out.push_back(value);
}

/// Same elements in the same order: strides matter only where there is more than one element along them.
bool same_layout(const plan::Tensor& declared, const at::Tensor& result, int64_t storage_start) {
    if (result.sizes() != c10::IntArrayRef(declared.shape)) return false;
    if (result.numel() == 0) return true;
    if (result.storage_offset() != declared.offset + storage_start / plan::element_size(declared.dtype))
        return false;
    for (size_t i = 0; i < declared.shape.size(); ++i)
        if (declared.shape[i] != 1 && declared.stride[i] != result.stride(static_cast<int64_t>(i)))
            return false;
    return true;
}

/// Each element at a place of its own, as torch's fresh tensors have it (dimensions sorted by stride do not
/// overlap).
bool overlaps_itself(const plan::Tensor& tensor) {
    std::vector<std::pair<int64_t, int64_t>> dimensions;
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
        if (tensor.shape[i] == 0) return false;
        if (tensor.shape[i] > 1) dimensions.emplace_back(tensor.stride[i], tensor.shape[i]);
    }
    std::sort(dimensions.begin(), dimensions.end());
    __int128 extent = 1;
    for (auto [stride, size] : dimensions) {
        if (stride < extent) return true;
        extent = static_cast<__int128>(stride) * (size - 1) + extent;
    }
    return false;
}

enum class Access { reads, overwrites, updates, ignores };

/// What the operator does with the bytes of one of its tensor arguments.
Access access(const std::string& op, const c10::FunctionSchema& schema, const c10::Argument& argument) {
    const c10::AliasInfo* alias = argument.alias_info();
    if (!alias)
        return op.find("_like") != std::string::npos || op.starts_with("aten::new_") ? Access::ignores
                                                                                     : Access::reads;
    if (!alias->isWrite()) return Access::ignores;  // a view: moves nothing
    if (argument.kwarg_only()) return Access::overwrites;
    for (const char* name : {"aten::copy_", "aten::fill_.Scalar", "aten::fill_.Tensor", "aten::zero_"})
        if (op == name) return Access::overwrites;
    return Access::updates;
}

const plan::Value* argument_value(const plan::AtenStep& step, const c10::FunctionSchema& schema,
                                  size_t index) {
    return plan::find_argument(step, index, schema.arguments()[index].name());
}

/// Which element of what was read before anything wrote it.
std::optional<Finding> find_unwritten(const plan::AtenStep& step, const c10::FunctionSchema& schema,
                                      Memory& memory) {
    for (size_t i = 0; i < schema.arguments().size(); ++i) {
        const plan::Value* value = argument_value(step, schema, i);
        Access how = access(step.op, schema, schema.arguments()[i]);
        if (!value || how == Access::overwrites || how == Access::ignores) continue;
        for (const plan::Tensor& tensor : plan::tensors_in(*value)) {
            if (!memory.live(tensor.buffer)) continue;
            Memory::Unwritten missing = memory.unwritten(tensor);
            if (missing.count == 0) continue;
            return Finding{
                "uninitialised_read",
                step.op + " reads " + std::to_string(missing.count) + " elements that nothing has written", 0,
                Json{{"operator", step.op},
                     {"argument", schema.arguments()[i].name()},
                     {"elements", missing.count},
                     {"index", missing.first}}};
        }
    }
    return std::nullopt;
}

/// Operators that move elements one to one carry the shadow along instead of reading: the source, if part of
/// it is unwritten and the target can say so.
const plan::Tensor* moved_unwritten(const plan::AtenStep& step, Memory& memory) {
    size_t position = 0;
    if (step.op == "aten::copy_")
        position = 1;
    else if (step.op != "aten::clone" && step.op != "aten::_to_copy")
        return nullptr;
    const auto* from = plan::argument<plan::Tensor>(step, position);
    const auto* to = std::get_if<plan::Tensor>(&step.result.v);
    if (!from || !to || from->shape != to->shape || !memory.live(from->buffer)) return nullptr;
    if (memory.live(to->buffer) && !memory.tracked(to->buffer)) return nullptr;
    return memory.unwritten(*from).count > 0 ? from : nullptr;
}

/// A fresh copy of partly unwritten elements: not adopted, since adopted memory counts as written.
void place_moved(const plan::Tensor& from, const plan::Tensor& to, const at::Tensor& result, Memory& memory) {
    if (!memory.live(to.buffer)) {
        std::vector<int> made{to.buffer};
        memory.allocate(to.buffer, to.dtype);
        place(to, result, 0, made, memory);
    }
    memory.copy_written(from, to);
}

void record_writes(const plan::AtenStep& step, const c10::FunctionSchema& schema, Memory& memory) {
    for (size_t i = 0; i < schema.arguments().size(); ++i) {
        const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
        const plan::Value* value = argument_value(step, schema, i);
        if (!alias || !alias->isWrite() || !value) continue;
        for (const plan::Tensor& tensor : plan::tensors_in(*value))
            if (memory.live(tensor.buffer)) memory.mark_written(tensor);
    }
}

/// Float32 matrices and images in TF32's 10 bits of mantissa, rounded to nearest; others (biases) as they
/// are.
at::Tensor to_tf32(const at::Tensor& values) {
    if (values.scalar_type() != at::kFloat || values.dim() < 2) return values;
    at::Tensor rounded = values.contiguous().clone();
    auto* bits = reinterpret_cast<uint32_t*>(rounded.data_ptr<float>());
    for (int64_t i = 0; i < rounded.numel(); ++i)
        if ((bits[i] & 0x7f800000) != 0x7f800000) bits[i] = (bits[i] + 0x1000) & ~uint32_t{0x1fff};
    return rounded;
}

/// @throws StepError aten_not_allowed, task_random
void check_allowed(const plan::AtenStep& step) {
    if (!aten_allowed(step.op))
        throw StepError("aten_not_allowed", step.op + " is not on the list of operators that are executed");
    if (std::string objection = objection_to_arguments(step); !objection.empty())
        throw StepError("task_random", step.op + " " + objection);
}

void call(const c10::OperatorHandle& op, const std::string& name, bool equivalents,
          std::vector<IValue>& stack) {
    if (Equivalent equivalent = equivalents ? find_equivalent(name) : nullptr)
        stack = equivalent(stack);
    else
        op.callBoxed(stack);
}

bool returns_views(const c10::FunctionSchema& schema) {
    for (const c10::Argument& result : schema.returns())
        if (result.alias_info() && !result.alias_info()->isWrite()) return true;
    return false;
}

}  // namespace

void place(const plan::Tensor& declared, const at::Tensor& result, size_t ordinal, std::vector<int>& made,
           Memory& memory) {
    at::ScalarType type = to_torch(declared.dtype);
    std::string what = "result " + std::to_string(ordinal) + " is " +
                       shape_text(result.sizes(), result.scalar_type()) + ", the plan declares " +
                       shape_text(declared.shape, type);
    if (result.sizes() != c10::IntArrayRef(declared.shape)) throw StepError("plan_invalid", what);
    bool made_here = std::find(made.begin(), made.end(), declared.buffer) != made.end();
    if (memory.live(declared.buffer) && memory.holds(declared.buffer, result)) {
        if (result.scalar_type() != type) throw StepError("plan_invalid", what);
        if (result.is_conj() || result.is_neg())
            throw StepError("unsupported_operation", "a view that is conjugated or negated lazily");
        if (!same_layout(declared, result, memory.storage_start(declared.buffer)))
            throw StepError("plan_invalid", "result " + std::to_string(ordinal) +
                                                " does not lie where the plan declares it in buffer " +
                                                std::to_string(declared.buffer));
        return;
    }
    // Secondary results (saved statistics) have other precisions on other devices.
    bool castable = ordinal > 0 && c10::isFloatingType(type) && c10::isFloatingType(result.scalar_type());
    if (result.scalar_type() != type && !castable) throw StepError("plan_invalid", what);
    if (memory.live(declared.buffer) && !made_here) {
        if (result.numel() == 0) return;
        throw StepError("plan_invalid", "result " + std::to_string(ordinal) +
                                            " is fresh memory, the plan declares it in buffer " +
                                            std::to_string(declared.buffer) + ", which exists already");
    }
    if (!made_here) {
        made.push_back(declared.buffer);
        if (memory.adopt(declared, result)) return;
        memory.allocate(declared.buffer, declared.dtype);
    }
    if (overlaps_itself(declared))
        throw StepError("plan_invalid", "a fresh result is declared with overlapping elements");
    memory.view(declared).copy_(result);
    memory.mark_written(declared);
}

std::vector<IValue> arguments_of(const plan::AtenStep& step, const ViewOf& view, c10::Device device) {
    return to_ivalues(find_operator(step.op).schema(), step, view, device);
}

std::vector<at::Tensor> evaluate(const plan::AtenStep& step, const ViewOf& view, c10::Device device,
                                 bool equivalents) {
    check_allowed(step);
    const c10::OperatorHandle op = find_operator(step.op);
    try {
        std::vector<IValue> stack = to_ivalues(op.schema(), step, view, device), results;
        call(op, step.op, equivalents || device.is_cpu(), stack);
        for (const IValue& value : stack) flatten(value, results);
        std::vector<at::Tensor> tensors;
        for (const IValue& value : results)
            if (value.isTensor()) tensors.push_back(value.toTensor());
        return tensors;
    } catch (...) {
        rethrow_current(step.op);
    }
}

std::optional<Finding> run_aten(const plan::AtenStep& step, Memory& memory, const AtenOptions& options) {
    const bool check_initialised = options.check_initialised;
    check_allowed(step);
    if (makes_empty_memory(step.op)) {
        const auto* declared = std::get_if<plan::Tensor>(&step.result.v);
        if (!declared) throw StepError("plan_invalid", step.op + " has no result");
        memory.allocate(declared->buffer, declared->dtype);
        memory.view(*declared);
        return std::nullopt;
    }

    c10::OperatorHandle op = find_operator(step.op);
    const c10::FunctionSchema& schema = op.schema();
    std::optional<Finding> finding;
    try {
        const plan::Tensor* moved = check_initialised ? moved_unwritten(step, memory) : nullptr;
        if (check_initialised && !moved) finding = find_unwritten(step, schema, memory);
        std::vector<IValue> stack = to_ivalues(
            schema, step, [&](const plan::Tensor& tensor) { return memory.view(tensor); }, memory.device());
        if (memory.device().is_cpu() && numerics::rounds_to_tf32(step, options.precision))
            for (IValue& value : stack)
                if (value.isTensor()) value = to_tf32(value.toTensor());
        call(op, step.op, options.equivalents || memory.device().is_cpu(), stack);

        std::vector<IValue> results;
        for (const IValue& value : stack) flatten(value, results);
        stack.clear();  // so that fresh storages have one owner
        std::vector<const plan::Value*> declared;
        flatten(step.result, declared);
        if (declared.size() == 1 && std::holds_alternative<std::monostate>(declared[0]->v)) declared.clear();
        if (declared.size() != results.size() && !declared.empty())
            throw StepError("plan_invalid", step.op + " has " + std::to_string(results.size()) +
                                                " results, the plan declares " +
                                                std::to_string(declared.size()));
        std::vector<int> made;
        for (size_t i = 0; i < declared.size(); ++i) {
            const auto* tensor = std::get_if<plan::Tensor>(&declared[i]->v);
            if (!tensor) continue;
            if (moved) {
                place_moved(*moved, *tensor, results[i].toTensor(), memory);
            } else if (results[i].isTensor() && results[i].toTensor().defined()) {
                place(*tensor, results[i].toTensor(), i, made, memory);
            } else if (!memory.live(tensor->buffer)) {
                memory.allocate(tensor->buffer,
                                tensor->dtype);  // saved for a backward pass of its own device: unknown
                made.push_back(tensor->buffer);
            }
        }
        results.clear();
        if (check_initialised && !moved && !returns_views(schema)) record_writes(step, schema, memory);
    } catch (...) {
        rethrow_current(step.op);
    }
    return finding;
}

}  // namespace tritonsmith::run
