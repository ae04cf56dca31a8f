#include "plan/transform/promote.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "plan/analysis/flow.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/numbers.h"
#include "plan/ir/ops.h"
#include "plan/ir/rewrite.h"

namespace tritonsmith::plan {
namespace {

bool is_complex(DType dtype) {
    return dtype == DType::c64 || dtype == DType::c128;
}
bool widens(DType dtype) {
    return is_floating(dtype) || is_complex(dtype);
}
DType widened(DType dtype) {
    return is_floating(dtype) ? DType::f64 : is_complex(dtype) ? DType::c128 : dtype;
}
bool is_narrow(DType dtype) {
    return is_floating(dtype) && element_size(dtype) <= 2;
}

/// All tensors that a plan's forward phase, state and interface name.
void each_tensor(const Plan& plan, const auto& visit) {
    for (const Executed& executed : executed_steps(plan)) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != Phase::forward) continue;
        for (const Tensor& tensor : tensors_in(aten->args)) visit(tensor);
        for (const auto& [name, value] : aten->kwargs)
            for (const Tensor& tensor : tensors_in(value)) visit(tensor);
        for (const Tensor& tensor : tensors_in(aten->result)) visit(tensor);
    }
    for (const Weight& weight : plan.weights) visit(weight.tensor);
    for (const Tensor& tensor : tensors_in(plan.inputs)) visit(tensor);
    for (const Tensor& tensor : tensors_in(plan.init_inputs)) visit(tensor);
    for (const Tensor& tensor : tensors_in(plan.output)) visit(tensor);
}

/// By how much each buffer grows; 0 where its views disagree.
std::map<int, int> growth(const Plan& plan) {
    std::map<int, int> out;
    each_tensor(plan, [&](const Tensor& tensor) {
        int factor = element_size(widened(tensor.dtype)) / element_size(tensor.dtype);
        auto [it, fresh] = out.emplace(tensor.buffer, factor);
        if (!fresh && it->second != factor) it->second = 0;
    });
    return out;
}

void widen(Value& value) {
    if (auto* tensor = std::get_if<Tensor>(&value.v)) {
        tensor->dtype = widened(tensor->dtype);
    } else if (auto* symbol = std::get_if<Symbol>(&value.v)) {
        if (symbol->kind != Symbol::Kind::dtype) return;
        if (auto dtype = dtype_from_name(symbol->text)) symbol->text = dtype_name(widened(*dtype));
    } else if (auto* sequence = std::get_if<Sequence>(&value.v)) {
        for (Value& item : sequence->items) widen(item);
    } else if (auto* dict = std::get_if<Dict>(&value.v)) {
        for (auto& [key, item] : dict->items) widen(item);
    }
}

/// Contents of a constant in the dtype through which it is seen, as float64 (complex: pairs of them).
std::vector<uint8_t> widened_bytes(const std::vector<uint8_t>& data, DType dtype) {
    DType part = dtype == DType::c64 ? DType::f32 : dtype == DType::c128 ? DType::f64 : dtype;
    size_t size = static_cast<size_t>(element_size(part)), count = data.size() / size;
    const auto* bytes = reinterpret_cast<const std::byte*>(data.data());
    std::vector<uint8_t> out(count * sizeof(double));
    for (size_t i = 0; i < count; ++i) {
        double value = read_element(bytes + i * size, part);
        std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
    }
    return out;
}

Value dtype_value(DType dtype) {
    return {Symbol{Symbol::Kind::dtype, dtype_name(dtype)}};
}

class Promotion {
  public:
    Promotion(const Plan& plan, std::map<int, int> growth, std::vector<std::string>& rounding)
        : source_(plan), out_(plan), rounding_(rounding) {
        each_tensor(plan, [&](const Tensor& tensor) { dtypes_.emplace(tensor.buffer, tensor.dtype); });
        for (const Tensor& tensor : tensors_in(plan.inputs)) working_.insert(tensor.dtype);
        for (const Weight& weight : plan.weights) working_.insert(weight.tensor.dtype);
        for (Buffer& buffer : out_.plan().buffers) {
            auto found = growth.find(buffer.id);
            if (found == growth.end() || !widens(dtypes_.at(buffer.id))) continue;
            buffer.address = 0;
            buffer.bytes *= found->second;
            if (buffer.kind != BufferKind::constant) continue;
            buffer.data = widened_bytes(buffer.data, dtypes_.at(buffer.id));
            buffer.bytes = static_cast<int64_t>(buffer.data.size());
        }
        for (Weight& weight : out_.plan().weights) weight.tensor.dtype = widened(weight.tensor.dtype);
        for (Value& value : out_.plan().inputs) widen(value);
        for (Value& value : out_.plan().init_inputs) widen(value);
        widen(out_.plan().output);
    }

    Plan run() {
        for (const Executed& executed : executed_steps(source_)) {
            const Step& step = *executed.step;
            if (step.phase != Phase::forward) continue;
            out_.at(step.line);
            line_ = step.line;
            if (const auto* aten = std::get_if<AtenStep>(&step.what))
                promote(*aten);
            else
                out_.emit(step.what);
        }
        return out_.take();
    }

  private:
    void promote(const AtenStep& as_given) {
        // A number is what the operator takes it for. Of narrow types operators differ in that.
        const std::optional<DType> numbers = number_type(as_given);
        const bool fills = op_class(as_given.op) != OpClass::compute;
        const AtenStep original =
            numbers && (fills || !is_narrow(*numbers)) ? with_numbers_in(as_given, *numbers) : as_given;
        AtenStep step = original;
        for (Value& value : step.args) widen(value);
        for (auto& [name, value] : step.kwargs) widen(value);
        widen(step.result);
        std::string_view base = OpName(original.op).base;
        if (base == "_softmax" || base == "_log_softmax") {
            if (step.args.size() > 2) step.args[2] = {false};  // half_to_float
        } else if (base == "_to_copy" || base == "copy_") {
            if (cast(original, step, base == "copy_")) return;
        } else if (default_dtype(original)) {
            return from_integers(original, std::move(step));
        }
        OpClass kind = op_class(original.op);
        if (!in_place(original.op) &&
            (kind == OpClass::factory || kind == OpClass::allocate || kind == OpClass::draw))
            fix_dtype(step);
        out_.emit(std::move(step));
    }

    /// A cast that stays a rounding. False: it is none, and the widened step is right.
    bool cast(const AtenStep& original, AtenStep& step, bool into) {
        const auto* from = tensor_at(original.args, into ? 1 : 0);
        const auto* to = into ? tensor_at(original.args, 0) : std::get_if<Tensor>(&original.result.v);
        if (!from || !to || !is_floating(from->dtype)) return false;
        if (!widens(to->dtype)) {
            if (to->dtype != DType::b1) list(to->dtype);
            return false;
        }
        if (!is_narrow(to->dtype) || element_size(to->dtype) >= element_size(from->dtype) ||
            working_.contains(to->dtype))
            return false;
        list(to->dtype);
        Tensor wide = *from;
        wide.dtype = DType::f64;
        Tensor rounded = out_.scratch(*from, to->dtype);
        out_.emit("aten::_to_copy", {{wide}}, {rounded}, {{"dtype", dtype_value(to->dtype)}});
        if (into)
            step.args[1] = {rounded};
        else
            step.args[0] = {rounded};
        out_.emit(std::move(step));
        out_.drop(rounded);
        return true;
    }

    void list(DType dtype) {
        std::string text =
            std::string(dtype_name(dtype)) + (line_ > 0 ? " at line " + std::to_string(line_) : "");
        if (std::find(rounding_.begin(), rounding_.end(), text) == rounding_.end()) rounding_.push_back(text);
    }

    static const Tensor* tensor_at(const List& list, size_t index) {
        return index < list.size() ? std::get_if<Tensor>(&list[index].v) : nullptr;
    }

    /// True where a floating result has the default dtype because nothing else decides: no floating tensor
    /// and no dtype given.
    static bool default_dtype(const AtenStep& step) {
        std::vector<Tensor> results = tensors_in(step.result);
        if (results.empty() || !widens(results[0].dtype) || in_place(step.op)) return false;
        if (op_class(step.op) != OpClass::compute) return false;
        std::vector<Tensor> arguments = tensors_in(step.args);
        for (const auto& [name, value] : step.kwargs) {
            std::vector<Tensor> more = tensors_in(value);
            arguments.insert(arguments.end(), more.begin(), more.end());
            if (const auto* symbol = std::get_if<Symbol>(&value.v);
                symbol && symbol->kind == Symbol::Kind::dtype)
                return false;
        }
        for (const Value& value : step.args)
            if (const auto* symbol = std::get_if<Symbol>(&value.v);
                symbol && symbol->kind == Symbol::Kind::dtype)
                return false;
        return std::none_of(arguments.begin(), arguments.end(),
                            [](const Tensor& tensor) { return widens(tensor.dtype); });
    }

    /// Pointwise operators get float64 operands; others run as they are and their results are widened.
    void from_integers(const AtenStep& original, AtenStep step) {
        if (op_is(original.op, aten::Trait::widens)) {
            std::vector<Tensor> used;
            for (Value& value : step.args) {
                const auto* tensor = std::get_if<Tensor>(&value.v);
                if (!tensor) continue;
                Tensor wide = out_.scratch(*tensor, DType::f64);
                out_.emit("aten::_to_copy", {{*tensor}}, {wide}, {{"dtype", dtype_value(DType::f64)}});
                value = {wide};
                used.push_back(wide);
            }
            out_.emit(std::move(step));
            for (const Tensor& tensor : used) out_.drop(tensor);
            return;
        }
        AtenStep native = original;
        std::vector<std::pair<Tensor, Tensor>> moves;
        narrow_results(native.result, moves);
        out_.emit(std::move(native));
        for (const auto& [from, to] : moves) {
            out_.emit("aten::_to_copy", {{from}}, {to}, {{"dtype", dtype_value(to.dtype)}});
            out_.drop(from);
        }
    }

    void narrow_results(Value& value, std::vector<std::pair<Tensor, Tensor>>& moves) {
        if (auto* tensor = std::get_if<Tensor>(&value.v)) {
            if (!widens(tensor->dtype)) return;
            Tensor target = *tensor;
            target.dtype = widened(tensor->dtype);
            *tensor = out_.scratch(*tensor, tensor->dtype);
            moves.emplace_back(*tensor, target);
        } else if (auto* sequence = std::get_if<Sequence>(&value.v)) {
            for (Value& item : sequence->items) narrow_results(item, moves);
        }
    }

    /// Factories without a dtype would use the default one.
    static void fix_dtype(AtenStep& step) {
        const auto* result = std::get_if<Tensor>(&step.result.v);
        if (!result || !widens(result->dtype)) return;
        for (auto& [name, value] : step.kwargs)
            if (name == "dtype") {
                value = dtype_value(result->dtype);
                return;
            }
        step.kwargs.emplace_back("dtype", dtype_value(result->dtype));
    }

    const Plan& source_;
    Rewriter out_;
    std::vector<std::string>& rounding_;
    std::map<int, DType> dtypes_;  ///< of each buffer's first view
    std::set<DType> working_;      ///< dtypes in which inputs and weights come
    int line_ = 0;
};

}  // namespace

Plan promote(const Plan& reference, std::vector<std::string>& rounding) {
    std::map<int, int> factors = growth(reference);
    bool mixed =
        std::any_of(factors.begin(), factors.end(), [](const auto& item) { return item.second == 0; });
    if (mixed) {
        rounding.emplace_back("not promoted: bits of floating values are used as integers");
        return reference;
    }
    return Promotion(reference, std::move(factors), rounding).run();
}

}  // namespace tritonsmith::plan
