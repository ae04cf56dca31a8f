#include "ttir/analysis/kernel_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "ttir/ir/type_text.h"

namespace tritonsmith::ttir {
namespace {

/// It computes one result from its operands, and does nothing else.
bool is_pure(const Operation& op) {
    constexpr std::string_view others[] = {"tt.make_range",       "tt.splat",  "tt.expand_dims",
                                           "tt.broadcast",        "tt.addptr", "tt.get_program_id",
                                           "tt.get_num_programs", "tt.bitcast"};
    if (!op.regions.empty() || !op.successors.empty() || op.results.size() != 1) return false;
    if (op.name.starts_with("arith.") || op.name.starts_with("math.")) return true;
    return std::find(std::begin(others), std::end(others), op.name) != std::end(others);
}

class FormPrinter {
  public:
    std::string of(const Module& module) {
        for (const Function& function : module.functions) {
            function_ = &function;
            numbers_.clear();
            next_ = 0;
            computed_.clear();
            constants_.clear();
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

    /// Values are numbered as they come up: what is dead at one size shifts no other's number. Constants,
    /// whose order the compiler chooses, are written out.
    void use(ValueId value) {
        if (const auto constant = constants_.find(value); constant != constants_.end()) {
            out_ += " (" + constant->second + ")";
            return;
        }
        const auto [found, added] = numbers_.try_emplace(value, next_);
        next_ += added;
        out_ += fmt::format(" {}", found->second);
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
            const std::map<std::string, size_t> outside = computed_;
            for (const Operation& op : region.blocks[i].operations) operation(op);
            computed_ = outside;
        }
    }

    void operation(const Operation& op) {
        const size_t begin = out_.size();
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
        if (is_pure(op)) return computed(op, begin);
        for (const ValueId result : op.results) define(result);
        out_ += '\n';
        for (const Region& nested : op.regions) {
            out_ += "{\n";
            region(nested);
            out_ += "}\n";
        }
    }

    /// What is the same but for numbers stands once: where two tiles are of one size the compiler merges
    /// their ranges, and what is computed from them.
    /// @param begin of the operation in the text, which is taken back if it stands already, or is a constant
    void computed(const Operation& op, size_t begin) {
        const ValueId result = op.results.front();
        out_ += ':';
        type(function_->values[static_cast<size_t>(result)]);
        std::string text = out_.substr(begin);
        if (op.name == "arith.constant") {
            constants_[result] = std::move(text);
            out_.resize(begin);
            return;
        }
        const auto [found, added] = computed_.try_emplace(std::move(text), next_);
        numbers_[result] = found->second;
        if (added)
            out_ += fmt::format(" {}\n", next_++);
        else
            out_.resize(begin);
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
    size_t next_ = 0;  ///< number of the next value
    std::map<ValueId, std::string> constants_;
    std::map<std::string, size_t> computed_;  ///< numbers of what is computed so far, by text
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
