#include "ttir/parser.h"

#include <algorithm>

#include "ttir/checker.h"
#include "ttir/parser_impl.h"

namespace tritonsmith::ttir {
namespace {
constexpr size_t kMaxText = size_t{16} << 20;
constexpr int kMaxNesting = 64;
constexpr int64_t kMaxValues = 1'000'000;
constexpr int64_t kMaxItems = 2'000'000;
}  // namespace

ParseError::ParseError(int line_, int column_, const std::string& what)
    : std::runtime_error("line " + std::to_string(line_) + ", column " + std::to_string(column_) + ": " +
                         what),
      line(line_),
      column(column_) {}

Module parse(std::string_view text) {
    if (text.size() > kMaxText) throw ParseError(1, 1, "the text is larger than 16 MiB");
    return Parser(text).module();
}

void Names::leave(size_t mark) {
    for (; undo_.size() > mark; undo_.pop_back()) bound_.erase(undo_.back());
}

const Names::Bound* Names::find(std::string_view name) const {
    auto found = bound_.find(name);
    return found == bound_.end() ? nullptr : &found->second;
}

bool Names::bind(std::string_view name, Bound bound) {
    if (!bound_.emplace(name, bound).second) return false;
    undo_.push_back(name);
    return true;
}

void Names::clear() {
    bound_.clear();
    undo_.clear();
}

namespace {

/// Numbers locations in the order in which the printer meets them, whichever form the text had.
class LocationOrder {
  public:
    explicit LocationOrder(size_t count) : number_(count, -1) {}
    void visit(Region& region) {
        for (Block& block : region.blocks) {
            for (Operation& op : block.operations) {
                for (Region& inner : op.regions) visit(inner);
                renumber(op.location);
            }
        }
    }
    void renumber(int& location) {
        if (location < 0) return;
        if (number_[location] < 0) {
            number_[location] = static_cast<int>(order.size());
            order.push_back(location);
        }
        location = number_[location];
    }
    std::vector<int> order;

  private:
    std::vector<int> number_;
};

}  // namespace

Module Parser::module() {
    while (!lexer.at_end()) top_level();
    std::vector<Location> all = locations.resolve();
    LocationOrder order(all.size());
    for (Function& function : module_.functions) {
        order.visit(function.body);
        order.renumber(function.location);
    }
    for (int location : order.order) module_.locations.push_back(std::move(all[location]));
    try {
        check_calls(module_);
    } catch (const CheckError& error) {
        lexer.fail(error.what());
    }
    return std::move(module_);
}

void Parser::top_level() {
    size_t position = lexer.position();
    if (lexer.accept("#")) {
        std::string_view name = lexer.suffix();
        lexer.expect("=");
        if (lexer.peek() != 'l') lexer.fail("only locations may have aliases");
        return locations.define(name);
    }
    if (lexer.peek() == '"') {
        std::string name = lexer.string();
        if (name == "builtin.module") return generic_module();
        if (name == "tt.func") return generic_function(position);
        lexer.fail_at(position, "expected a module or a function");
    }
    std::string_view word = lexer.word();
    if (word == "module" || word == "builtin.module") return module_operation();
    if (word == "tt.func") return pretty_function(position);
    lexer.fail_at(position, "expected a module or a function");
}

void Parser::module_operation() {
    if (++depth_ > 2) lexer.fail("modules are nested");
    if (lexer.accept("@"))
        lexer.peek() == '"' ? static_cast<void>(lexer.string()) : static_cast<void>(lexer.suffix());
    AttributeMap ignored;
    if (lexer.accept_word("attributes")) attribute_dictionary(ignored);
    lexer.expect("{");
    while (!lexer.accept("}")) top_level();
    locations.skip_trailing();
    --depth_;
}

void Parser::generic_module() {
    if (++depth_ > 2) lexer.fail("modules are nested");
    lexer.expect("(");
    lexer.expect(")");
    AttributeMap ignored;
    if (lexer.accept("<")) {
        attribute_dictionary(ignored);
        lexer.expect(">");
    }
    lexer.expect("(");
    lexer.expect("{");
    if (lexer.accept("^")) {
        lexer.suffix();
        lexer.expect(":");
    }
    while (!lexer.accept("}")) top_level();
    lexer.expect(")");
    optional_attributes(ignored);
    lexer.expect(":");
    function_type();
    locations.skip_trailing();
    --depth_;
}

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

Region Parser::region(const std::vector<std::pair<std::string_view, Type>>& arguments, bool implied_block,
                      const char* implied_terminator) {
    if (++depth_ > kMaxNesting) lexer.fail("regions are nested too deeply");
    lexer.expect("{");
    size_t mark = names_.mark();
    Labels own;
    Labels* outer = std::exchange(labels_, &own);
    Region region;
    bool labelled = lexer.peek() == '^' && arguments.empty();
    bool empty = lexer.peek() == '}' && arguments.empty() && !implied_block;
    if (!labelled && !empty) {
        Block& entry = region.blocks.emplace_back();
        for (const auto& [name, type] : arguments) {
            ValueId id = new_value(type, name);
            if (!name.empty() && !names_.bind(name, {id, 1, {}}))
                lexer.fail("%" + std::string(name) + " is defined twice");
            entry.arguments.push_back(id);
        }
        block_body(entry, implied_terminator);
    }
    while (!lexer.accept("}")) {
        size_t position = lexer.position();
        lexer.expect("^");
        std::string_view name = lexer.suffix();
        if (region.blocks.size() >= kMaxBlocks) lexer.fail("too many blocks in one region");
        auto [found, fresh] = own.number.emplace(name, static_cast<int>(own.labels.size()));
        if (fresh) own.labels.push_back({-1, position});
        Label& label = own.labels[found->second];
        if (label.block >= 0) lexer.fail_at(position, "block ^" + std::string(name) + " is defined twice");
        label.block = static_cast<int>(region.blocks.size());
        Block& block = region.blocks.emplace_back();
        block_arguments(block);
        lexer.expect(":");
        block_body(block, implied_terminator);
    }
    for (const Label& label : own.labels) {
        if (label.block < 0) lexer.fail_at(label.position, "no such block in this region");
    }
    for (Block& block : region.blocks) {
        for (Operation& op : block.operations) {
            for (Successor& next : op.successors) next.block = own.labels[next.block].block;
        }
    }
    labels_ = outer;
    names_.leave(mark);
    --depth_;
    return region;
}

void Parser::block_body(Block& block, const char* implied_terminator) {
    while (lexer.peek() != '}' && lexer.peek() != '^') {
        if (lexer.at_end()) lexer.fail("expected '}'");
        block.operations.push_back(operation());
    }
    if (implied_terminator && (block.operations.empty() || !is_terminator(block.operations.back().name))) {
        Operation& op = block.operations.emplace_back();
        op.name = implied_terminator;
    }
}

void Parser::block_arguments(Block& block) {
    if (!lexer.accept("(")) return;
    while (!lexer.accept(")")) {
        size_t position = lexer.position();
        lexer.expect("%");
        std::string_view name = lexer.suffix();
        lexer.expect(":");
        ValueId id = define(name, 0, type(), position);
        if (!names_.bind(name, {id, 1, {}}))
            lexer.fail_at(position, "%" + std::string(name) + " is defined twice");
        block.arguments.push_back(id);
        locations.skip_trailing();
        if (lexer.peek() != ')') lexer.expect(",");
    }
}

std::vector<Parser::Binding> Parser::result_names() {
    std::vector<Binding> names;
    if (lexer.peek() != '%') return names;
    do {
        Binding& binding = names.emplace_back();
        binding.position = lexer.position();
        lexer.expect("%");
        binding.name = lexer.suffix();
        if (lexer.accept(":")) binding.count = static_cast<int>(lexer.count(kMaxValues));
        if (binding.count == 0) lexer.fail_at(binding.position, "a name for no results");
    } while (lexer.accept(","));
    lexer.expect("=");
    return names;
}

void Parser::define_results(Operation& op, const Types& types, const std::vector<Binding>& names) {
    int64_t named = 0;
    for (const Binding& binding : names) named += binding.count;
    if (!names.empty() && named != static_cast<int64_t>(types.size())) {
        lexer.fail_at(names[0].position, "the operation has " + std::to_string(types.size()) + " results");
    }
    if (names.empty()) {
        for (const Type& type : types) op.results.push_back(new_value(type, ""));
    }
    size_t next = 0;
    for (const Binding& binding : names) {
        std::vector<ValueId> ids;
        bool in_order = true;
        for (int i = 0; i < binding.count; ++i) {
            ids.push_back(define(binding.name, i, types[next++], binding.position));
            in_order &= ids[i] == ids[0] + i;
        }
        op.results.insert(op.results.end(), ids.begin(), ids.end());
        Names::Bound bound{ids[0], binding.count, {}};
        if (!in_order) bound.scattered = std::move(ids);
        if (!names_.bind(binding.name, std::move(bound))) {
            lexer.fail_at(binding.position, "%" + std::string(binding.name) + " is defined twice");
        }
    }
}

void Parser::count_item() {
    if (++items_ > kMaxItems) lexer.fail("more than 2000000 operations and attributes");
}

Operation Parser::operation() {
    count_item();
    size_t position = lexer.position();
    std::vector<Binding> names = result_names();
    Operation op;
    Types results;
    const OpSpec* spec = nullptr;
    size_t name_position = lexer.position();
    if (lexer.peek() == '"') {
        op.name = lexer.string();
        spec = find_spec(op.name);
        if (op.name.find('.') == std::string::npos)
            lexer.fail_at(name_position, "not an operation: \"" + op.name + "\"");
        generic_operation(op, results);
    } else {
        std::string_view name = lexer.word();
        op.name = name;
        spec = find_spec(name);
        if (!spec)
            lexer.fail_at(name_position,
                          name.empty() ? "expected an operation" : "unknown operation '" + op.name + "'");
        pretty_operation(op, *spec, results);
    }
    op.location = locations.trailing();
    for (Region& region : op.regions) {
        // Terminators that the pretty form leaves out stand where their operation does.
        bool implied = region.blocks.size() == 1 && !region.blocks[0].operations.empty() &&
                       region.blocks[0].operations.back().location < 0;
        if (implied) region.blocks[0].operations.back().location = op.location;
    }
    operation_position_ = position;
    if (spec) canonicalize(op, *spec);
    define_results(op, results, names);
    try {
        check_operation(*function_, op);
    } catch (const CheckError& error) {
        lexer.fail_at(position, op.name + ": " + error.what());
    }
    return op;
}

void Parser::generic_operation(Operation& op, Types& results) {
    Refs refs = operand_list("(", ")");
    if (lexer.accept("[")) {
        do {
            if (op.successors.size() >= kMaxList) lexer.fail("too many successors");
            op.successors.push_back(successor(false));
        } while (lexer.accept(","));
        lexer.expect("]");
    }
    if (lexer.accept("<")) {
        attribute_dictionary(op.attributes);
        lexer.expect(">");
    }
    if (lexer.accept("(")) {
        do op.regions.push_back(region({}, false));
        while (lexer.accept(","));
        lexer.expect(")");
    }
    optional_attributes(op.attributes);
    lexer.expect(":");
    auto [inputs, outputs] = function_type();
    use(op, refs, inputs);
    results = std::move(outputs);
}

Successor Parser::successor(bool with_arguments) {
    size_t position = lexer.position();
    lexer.expect("^");
    std::string_view name = lexer.suffix();
    Successor out;
    auto [found, fresh] = labels_->number.emplace(name, static_cast<int>(labels_->labels.size()));
    if (fresh) labels_->labels.push_back({-1, position});
    out.block = found->second;
    if (with_arguments && lexer.accept("(")) {
        Refs refs = operand_list();
        lexer.expect(":");
        Types types = type_list();
        lexer.expect(")");
        if (refs.size() != types.size()) lexer.fail_at(position, "as many types as block arguments expected");
        for (size_t i = 0; i < refs.size(); ++i) out.arguments.push_back(resolve(refs[i], types[i]));
    }
    return out;
}

Parser::Ref Parser::operand() {
    Ref ref;
    ref.position = lexer.position();
    lexer.expect("%");
    ref.name = lexer.suffix();
    if (lexer.accept("#")) ref.number = static_cast<int>(lexer.count(kMaxValues));
    return ref;
}

Parser::Refs Parser::operand_list() {
    Refs refs;
    if (lexer.peek() != '%') return refs;
    do {
        if (refs.size() >= kMaxList) lexer.fail("too many operands");
        refs.push_back(operand());
    } while (lexer.accept(","));
    return refs;
}

Parser::Refs Parser::operand_list(std::string_view open, std::string_view close) {
    lexer.expect(open);
    Refs refs = operand_list();
    lexer.expect(close);
    return refs;
}

ValueId Parser::new_value(const Type& type, std::string_view name) {
    if (++values_ > kMaxValues) lexer.fail("more than 1000000 values");
    function_->values.push_back(type);
    function_->value_names.emplace_back(name);
    return static_cast<ValueId>(function_->values.size()) - 1;
}

ValueId Parser::resolve(const Ref& ref, const Type& type) {
    auto check = [&](ValueId id) {
        if (function_->values[id] == type) return id;
        lexer.fail_at(ref.position, "%" + std::string(ref.name) + " has type " +
                                        to_string(function_->values[id]) + " and is used as " +
                                        to_string(type));
    };
    if (const Names::Bound* bound = names_.find(ref.name)) {
        if (ref.number >= bound->count)
            lexer.fail_at(ref.position, "%" + std::string(ref.name) + " has no such result");
        return check(bound->scattered.empty() ? bound->first + ref.number : bound->scattered[ref.number]);
    }
    std::string key = std::string(ref.name) + "#" + std::to_string(ref.number);
    auto found = pending_.find(key);
    if (found != pending_.end()) return check(found->second.value);
    ValueId id = new_value(type, ref.name);
    pending_.emplace(std::move(key), Pending{ref.position, id});
    return id;
}

ValueId Parser::define(std::string_view name, int number, const Type& type, size_t position) {
    if (!pending_.empty()) {
        auto found = pending_.find(std::string(name) + "#" + std::to_string(number));
        if (found != pending_.end()) {
            ValueId id = found->second.value;
            if (function_->values[id] != type) {
                lexer.fail_at(found->second.position, "%" + std::string(name) + " has type " +
                                                          to_string(type) + " and is used as " +
                                                          to_string(function_->values[id]));
            }
            pending_.erase(found);
            return id;
        }
    }
    return new_value(type,
                     number == 0 ? std::string(name) : std::string(name) + "#" + std::to_string(number));
}

void Parser::use(Operation& op, const Refs& refs, const Type& type) {
    for (const Ref& ref : refs) use(op, ref, type);
}

void Parser::use(Operation& op, const Refs& refs, const Types& types) {
    if (refs.size() != types.size()) {
        lexer.fail(std::to_string(refs.size()) + " operands but " + std::to_string(types.size()) + " types");
    }
    for (size_t i = 0; i < refs.size(); ++i) use(op, refs[i], types[i]);
}

}  // namespace tritonsmith::ttir
