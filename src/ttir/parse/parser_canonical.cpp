/// From what the text has to the one form of docs/ttir.md: numbers of enumerations become names, defaults are
/// filled in, operands are split into groups.
#include <algorithm>

#include "ttir/parse/parser_impl.h"

namespace tritonsmith::ttir {

Attribute Parser::keyword(const OpSpec& spec, std::string_view name) {
    size_t position = lexer.position();
    std::string_view word = lexer.word();
    const AttributeSpec* attribute = find_attribute(spec, name);
    for (const EnumCase& known : attribute->cases) {
        if (known.name == word) return {EnumAttribute{"", "", std::string(word)}};
    }
    lexer.fail_at(position, "'" + std::string(word) + "' is not a " + std::string(name));
}

void Parser::normalize(Operation& op, const AttributeSpec& spec, Attribute& attribute) {
    auto fail = [&]() {
        lexer.fail_at(operation_position_,
                      "attribute " + std::string(spec.name) + " of " + op.name + " has another form");
    };
    auto typed = [&](Scalar scalar) {
        const TypedInt* value = std::get_if<TypedInt>(&attribute.v);
        if (!value || value->type.elem != scalar || value->type.is_tensor()) fail();
        return value->value;
    };
    switch (spec.kind) {
        case AttributeKind::i32:
            typed(Scalar::i32);
            break;
        case AttributeKind::i64:
            typed(Scalar::i64);
            break;
        case AttributeKind::boolean:
            if (!std::holds_alternative<bool>(attribute.v)) fail();
            break;
        case AttributeKind::unit:
            if (!std::holds_alternative<Unit>(attribute.v)) fail();
            break;
        case AttributeKind::string:
        case AttributeKind::symbol:
            if (!std::holds_alternative<std::string>(attribute.v)) fail();
            break;
        case AttributeKind::array_i32:
        case AttributeKind::array_i64:
            if (!std::holds_alternative<std::vector<int64_t>>(attribute.v)) fail();
            break;
        case AttributeKind::enum32:
        case AttributeKind::enum64: {
            const EnumAttribute* named = std::get_if<EnumAttribute>(&attribute.v);
            int64_t number =
                named ? 0 : typed(spec.kind == AttributeKind::enum32 ? Scalar::i32 : Scalar::i64);
            auto found = std::find_if(spec.cases.begin(), spec.cases.end(), [&](const EnumCase& known) {
                return named ? known.name == named->value : known.number == number;
            });
            if (found == spec.cases.end()) fail();
            attribute.v = EnumAttribute{"", "", std::string(found->name)};
            break;
        }
        case AttributeKind::fastmath:
        case AttributeKind::overflow: {
            const EnumAttribute* flags = std::get_if<EnumAttribute>(&attribute.v);
            if (!flags) fail();
            attribute.v = EnumAttribute{"", "", flags->value};
            break;
        }
        case AttributeKind::any:
            if (const bool* truth = std::get_if<bool>(&attribute.v))
                attribute.v = TypedInt{scalar_type(Scalar::i1), *truth};
            break;
    }
}

void Parser::fill_default(Operation& op, const AttributeSpec& spec) {
    if (spec.fallback == kOptional) return;
    if (spec.fallback == kRequired)
        lexer.fail_at(operation_position_, op.name + " lacks its attribute " + std::string(spec.name));
    Attribute value{EnumAttribute{"", "", std::string(spec.fallback)}};
    if (spec.kind == AttributeKind::boolean) value.v = spec.fallback == "true";
    if (spec.kind == AttributeKind::i32) value.v = TypedInt{scalar_type(Scalar::i32), 0};
    if (spec.kind == AttributeKind::array_i32) value.v = std::vector<int64_t>{};
    op.attributes.emplace(spec.name, std::move(value));
}

void Parser::fill_segments(Operation& op, const OpSpec& spec, const std::vector<int64_t>* sizes) {
    if (spec.groups.empty()) return;
    int total = static_cast<int>(op.operands.size());
    auto fail = [&]() {
        lexer.fail_at(operation_position_,
                      op.name + " has " + std::to_string(total) + " operands that do not fit its groups");
    };
    if (sizes) {
        if (sizes->size() != spec.groups.size()) fail();
        int64_t sum = 0;
        for (size_t i = 0; i < sizes->size(); ++i) {
            int64_t size = (*sizes)[i];
            if (size < 0 || size > total || (spec.groups[i] != '*' && size > 1) ||
                (spec.groups[i] == '1' && size != 1))
                fail();
            op.segments.push_back(static_cast<int>(size));
            sum += size;
        }
        if (sum != total) fail();
        return;
    }
    if (!op.segments.empty()) return;  // the pretty form knew them
    int fixed = static_cast<int>(std::count(spec.groups.begin(), spec.groups.end(), '1'));
    int variadic = static_cast<int>(std::count(spec.groups.begin(), spec.groups.end(), '*'));
    int rest = total - fixed;
    if (rest < 0 || (variadic > 0 && rest % variadic != 0)) fail();
    for (char group : spec.groups) {
        int size = group == '1' ? 1 : group == '*' ? (total - fixed) / variadic : std::min(rest, 1);
        if (group != '1') rest -= size;
        op.segments.push_back(size);
    }
    if (rest != 0) fail();
}

/// The generic form has the arguments of successors among the operands.
void Parser::spread_branch_operands(Operation& op) {
    std::vector<int64_t> sizes(op.successors.size(), 0);
    size_t own = op.name == "cf.br" ? 0 : 1;
    auto take = [&](const char* name) {
        std::vector<int64_t> out;
        auto found = op.attributes.find(name);
        if (found == op.attributes.end()) return out;
        if (auto* values = std::get_if<std::vector<int64_t>>(&found->second.v)) out = *values;
        op.attributes.erase(found);
        return out;
    };
    std::vector<int64_t> groups = take("operandSegmentSizes"), cases = take("case_operand_segments");
    auto fail = [&]() {
        lexer.fail_at(operation_position_, op.name + " has operands that do not fit its successors");
    };
    if (op.name == "cf.br") {
        if (sizes.size() != 1) fail();
        sizes[0] = static_cast<int64_t>(op.operands.size());
    } else if (!groups.empty()) {
        if (groups.size() != 3 || op.successors.empty()) fail();
        sizes[0] = groups[1];
        if (op.name == "cf.cond_br") {
            if (sizes.size() != 2) fail();
            sizes[1] = groups[2];
        } else {
            if (cases.size() + 1 != sizes.size()) fail();
            std::copy(cases.begin(), cases.end(), sizes.begin() + 1);
        }
    } else {
        return;  // the pretty form has them in place
    }
    size_t next = own;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0 ||
            static_cast<size_t>(sizes[i]) > op.operands.size() - std::min(next, op.operands.size()))
            fail();
        for (int64_t k = 0; k < sizes[i]; ++k) op.successors[i].arguments.push_back(op.operands[next++]);
    }
    if (next != op.operands.size()) fail();
    op.operands.resize(own);
}

void Parser::canonicalize(Operation& op, const OpSpec& spec) {
    if (spec.form == Form::br || spec.form == Form::cond_br || spec.form == Form::switch_) {
        bool pretty = op.name == "cf.br" && op.operands.empty();
        if (!pretty) spread_branch_operands(op);
    }
    auto sizes = op.attributes.find("operandSegmentSizes");
    std::vector<int64_t> groups;
    bool given = sizes != op.attributes.end();
    if (given) {
        const auto* values = std::get_if<std::vector<int64_t>>(&sizes->second.v);
        if (!values) lexer.fail_at(operation_position_, "operandSegmentSizes is an array");
        groups = *values;
        op.attributes.erase(sizes);
    }
    fill_segments(op, spec, given && !spec.groups.empty() ? &groups : nullptr);
    if (spec.form == Form::assume) op.attributes.erase("op_bundle_sizes");
    for (const AttributeSpec& attribute : spec.attributes) {
        auto found = op.attributes.find(std::string(attribute.name));
        if (found == op.attributes.end()) {
            fill_default(op, attribute);
            continue;
        }
        normalize(op, attribute, found->second);
        bool flags = attribute.kind == AttributeKind::fastmath || attribute.kind == AttributeKind::overflow;
        if (flags && std::get<EnumAttribute>(found->second.v).value == "none") op.attributes.erase(found);
    }
}

}  // namespace tritonsmith::ttir
