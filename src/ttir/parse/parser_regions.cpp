/// Pretty forms of control flow.
#include "ttir/parse/parser_impl.h"

namespace tritonsmith::ttir {
namespace {
constexpr const char* kYield = "scf.yield";
}

void Parser::parse_control(Operation& op, const OpSpec& spec, Types& results) {
    switch (spec.form) {
        case Form::scf_for:
            return parse_for(op, results);
        case Form::scf_while:
            return parse_while(op, results);
        case Form::scf_if:
            return parse_if(op, results);
        case Form::index_switch:
            return parse_index_switch(op, results);
        case Form::execute_region:
            if (lexer.accept("->")) results = result_types();
            if (lexer.accept_word("no_inline")) op.attributes["no_inline"] = {Unit{}};
            op.regions.push_back(region({}, true));
            return optional_attributes(op.attributes);
        case Form::condition: {
            lexer.expect("(");
            use(op, operand(), scalar_type(Scalar::i1));
            lexer.expect(")");
            optional_attributes(op.attributes);
            Refs refs = operand_list();
            if (refs.empty()) return;
            lexer.expect(":");
            return use(op, refs, type_list());
        }
        case Form::br:
            op.successors.push_back(successor(true));
            return optional_attributes(op.attributes);
        case Form::cond_br:
            use(op, operand(), scalar_type(Scalar::i1));
            if (lexer.accept_word("weights")) lexer.fail("branch weights are not supported");
            lexer.expect(",");
            op.successors.push_back(successor(true));
            lexer.expect(",");
            op.successors.push_back(successor(true));
            return optional_attributes(op.attributes);
        default:
            return parse_switch(op);
    }
}

void Parser::initial_values(std::vector<std::pair<std::string_view, Type>>& arguments, Refs& initial) {
    while (!lexer.accept(")")) {
        lexer.expect("%");
        arguments.emplace_back(lexer.suffix(), Type());
        lexer.expect("=");
        initial.push_back(operand());
        if (lexer.peek() != ')') lexer.expect(",");
    }
}

/// scf.for %i = %lower to %upper step %step iter_args(%a = %x) -> (T) : i32 { … } {attributes}
void Parser::parse_for(Operation& op, Types& results) {
    if (lexer.accept_word("unsigned")) op.attributes["unsignedCmp"] = {Unit{}};
    std::vector<std::pair<std::string_view, Type>> arguments(1);
    lexer.expect("%");
    arguments[0].first = lexer.suffix();
    lexer.expect("=");
    Refs bounds{operand()};
    lexer.expect_word("to");
    bounds.push_back(operand());
    lexer.expect_word("step");
    bounds.push_back(operand());
    Refs initial;
    if (lexer.accept_word("iter_args")) {
        lexer.expect("(");
        initial_values(arguments, initial);
        lexer.expect("->");
        results = result_types();
    }
    if (results.size() != initial.size()) lexer.fail("as many types as iter_args expected");
    Type of = lexer.accept(":") ? type() : scalar_type(Scalar::index);
    arguments[0].second = of;
    for (size_t i = 0; i < results.size(); ++i) arguments[i + 1].second = results[i];
    use(op, bounds, of);
    use(op, initial, results);
    op.regions.push_back(region(arguments, true, kYield));
    optional_attributes(op.attributes);
}

/// scf.while (%a = %x) : (T) -> (R) { … } do { ^bb0(%b: R): … } attributes {…}
void Parser::parse_while(Operation& op, Types& results) {
    std::vector<std::pair<std::string_view, Type>> arguments;
    Refs initial;
    if (lexer.accept("(")) {
        initial_values(arguments, initial);
    }
    lexer.expect(":");
    auto [inputs, outputs] = function_type();
    use(op, initial, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) arguments[i].second = inputs[i];
    results = std::move(outputs);
    op.regions.push_back(region(arguments, true));
    lexer.expect_word("do");
    op.regions.push_back(region({}, true, kYield));
    if (lexer.accept_word("attributes")) attribute_dictionary(op.attributes);
}

void Parser::parse_if(Operation& op, Types& results) {
    use(op, operand(), scalar_type(Scalar::i1));
    if (lexer.accept("->")) results = result_types();
    op.regions.push_back(region({}, true, kYield));
    op.regions.emplace_back();
    if (lexer.accept_word("else")) op.regions[1] = region({}, true, kYield);
    optional_attributes(op.attributes);
}

/// scf.index_switch %x -> T case 2 { … } default { … }
void Parser::parse_index_switch(Operation& op, Types& results) {
    use(op, operand(), scalar_type(Scalar::index));
    optional_attributes(op.attributes);
    if (lexer.accept("->")) results = result_types();
    std::vector<int64_t> cases;
    op.regions.emplace_back();
    while (lexer.accept_word("case")) {
        cases.push_back(lexer.integer(lexer.number()));
        op.regions.push_back(region({}, true, kYield));
    }
    lexer.expect_word("default");
    op.regions[0] = region({}, true, kYield);
    op.attributes["cases"] = {std::move(cases)};
}

/// cf.switch %x : i32, [ default: ^bb1, 42: ^bb2(%a : f32) ]
void Parser::parse_switch(Operation& op) {
    Ref flag = operand();
    lexer.expect(":");
    Type of = type();
    use(op, flag, of);
    lexer.expect(",");
    lexer.expect("[");
    lexer.expect_word("default");
    lexer.expect(":");
    op.successors.push_back(successor(true));
    Dense cases;
    while (lexer.accept(",")) {
        if (op.successors.size() >= kMaxList) lexer.fail("too many successors");
        cases.bits.push_back(element_bits(lexer.number(), of));
        lexer.expect(":");
        op.successors.push_back(successor(true));
    }
    lexer.expect("]");
    optional_attributes(op.attributes);
    if (cases.bits.empty()) return;
    cases.type = with_shape(of, {static_cast<int64_t>(cases.bits.size())});
    op.attributes["case_values"] = {std::move(cases)};
}

}  // namespace tritonsmith::ttir
