/// Functions: signatures, bodies, what is pending at their end.
#include <algorithm>

#include "ttir/parse/parser_impl.h"
#include "ttir/verify/checker.h"

namespace tritonsmith::ttir {

void Parser::start_function(Function& function) {
    function_ = &function;
    names_.clear();
    pending_.clear();
}

void Parser::finish_function(Function& function, size_t position) {
    if (!pending_.empty()) {
        const auto& [name, pending] = *std::min_element(
            pending_.begin(), pending_.end(),
            [](const auto& a, const auto& b) { return a.second.position < b.second.position; });
        lexer.fail_at(pending.position, "%" + name + " is not defined");
    }
    try {
        check_function(function);
    } catch (const CheckError& error) {
        lexer.fail_at(position, "function " + function.name + ": " + error.what());
    }
    function_ = nullptr;
    module_.functions.push_back(std::move(function));
}

std::vector<std::pair<std::string_view, Type>> Parser::parameter_list(Function& function) {
    std::vector<std::pair<std::string_view, Type>> parameters;
    lexer.expect("(");
    while (!lexer.accept(")")) {
        std::string_view name;
        if (lexer.accept("%")) {
            name = lexer.suffix();
            lexer.expect(":");
        }
        parameters.emplace_back(name, type());
        AttributeMap attributes;
        optional_attributes(attributes);
        function.parameter_attributes.push_back(std::move(attributes));
        locations.skip_trailing();
        if (lexer.peek() != ')') lexer.expect(",");
    }
    return parameters;
}

void Parser::result_list(Function& function) {
    if (!lexer.accept("->")) return;
    if (!lexer.accept("(")) {
        function.results.push_back(type());
        return;
    }
    while (!lexer.accept(")")) {
        function.results.push_back(type());
        AttributeMap ignored;
        optional_attributes(ignored);
        if (lexer.peek() != ')') lexer.expect(",");
    }
}

void Parser::pretty_function(size_t position) {
    Function function;
    if (lexer.accept_word("private") || lexer.accept_word("nested")) {
        function.is_public = false;
    } else {
        lexer.accept_word("public");
    }
    lexer.expect("@");
    function.name = lexer.peek() == '"' ? lexer.string() : std::string(lexer.suffix());
    auto parameters = parameter_list(function);
    result_list(function);
    if (lexer.accept_word("attributes")) attribute_dictionary(function.attributes);
    start_function(function);
    if (lexer.peek() == '{') {
        function.body = region(parameters, true);
        function.parameters = function.body.blocks.at(0).arguments;
    } else {
        for (auto& [name, type] : parameters) function.parameters.push_back(new_value(type, name));
    }
    function.location = locations.trailing();
    finish_function(function, position);
}

void Parser::generic_function(size_t position) {
    Function function;
    Types inputs;
    lexer.expect("(");
    lexer.expect(")");
    auto entry = [&] {
        size_t at = lexer.position();
        std::string key = lexer.peek() == '"' ? lexer.string() : std::string(lexer.word());
        if (!lexer.accept("=")) {
            function.attributes[key] = {Unit{}};
        } else if (key == "function_type") {
            auto [from, to] = function_type();
            inputs = std::move(from);
            function.results = std::move(to);
        } else if (key == "arg_attrs" || key == "res_attrs") {
            lexer.expect("[");
            while (!lexer.accept("]")) {
                AttributeMap attributes;
                attribute_dictionary(attributes);
                if (key == "arg_attrs") function.parameter_attributes.push_back(std::move(attributes));
                if (lexer.peek() != ']') lexer.expect(",");
            }
        } else {
            Attribute value = attribute();
            const std::string* text = std::get_if<std::string>(&value.v);
            if (key == "sym_name" || key == "sym_visibility") {
                if (!text) lexer.fail_at(at, key + " is not a string");
                if (key == "sym_name") function.name = *text;
                if (key == "sym_visibility") function.is_public = *text == "public";
            } else {
                function.attributes[key] = std::move(value);
            }
        }
    };
    auto dictionary = [&] {
        lexer.expect("{");
        while (!lexer.accept("}")) {
            entry();
            if (lexer.peek() != '}') lexer.expect(",");
        }
    };
    if (lexer.accept("<")) {
        dictionary();
        lexer.expect(">");
    }
    start_function(function);
    lexer.expect("(");
    function.body = region({}, false);
    lexer.expect(")");
    if (lexer.peek() == '{') dictionary();
    lexer.expect(":");
    function_type();
    if (function.name.empty()) lexer.fail_at(position, "a function needs a name");
    if (function.body.blocks.empty()) {
        for (const Type& input : inputs) function.parameters.push_back(new_value(input, ""));
    } else {
        function.parameters = function.body.blocks[0].arguments;
    }
    if (function.parameter_attributes.empty()) function.parameter_attributes.resize(inputs.size());
    Types actual;
    for (ValueId parameter : function.parameters) actual.push_back(function.values[parameter]);
    if (actual != inputs || function.parameter_attributes.size() != inputs.size()) {
        lexer.fail_at(position, "the function's type and its parameters differ");
    }
    function.location = locations.trailing();
    finish_function(function, position);
}

}  // namespace tritonsmith::ttir
