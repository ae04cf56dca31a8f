#include "ttir/parse/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ttir/ir/type_text.h"
#include "ttir/verify/op_specs.h"

namespace tritonsmith::ttir {
namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        unsigned char byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte >= 0x7F) {
            out += fmt::format("\\{:02X}", byte);
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string key_text(const std::string& name) {
    auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
    };
    bool bare = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '.' &&
                name[0] != '$' && std::all_of(name.begin(), name.end(), plain);
    return bare ? name : quoted(name);
}

std::string symbol(const std::string& name) {
    auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '-';
    };
    bool bare = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_') &&
                std::all_of(name.begin(), name.end(), plain);
    return "@" + (bare ? name : quoted(name));
}

/// Floats as bit patterns: exact, also for NaN and infinities.
std::string element_text(const Type& type, uint64_t bits) {
    if (type.elem == Scalar::i1) return bits ? "true" : "false";
    int width = bit_width(type.elem);
    if (is_floating(type.elem)) return fmt::format("0x{:0{}X}", bits, width / 4);
    int shift = 64 - width;
    int64_t value =
        type.unsigned_int ? static_cast<int64_t>(bits) : static_cast<int64_t>(bits << shift) >> shift;
    return type.unsigned_int ? std::to_string(bits) : std::to_string(value);
}

std::string dense_text(const Dense& dense) {
    Type element = element_type(dense.type);
    if (dense.bits.size() == 1)
        return fmt::format("dense<{}> : {}", element_text(element, dense.bits[0]), to_string(dense.type));
    // Nested lists, row major: a bracket opens before the first element of each dimension.
    std::string out = "dense<";
    const std::vector<int64_t>& shape = dense.type.shape;
    for (size_t i = 0; i < dense.bits.size(); ++i) {
        if (i) out += ", ";
        size_t step = 1;
        std::string open, close;
        for (size_t d = shape.size(); d-- > 0;) {
            step *= static_cast<size_t>(shape[d]);
            if (i % step == 0) open += '[';
            if ((i + 1) % step == 0) close += ']';
        }
        // A closing bracket belongs before the comma that was already written for the next element, so it
        // goes here.
        out += open + element_text(element, dense.bits[i]) + close;
    }
    return out + "> : " + to_string(dense.type);
}

class Printer {
  public:
    explicit Printer(const Module& module) : module_(module) {}
    std::string run() {
        out_ = "module {\n";
        for (const Function& function : module_.functions) print_function(function);
        out_ += "}\n";
        aliases();
        return std::move(out_);
    }

  private:
    void print_function(const Function& function) {
        function_ = &function;
        out_ +=
            fmt::format("  tt.func {} {}(", function.is_public ? "public" : "private", symbol(function.name));
        bool declaration = function.body.blocks.empty();
        for (size_t i = 0; i < function.parameters.size(); ++i) {
            if (i) out_ += ", ";
            if (!declaration) out_ += fmt::format("%{}: ", function.parameters[i]);
            out_ += to_string(function.values[function.parameters[i]]);
            if (!function.parameter_attributes[i].empty())
                out_ += " " + dictionary(function.parameter_attributes[i]);
        }
        out_ += ")";
        if (!function.results.empty()) out_ += " -> " + types(function.results);
        if (!function.attributes.empty()) out_ += " attributes " + dictionary(function.attributes);
        if (!declaration) {
            out_ += " {\n";
            blocks(function.body, 2, false);
            out_ += "  }";
        }
        location(function.location);
    }

    std::string types(const std::vector<Type>& list) {
        std::string out = "(";
        for (size_t i = 0; i < list.size(); ++i) out += (i ? ", " : "") + to_string(list[i]);
        return out + ")";
    }

    std::string types_of(const std::vector<ValueId>& ids) {
        std::string out = "(";
        for (size_t i = 0; i < ids.size(); ++i) out += (i ? ", " : "") + to_string(function_->values[ids[i]]);
        return out + ")";
    }

    static std::string values(const std::vector<ValueId>& ids) {
        std::string out;
        for (size_t i = 0; i < ids.size(); ++i) out += fmt::format("{}%{}", i ? ", " : "", ids[i]);
        return out;
    }

    std::string attribute(const Attribute& attribute, const AttributeSpec* spec = nullptr) {
        if (std::holds_alternative<Unit>(attribute.v)) return "unit";
        if (const auto* truth = std::get_if<bool>(&attribute.v)) return *truth ? "true" : "false";
        if (const auto* number = std::get_if<TypedInt>(&attribute.v)) {
            if (number->type.elem == Scalar::i1) return number->value ? "true" : "false";
            return fmt::format("{} : {}",
                               number->type.unsigned_int
                                   ? std::to_string(static_cast<uint64_t>(number->value))
                                   : std::to_string(number->value),
                               to_string(number->type));
        }
        if (const auto* real = std::get_if<TypedFloat>(&attribute.v)) {
            return fmt::format("{} : {}", element_text(real->type, real->bits), to_string(real->type));
        }
        if (const auto* text = std::get_if<std::string>(&attribute.v)) {
            return spec && spec->kind == AttributeKind::symbol ? symbol(*text) : quoted(*text);
        }
        if (const auto* type = std::get_if<Type>(&attribute.v)) return to_string(*type);
        if (const auto* dense = std::get_if<Dense>(&attribute.v)) return dense_text(*dense);
        if (const auto* named = std::get_if<EnumAttribute>(&attribute.v)) return enumeration(*named, spec);
        if (const auto* numbers = std::get_if<std::vector<int64_t>>(&attribute.v)) {
            std::string out = spec && spec->kind == AttributeKind::array_i64 ? "array<i64" : "array<i32";
            for (size_t i = 0; i < numbers->size(); ++i)
                out += fmt::format("{}{}", i ? ", " : ": ", (*numbers)[i]);
            return out + ">";
        }
        std::string out = "[";
        for (const Attribute& item : std::get<AttributeList>(attribute.v))
            out += (out.size() > 1 ? ", " : "") + this->attribute(item);
        return out + "]";
    }

    static std::string enumeration(const EnumAttribute& named, const AttributeSpec* spec) {
        if (!spec) return fmt::format("#{}.{}<{}>", named.dialect, named.name, named.value);
        if (spec->kind == AttributeKind::fastmath) return "#arith.fastmath<" + named.value + ">";
        if (spec->kind == AttributeKind::overflow) return "#arith.overflow<" + named.value + ">";
        for (const EnumCase& known : spec->cases) {
            if (known.name == named.value)
                return fmt::format("{} : {}", known.number,
                                   spec->kind == AttributeKind::enum32 ? "i32" : "i64");
        }
        return "unit";
    }

    std::string dictionary(const std::map<std::string, Attribute>& attributes) {
        std::string out = "{";
        for (const auto& [name, value] : attributes) entry(out, name, value, nullptr);
        return out + "}";
    }

    void entry(std::string& out, const std::string& name, const Attribute& value, const AttributeSpec* spec) {
        if (out.size() > 1 && out.back() != '{') out += ", ";
        out += key_text(name);
        if (!std::holds_alternative<Unit>(value.v)) out += " = " + attribute(value, spec);
    }

    void blocks(const Region& region, int depth, bool label_entry) {
        std::string indent(static_cast<size_t>(depth) * 2 - 2, ' ');
        for (size_t i = 0; i < region.blocks.size(); ++i) {
            const Block& block = region.blocks[i];
            if (i || label_entry) {
                out_ += fmt::format("{}^bb{}", indent, i);
                if (!block.arguments.empty()) {
                    out_ += "(";
                    for (size_t k = 0; k < block.arguments.size(); ++k) {
                        out_ += fmt::format("{}%{}: {}", k ? ", " : "", block.arguments[k],
                                            to_string(function_->values[block.arguments[k]]));
                    }
                    out_ += ")";
                }
                out_ += ":\n";
            }
            for (const Operation& op : block.operations) operation(op, depth);
        }
    }

    void operation(const Operation& op, int depth) {
        const OpSpec* spec = find_spec(op.name);
        out_ += std::string(static_cast<size_t>(depth) * 2, ' ');
        if (!op.results.empty()) out_ += values(op.results) + " = ";
        bool branch =
            spec && (spec->form == Form::br || spec->form == Form::cond_br || spec->form == Form::switch_);
        std::vector<ValueId> operands = op.operands;
        if (branch) {
            for (const Successor& next : op.successors)
                operands.insert(operands.end(), next.arguments.begin(), next.arguments.end());
        }
        out_ += fmt::format("{}({})", quoted(op.name), values(operands));
        if (!op.successors.empty()) {
            out_ += "[";
            for (size_t i = 0; i < op.successors.size(); ++i)
                out_ += fmt::format("{}^bb{}", i ? ", " : "", op.successors[i].block);
            out_ += "]";
        }
        std::string inherent = "{", other = "{";
        for (const auto& [name, value] : op.attributes) {
            const AttributeSpec* known = spec ? find_attribute(*spec, name) : nullptr;
            entry(known ? inherent : other, name, value, known);
        }
        sizes(inherent, op, spec);
        if (inherent.size() > 1) out_ += " <" + inherent + "}>";
        if (!op.regions.empty()) {
            out_ += " (";
            for (size_t i = 0; i < op.regions.size(); ++i) {
                out_ += i ? ", {" : "{";
                if (!op.regions[i].blocks.empty()) {
                    out_ += "\n";
                    blocks(op.regions[i], depth + 1, true);
                    out_ += std::string(static_cast<size_t>(depth) * 2, ' ');
                }
                out_ += "}";
            }
            out_ += ")";
        }
        if (other.size() > 1) out_ += " " + other + "}";
        out_ += fmt::format(" : {} -> {}", types_of(operands), types_of(op.results));
        location(op.location);
    }

    /// The properties that only say how operands are grouped.
    void sizes(std::string& inherent, const Operation& op, const OpSpec* spec) {
        if (!spec) return;
        auto list = [](const char* name, const std::vector<size_t>& numbers) {
            std::string out = fmt::format("{} = array<i32", name);
            for (size_t i = 0; i < numbers.size(); ++i)
                out += fmt::format("{}{}", i ? ", " : ": ", numbers[i]);
            return out + ">";
        };
        std::vector<std::string> texts;
        if (spec->form == Form::cond_br) {
            texts.push_back(list("operandSegmentSizes",
                                 {1, op.successors[0].arguments.size(), op.successors[1].arguments.size()}));
        } else if (spec->form == Form::switch_) {
            std::vector<size_t> cases;
            size_t total = 0;
            for (size_t i = 1; i < op.successors.size(); ++i)
                cases.push_back(op.successors[i].arguments.size()), total += cases.back();
            texts.push_back(list("case_operand_segments", cases));
            texts.push_back(list("operandSegmentSizes", {1, op.successors[0].arguments.size(), total}));
        } else if (spec->form == Form::assume) {
            texts.push_back(list("op_bundle_sizes", {}));
        } else if (spec->sized) {
            texts.push_back(
                list("operandSegmentSizes", std::vector<size_t>(op.segments.begin(), op.segments.end())));
        }
        for (const std::string& text : texts) inherent += (inherent.size() > 1 ? ", " : "") + text;
    }

    void location(int index) {
        if (index < 0 || index >= static_cast<int>(module_.locations.size())) {
            out_ += "\n";
            return;
        }
        out_ += fmt::format(" loc(#loc{})\n", index + 1);
    }

    static std::string frame(const Location& frame) {
        std::string place = frame.file.empty()
                                ? "unknown"
                                : fmt::format("{}:{}:{}", quoted(frame.file), frame.line, frame.column);
        return frame.name.empty() ? place : fmt::format("{}({})", quoted(frame.name), place);
    }

    /// Outermost call site first, so that nesting stays shallow: #locN_1 is the outermost caller.
    void aliases() {
        for (size_t i = 0; i < module_.locations.size(); ++i) {
            const Location& innermost = module_.locations[i];
            std::string outer;
            for (size_t k = innermost.callers.size(); k-- > 0;) {
                std::string name = fmt::format("#loc{}_{}", i + 1, k);
                std::string place = frame(innermost.callers[k]);
                out_ += fmt::format("{} = loc({})\n", name,
                                    outer.empty() ? place : fmt::format("callsite({} at {})", place, outer));
                outer = std::move(name);
            }
            std::string place = frame(innermost);
            out_ += fmt::format("#loc{} = loc({})\n", i + 1,
                                outer.empty() ? place : fmt::format("callsite({} at {})", place, outer));
        }
    }

    const Module& module_;
    const Function* function_ = nullptr;
    std::string out_;
};

}  // namespace

std::string print(const Module& module) {
    return Printer(module).run();
}

}  // namespace tritonsmith::ttir
