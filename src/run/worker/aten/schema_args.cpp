#include "run/worker/aten/schema_args.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/jit_type.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>

#include <optional>

#include "plan/ir/json.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

using c10::IValue;
using c10::TypeKind;

class Converter {
  public:
    Converter(const ViewOf& view, const c10::Argument& argument, c10::Device device)
        : view_(view), device_(device), argument_(argument) {}

    IValue convert(const plan::Value& value) const { return convert(value, *argument_.real_type(), true); }

  private:
    [[noreturn]] void refuse(const char* what) const {
        throw StepError("plan_invalid",
                        "argument '" + argument_.name() + "' (" + argument_.type()->str() + "): " + what);
    }

    IValue convert(const plan::Value& value, const c10::Type& type, bool outermost) const {
        if (type.kind() == TypeKind::OptionalType) {
            if (std::holds_alternative<std::monostate>(value.v)) return {};
            return convert(value, *type.castRaw<c10::OptionalType>()->getElementType(), outermost);
        }
        switch (type.kind()) {
            case TypeKind::TensorType:
                return tensor(value);
            case TypeKind::IntType:
            case TypeKind::SymIntType:
                return whole(value);
            case TypeKind::FloatType:
            case TypeKind::SymFloatType:
                return real(value);
            case TypeKind::BoolType:
            case TypeKind::SymBoolType:
                return boolean(value);
            case TypeKind::NumberType:
                return number(value);
            case TypeKind::StringType:
                if (const auto* text = std::get_if<std::string>(&value.v)) return *text;
                refuse("is not a string");
            case TypeKind::ScalarTypeType:
                return symbol(value);
            case TypeKind::LayoutType:
                return symbol(value);
            case TypeKind::MemoryFormatType:
                return symbol(value);
            case TypeKind::DeviceObjType:
                return device_;
            case TypeKind::GeneratorType:
                return {};
            case TypeKind::ListType:
                return list(value, *type.castRaw<c10::ListType>()->getElementType(), outermost);
            default:
                refuse("has a type that plans do not have");
        }
    }

    IValue tensor(const plan::Value& value) const {
        if (const auto* tensor = std::get_if<plan::Tensor>(&value.v)) return view_(*tensor);
        // x / 2 calls div.Tensor with a number, which takes no part in the promotion of dtypes.
        if (std::holds_alternative<bool>(value.v) || std::holds_alternative<int64_t>(value.v) ||
            std::holds_alternative<double>(value.v) || std::holds_alternative<std::complex<double>>(value.v))
            return at::native::wrapped_scalar_tensor(number(value).toScalar());
        refuse("is not a tensor");
    }

    IValue whole(const plan::Value& value) const {
        if (const auto* number = std::get_if<int64_t>(&value.v)) return *number;
        if (const auto* flag = std::get_if<bool>(&value.v)) return static_cast<int64_t>(*flag);
        if (std::holds_alternative<plan::Symbol>(value.v)) return symbol(value);
        refuse("is not an integer");
    }

    IValue real(const plan::Value& value) const {
        if (const auto* number = std::get_if<double>(&value.v)) return *number;
        if (const auto* number = std::get_if<int64_t>(&value.v)) return static_cast<double>(*number);
        if (const auto* flag = std::get_if<bool>(&value.v)) return static_cast<double>(*flag);
        refuse("is not a number");
    }

    IValue boolean(const plan::Value& value) const {
        if (argument_.name() == "pin_memory") return false;
        if (const auto* flag = std::get_if<bool>(&value.v)) return *flag;
        if (const auto* number = std::get_if<int64_t>(&value.v)) return *number != 0;
        refuse("is not a boolean");
    }

    IValue number(const plan::Value& value) const {
        if (const auto* flag = std::get_if<bool>(&value.v)) return *flag;
        if (const auto* whole = std::get_if<int64_t>(&value.v)) return *whole;
        if (const auto* real = std::get_if<double>(&value.v)) return *real;
        if (const auto* complex = std::get_if<std::complex<double>>(&value.v))
            return c10::complex<double>(complex->real(), complex->imag());
        refuse("is not a number");
    }

    IValue symbol(const plan::Value& value) const {
        if (const auto* number = std::get_if<int64_t>(&value.v)) return *number;
        const auto* symbol = std::get_if<plan::Symbol>(&value.v);
        if (!symbol) refuse("is not a dtype, layout or memory format");
        switch (symbol->kind) {
            case plan::Symbol::Kind::dtype: {
                auto dtype = plan::dtype_from_name(symbol->text);
                if (!dtype) refuse("is an unknown dtype");
                return static_cast<int64_t>(to_torch(*dtype));
            }
            case plan::Symbol::Kind::layout:
                if (symbol->text != "strided") refuse("is a layout other than strided");
                return static_cast<int64_t>(c10::kStrided);
            case plan::Symbol::Kind::memory_format:
                return static_cast<int64_t>(memory_format(symbol->text));
            default:
                refuse("is not a dtype, layout or memory format");
        }
    }

    c10::MemoryFormat memory_format(const std::string& text) const {
        if (text.starts_with("contiguous")) return c10::MemoryFormat::Contiguous;
        if (text.starts_with("preserve")) return c10::MemoryFormat::Preserve;
        if (text.starts_with("channels_last_3d")) return c10::MemoryFormat::ChannelsLast3d;
        if (text.starts_with("channels_last")) return c10::MemoryFormat::ChannelsLast;
        refuse("is an unknown memory format");
    }

    IValue list(const plan::Value& value, const c10::Type& element, bool outermost) const {
        const auto* items = std::get_if<plan::Sequence>(&value.v);
        plan::Sequence repeated;
        if (!items) {
            // int[2] takes one integer for all.
            if (!outermost || !argument_.N() || *argument_.N() < 1 || *argument_.N() > 8)
                refuse("is not a list");
            repeated.items.assign(static_cast<size_t>(*argument_.N()), value);
            items = &repeated;
        }
        switch (element.kind()) {
            case TypeKind::TensorType: {
                c10::List<at::Tensor> out;
                for (const plan::Value& item : items->items)
                    out.push_back(convert(item, element, false).toTensor());
                return out;
            }
            case TypeKind::OptionalType: {
                c10::List<std::optional<at::Tensor>> out;
                if (element.castRaw<c10::OptionalType>()->getElementType()->kind() != TypeKind::TensorType)
                    refuse("has a type that plans do not have");
                for (const plan::Value& item : items->items) {
                    IValue made = convert(item, element, false);
                    out.push_back(made.isNone() ? std::nullopt : std::optional(made.toTensor()));
                }
                return out;
            }
            case TypeKind::IntType:
            case TypeKind::SymIntType: {
                c10::List<int64_t> out;
                for (const plan::Value& item : items->items)
                    out.push_back(convert(item, element, false).toInt());
                return out;
            }
            case TypeKind::FloatType: {
                c10::List<double> out;
                for (const plan::Value& item : items->items)
                    out.push_back(convert(item, element, false).toDouble());
                return out;
            }
            case TypeKind::BoolType: {
                c10::List<bool> out;
                for (const plan::Value& item : items->items)
                    out.push_back(convert(item, element, false).toBool());
                return out;
            }
            case TypeKind::NumberType: {
                c10::List<at::Scalar> out;
                for (const plan::Value& item : items->items)
                    out.push_back(convert(item, element, false).toScalar());
                return IValue(out);
            }
            default:
                refuse("has a type that plans do not have");
        }
    }

    const ViewOf& view_;
    c10::Device device_;
    const c10::Argument& argument_;
};

}  // namespace

std::vector<IValue> to_ivalues(const c10::FunctionSchema& schema, const plan::AtenStep& step,
                               const ViewOf& view, c10::Device device) {
    const auto& arguments = schema.arguments();
    if (step.args.size() > arguments.size())
        throw StepError("plan_invalid", step.op + " takes " + std::to_string(arguments.size()) +
                                            " arguments, not " + std::to_string(step.args.size()));
    std::vector<const plan::Value*> given(arguments.size());
    for (size_t i = 0; i < step.args.size(); ++i) given[i] = &step.args[i];
    for (const auto& [name, value] : step.kwargs) {
        auto index = schema.argumentIndexWithName(name);
        if (!index) throw StepError("plan_invalid", step.op + " has no argument '" + name + "'");
        if (given[static_cast<size_t>(*index)])
            throw StepError("plan_invalid", step.op + ": argument '" + name + "' is given twice");
        given[static_cast<size_t>(*index)] = &value;
    }
    std::vector<IValue> out;
    out.reserve(arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (given[i])
            out.push_back(Converter(view, arguments[i], device).convert(*given[i]));
        else if (!device.is_cpu() && arguments[i].name() == "device")
            out.emplace_back(device);  // tensors that the program made on the host live with the others
        else if (arguments[i].default_value())
            out.push_back(*arguments[i].default_value());
        else
            throw StepError("plan_invalid", step.op + ": argument '" + arguments[i].name() + "' is missing");
    }
    return out;
}

}  // namespace tritonsmith::run
