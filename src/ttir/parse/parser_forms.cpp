/// Pretty forms of straight-line operations, after the operation's name.
#include "ttir/parse/parser_impl.h"

namespace tritonsmith::ttir {

void Parser::functional_types(Operation& op, const Refs& refs, Types& results) {
    optional_attributes(op.attributes);
    lexer.expect(":");
    auto [inputs, outputs] = function_type();
    use(op, refs, inputs);
    results = std::move(outputs);
}

void Parser::type_and_arrow(Operation& op, const Ref& ref) {
    lexer.expect(":");
    use(op, ref, type());
    lexer.expect("->");
}

void Parser::pretty_operation(Operation& op, const OpSpec& spec, Types& results) {
    switch (spec.form) {
        case Form::generic_only:
            lexer.fail(op.name + " has no pretty form");
        case Form::same:
            return parse_same(op, spec, results);
        case Form::cast_to:
        case Form::cast_arrow:
            return parse_cast(op, spec, results);
        case Form::functional: {
            Refs refs = operand_list();
            return functional_types(op, refs, results);
        }
        case Form::attributes_only:
        case Form::poison:
            optional_attributes(op.attributes);
            lexer.expect(":");
            results.push_back(type());
            return;
        case Form::nothing:
            return optional_attributes(op.attributes);
        case Form::terminator:
        case Form::returning: {
            optional_attributes(op.attributes);
            Refs refs = operand_list();
            optional_attributes(op.attributes);
            if (!refs.empty()) {
                lexer.expect(":");
                use(op, refs, type_list());
            }
            return;
        }
        case Form::compare:
        case Form::select:
        case Form::constant:
        case Form::extended:
        case Form::powi:
        case Form::assume:
            return parse_arith(op, spec, results);
        case Form::load:
        case Form::store:
        case Form::atomic_rmw:
        case Form::atomic_cas:
            return parse_memory(op, spec, results);
        case Form::make_tensor_ptr:
        case Form::advance:
        case Form::make_descriptor:
        case Form::descriptor_load:
        case Form::descriptor_store:
        case Form::descriptor_reduce:
        case Form::descriptor_gather:
        case Form::descriptor_scatter:
            return parse_descriptor(op, spec, results);
        case Form::scf_for:
        case Form::scf_while:
        case Form::scf_if:
        case Form::execute_region:
        case Form::index_switch:
        case Form::condition:
        case Form::br:
        case Form::cond_br:
        case Form::switch_:
            return parse_control(op, spec, results);
        default:
            return parse_tt(op, spec, results);
    }
}

void Parser::parse_flags(Operation& op) {
    while (true) {
        std::string_view name;
        if (lexer.accept_word("overflow")) {
            name = "overflowFlags";
        } else if (lexer.accept_word("fastmath")) {
            name = "fastmath";
        } else if (lexer.accept_word("exact")) {
            op.attributes["isExact"] = {Unit{}};
            continue;
        } else {
            return;
        }
        EnumAttribute flags;
        lexer.expect("<");
        do {
            std::string_view word = lexer.word();
            if (word.empty()) lexer.fail("expected a flag");
            flags.value += (flags.value.empty() ? "" : ",") + std::string(word);
        } while (lexer.accept(","));
        lexer.expect(">");
        op.attributes[std::string(name)] = {std::move(flags)};
    }
}

void Parser::parse_same(Operation& op, const OpSpec& spec, Types& results) {
    Refs refs = operand_list();
    parse_flags(op);
    optional_attributes(op.attributes);
    lexer.expect(":");
    Type of = type();
    use(op, refs, of);
    results.push_back(op.name == "tt.unsplat" ? element_type(of) : of);
}

void Parser::parse_cast(Operation& op, const OpSpec& spec, Types& results) {
    Refs refs = operand_list();
    if (const AttributeSpec* mode = find_attribute(spec, "roundingmode")) {
        for (const EnumCase& known : mode->cases) {
            if (lexer.accept_word(known.name))
                op.attributes["roundingmode"] = {EnumAttribute{"", "", std::string(known.name)}};
        }
    }
    parse_flags(op);
    optional_attributes(op.attributes);
    lexer.expect(":");
    Type from = type();
    spec.form == Form::cast_to ? lexer.expect_word("to") : lexer.expect("->");
    results.push_back(type());
    for (size_t i = 0; i < refs.size(); ++i) {
        bool mask = spec.groups == "1?" && i == 1;  // tt.histogram's second operand
        use(op, refs[i], mask ? i1_like(from) : from);
    }
}

void Parser::parse_arith(Operation& op, const OpSpec& spec, Types& results) {
    if (spec.form == Form::constant) {
        optional_attributes(op.attributes);
        Attribute value = attribute();
        if (const bool* truth = std::get_if<bool>(&value.v))
            value.v = TypedInt{scalar_type(Scalar::i1), *truth};
        if (const auto* number = std::get_if<TypedInt>(&value.v)) results.push_back(number->type);
        if (const auto* number = std::get_if<TypedFloat>(&value.v)) results.push_back(number->type);
        if (const auto* dense = std::get_if<Dense>(&value.v)) results.push_back(dense->type);
        if (results.empty()) lexer.fail("expected a number or dense<>");
        op.attributes["value"] = std::move(value);
        return;
    }
    if (spec.form == Form::compare) {
        op.attributes["predicate"] = keyword(spec, "predicate");
        lexer.expect(",");
    }
    Refs refs = operand_list();
    parse_flags(op);
    optional_attributes(op.attributes);
    lexer.expect(":");
    Type first = type();
    switch (spec.form) {
        case Form::compare:
            use(op, refs, first);
            results.push_back(i1_like(first));
            return;
        case Form::select: {
            // A lone i1 condition is left out of the text, also where whole tensors are selected.
            bool two = lexer.accept(",");
            results.push_back(two ? type() : first);
            Type condition = two ? first : scalar_type(Scalar::i1);
            for (size_t i = 0; i < refs.size(); ++i) use(op, refs[i], i == 0 ? condition : results[0]);
            return;
        }
        case Form::extended:
            use(op, refs, first);
            results.push_back(first);
            results.push_back(lexer.accept(",") ? type() : first);
            return;
        case Form::powi: {
            lexer.expect(",");
            Type power = type();
            for (size_t i = 0; i < refs.size(); ++i) use(op, refs[i], i == 0 ? first : power);
            results.push_back(first);
            return;
        }
        default:
            use(op, refs, first);
            return;
    }
}

void Parser::parse_tt(Operation& op, const OpSpec& spec, Types& results) {
    switch (spec.form) {
        case Form::program_id:
            op.attributes["axis"] = keyword(spec, "axis");
            optional_attributes(op.attributes);
            lexer.expect(":");
            results.push_back(type());
            return;
        case Form::fp_to_fp: {
            Ref ref = operand();
            optional_attributes(op.attributes);
            if (lexer.accept(",")) {
                lexer.expect_word("rounding");
                lexer.expect("=");
                op.attributes["rounding"] = keyword(spec, "rounding");
            }
            type_and_arrow(op, ref);
            results.push_back(type());
            return;
        }
        case Form::clampf: {
            Refs refs;
            for (int i = 0; i < 3; ++i) {
                refs.push_back(operand());
                lexer.expect(",");
            }
            lexer.expect_word("propagateNan");
            lexer.expect("=");
            op.attributes["propagateNan"] = keyword(spec, "propagateNan");
            optional_attributes(op.attributes);
            lexer.expect(":");
            results.push_back(type());
            return use(op, refs, results[0]);
        }
        case Form::addptr: {
            Refs refs = operand_list();
            optional_attributes(op.attributes);
            lexer.expect(":");
            Types types = type_list();
            use(op, refs, types);
            results.push_back(types[0]);
            return;
        }
        case Form::reshape: {
            Ref ref = operand();
            if (lexer.accept_word("allow_reorder")) op.attributes["allow_reorder"] = {Unit{}};
            if (lexer.accept_word("efficient_layout")) op.attributes["efficient_layout"] = {Unit{}};
            optional_attributes(op.attributes);
            type_and_arrow(op, ref);
            results.push_back(type());
            return;
        }
        case Form::split: {
            Ref ref = operand();
            optional_attributes(op.attributes);
            type_and_arrow(op, ref);
            results.assign(2, type());
            return;
        }
        case Form::dot: {
            Refs refs{operand()};
            lexer.expect(",");
            refs.push_back(operand());
            lexer.expect(",");
            refs.push_back(operand());
            if (lexer.accept(",")) {
                lexer.expect_word("inputPrecision");
                lexer.expect("=");
                op.attributes["inputPrecision"] = keyword(spec, "inputPrecision");
            }
            optional_attributes(op.attributes);
            lexer.expect(":");
            use(op, refs[0], type());
            lexer.expect("*");
            use(op, refs[1], type());
            lexer.expect("->");
            results.push_back(type());
            return use(op, refs[2], results[0]);
        }
        case Form::dot_scaled:
            return parse_dot_scaled(op, spec, results);
        case Form::gather: {
            Refs refs{operand()};
            lexer.expect("[");
            refs.push_back(operand());
            lexer.expect("]");
            return functional_types(op, refs, results);
        }
        case Form::inline_asm: {
            op.attributes["asm_string"] = {lexer.string()};
            optional_attributes(op.attributes);
            Refs refs = operand_list();
            if (!refs.empty()) {
                lexer.expect(":");
                use(op, refs, type_list());
            }
            lexer.expect("->");
            results = type_list();
            return;
        }
        case Form::print: {
            op.attributes["prefix"] = {lexer.string()};
            optional_attributes(op.attributes);
            if (!lexer.accept(":")) return;
            Refs refs = operand_list();
            lexer.expect(":");
            return use(op, refs, type_list());
        }
        case Form::assertion:
        case Form::cf_assert: {
            Ref ref = operand();
            lexer.expect(",");
            op.attributes[spec.form == Form::assertion ? "message" : "msg"] = {lexer.string()};
            optional_attributes(op.attributes);
            if (spec.form == Form::cf_assert) return use(op, ref, scalar_type(Scalar::i1));
            lexer.expect(":");
            return use(op, ref, type());
        }
        case Form::call: {
            lexer.expect("@");
            op.attributes["callee"] = {lexer.peek() == '"' ? lexer.string() : std::string(lexer.suffix())};
            Refs refs = operand_list("(", ")");
            return functional_types(op, refs, results);
        }
        default:
            lexer.fail(op.name + " has no pretty form");
    }
}

void Parser::parse_dot_scaled(Operation& op, const OpSpec& spec, Types& results) {
    Refs refs(3), scales(2);
    bool scaled[2] = {false, false};
    for (int i = 0; i < 3; ++i) {
        refs[i] = operand();
        if (i < 2 && lexer.accept_word("scale")) {
            scales[i] = operand();
            scaled[i] = true;
        }
        if (i < 2) lexer.expect(",");
    }
    lexer.expect_word("lhs");
    lexer.expect("=");
    op.attributes["a_elem_type"] = keyword(spec, "a_elem_type");
    lexer.expect_word("rhs");
    lexer.expect("=");
    op.attributes["b_elem_type"] = keyword(spec, "b_elem_type");
    optional_attributes(op.attributes);
    lexer.expect(":");
    Types types(2), scale_types(2);
    for (int i = 0; i < 2; ++i) {
        types[i] = type();
        if (scaled[i]) {
            lexer.expect(",");
            scale_types[i] = type();
        }
        if (i == 0) lexer.expect("*");
    }
    lexer.expect("->");
    results.push_back(type());
    use(op, refs[0], types[0]);
    use(op, refs[1], types[1]);
    use(op, refs[2], results[0]);
    for (int i = 0; i < 2; ++i) {
        if (scaled[i]) use(op, scales[i], scale_types[i]);
    }
    op.segments = {1, 1, 1, scaled[0], scaled[1]};
}

}  // namespace tritonsmith::ttir
