/// Names of values: as they are written, bound and resolved.
#include "ttir/parse/parser_impl.h"

namespace tritonsmith::ttir {
namespace {
constexpr int64_t kMaxValues = 1'000'000;
}  // namespace

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
