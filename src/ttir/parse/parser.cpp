#include "ttir/parse/parser.h"

#include "ttir/parse/parser_impl.h"
#include "ttir/verify/checker.h"

namespace tritonsmith::ttir {
namespace {
constexpr size_t kMaxText = size_t{16} << 20;
constexpr int kMaxRegionNesting = 64;
constexpr int64_t kMaxItems = 2'000'000;
}  // namespace

Module parse(std::string_view text) {
    if (text.size() > kMaxText) throw ParseError(1, 1, "the text is larger than 16 MiB");
    return Parser(text).module();
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

Region Parser::region(const std::vector<std::pair<std::string_view, Type>>& arguments, bool implied_block,
                      const char* implied_terminator) {
    if (++depth_ > kMaxRegionNesting) lexer.fail("regions are nested too deeply");
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

}  // namespace tritonsmith::ttir
