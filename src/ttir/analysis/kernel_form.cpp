#include "ttir/analysis/kernel_form.h"

#include <fmt/format.h>

#include <map>

#include "ttir/ir/type_text.h"

namespace tritonsmith::ttir {
namespace {

class FormPrinter {
  public:
    std::string of(const Module& module) {
        for (const Function& function : module.functions) {
            function_ = &function;
            numbers_.clear();
            out_ += fmt::format("function {}", function.is_public);
            for (const ValueId parameter : function.parameters) define(parameter);
            out_ += '\n';
            region(function.body);
        }
        return std::move(out_);
    }
    KernelNumbers numbers_of(const Module& module) {
        of(module);
        return std::move(left_out_);
    }

  private:
    void define(ValueId value) {
        use(value);
        out_ += ':';
        type(function_->values[static_cast<size_t>(value)]);
    }

    /// Values are numbered as they come up: what is dead at one size shifts no other's number.
    void use(ValueId value) {
        out_ += fmt::format(" {}", numbers_.try_emplace(value, numbers_.size()).first->second);
    }

    /// Without sizes, but with the number of dimensions.
    void type(const Type& type) {
        int64_t elements = 1;
        for (const int64_t dimension : type.shape) {
            left_out_.dimensions.push_back(dimension);
            elements *= dimension;
        }
        if (type.shape.size() > 1) left_out_.dimensions.push_back(elements);
        out_ += fmt::format("{}.{}.{}", static_cast<int>(type.kind), static_cast<int>(type.elem),
                            type.shape.size());
        if (type.pointee) this->type(*type.pointee);
    }

    void region(const Region& region) {
        for (size_t i = 0; i < region.blocks.size(); ++i) {
            out_ += fmt::format("block {}", i);
            for (const ValueId argument : region.blocks[i].arguments) define(argument);
            out_ += '\n';
            for (const Operation& op : region.blocks[i].operations) operation(op);
        }
    }

    void operation(const Operation& op) {
        out_ += op.name;
        for (const ValueId operand : op.operands) use(operand);
        for (const int segment : op.segments) out_ += fmt::format("/{}", segment);
        for (const auto& [name, value] : op.attributes) {
            if (op.name == "tt.make_range") {
                if (const auto* number = std::get_if<TypedInt>(&value.v))
                    left_out_.constants.push_back(number->value);
                continue;
            }
            out_ += fmt::format(" {}=", name);
            attribute(value, op.name == "arith.constant");
        }
        for (const Successor& successor : op.successors) {
            out_ += fmt::format(" ->{}", successor.block);
            for (const ValueId argument : successor.arguments) use(argument);
        }
        for (const ValueId result : op.results) define(result);
        out_ += '\n';
        for (const Region& nested : op.regions) {
            out_ += "{\n";
            region(nested);
            out_ += "}\n";
        }
    }

    /// @param constant it is a value that the kernel computes with: integers are left out
    void attribute(const Attribute& attribute, bool constant) {
        const auto number = [&](const Type& of, uint64_t bits) {
            type(of);
            if (!constant || !is_integer(of.elem) || of.elem == Scalar::i1)
                out_ += fmt::format("={}", bits);
            else
                left_out_.constants.push_back(static_cast<int64_t>(bits));
        };
        std::visit(
            [&](const auto& value) {
                using T = std::decay_t<decltype(value)>;
                if constexpr (std::is_same_v<T, bool>)
                    out_ += value ? "true" : "false";
                else if constexpr (std::is_same_v<T, TypedInt>)
                    number(value.type, static_cast<uint64_t>(value.value));
                else if constexpr (std::is_same_v<T, TypedFloat>)
                    number(value.type, value.bits);
                else if constexpr (std::is_same_v<T, std::string>)
                    out_ += value;
                else if constexpr (std::is_same_v<T, Type>)
                    type(value);
                else if constexpr (std::is_same_v<T, EnumAttribute>)
                    out_ += value.value;
                else if constexpr (std::is_same_v<T, Dense>)
                    for (const uint64_t bits : value.bits) number(value.type, bits);
                else if constexpr (std::is_same_v<T, std::vector<int64_t>>)
                    for (const int64_t element : value) out_ += fmt::format("{},", element);
                else if constexpr (std::is_same_v<T, AttributeList>)
                    for (const Attribute& element : value) this->attribute(element, constant);
            },
            attribute.v);
    }

    const Function* function_ = nullptr;
    std::map<ValueId, size_t> numbers_;
    std::string out_;
    KernelNumbers left_out_;
};

}  // namespace

std::string kernel_form(const Module& module) {
    return FormPrinter().of(module);
}

KernelNumbers kernel_numbers(const Module& module) {
    return FormPrinter().numbers_of(module);
}

}  // namespace tritonsmith::ttir
