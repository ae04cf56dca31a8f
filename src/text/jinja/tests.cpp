#include <unordered_map>

#include "text/jinja/machine.h"
#include "text/jinja/text.h"

namespace tritonsmith::text::jinja {
namespace {

using Test = bool (*)(Machine&, const Value&, Parameters&);

int64_t integer_of(Machine& m, const Value& value) {
    if (!value.is_integer()) m.fail(std::string("the test needs an integer, and has ") + value.type_name());
    return value.integer();
}

const std::unordered_map<std::string_view, Test>& tests() {
    static const Test equals = [](Machine& m, const Value& v, Parameters& p) {
        return equal(v, p.take("other"));
    };
    static const Test differs = [](Machine& m, const Value& v, Parameters& p) {
        return !equal(v, p.take("other"));
    };
    static const Test less = [](Machine& m, const Value& v, Parameters& p) {
        return compare(v, p.take("other")) < 0;
    };
    static const Test at_most = [](Machine& m, const Value& v, Parameters& p) {
        return compare(v, p.take("other")) <= 0;
    };
    static const Test greater = [](Machine& m, const Value& v, Parameters& p) {
        return compare(v, p.take("other")) > 0;
    };
    static const Test at_least = [](Machine& m, const Value& v, Parameters& p) {
        return compare(v, p.take("other")) >= 0;
    };
    static const std::unordered_map<std::string_view, Test> table{
        {"defined", [](Machine&, const Value& v, Parameters&) { return !v.is_undefined(); }},
        {"undefined", [](Machine&, const Value& v, Parameters&) { return v.is_undefined(); }},
        {"none", [](Machine&, const Value& v, Parameters&) { return v.is_none(); }},
        {"string", [](Machine&, const Value& v, Parameters&) { return v.string() != nullptr; }},
        {"number", [](Machine&, const Value& v, Parameters&) { return v.is_number(); }},
        {"integer", [](Machine&, const Value& v, Parameters&) { return v.is<int64_t>(); }},
        {"float", [](Machine&, const Value& v, Parameters&) { return v.is<double>(); }},
        {"boolean", [](Machine&, const Value& v, Parameters&) { return v.is<bool>(); }},
        {"true", [](Machine&, const Value& v, Parameters&) { return v.is<bool>() && v.truth(); }},
        {"false", [](Machine&, const Value& v, Parameters&) { return v.is<bool>() && !v.truth(); }},
        {"mapping", [](Machine&, const Value& v, Parameters&) { return v.dict() != nullptr; }},
        {"sequence", [](Machine&, const Value& v,
                        Parameters&) { return v.list() || v.dict() || v.string() || v.is_undefined(); }},
        {"iterable", [](Machine&, const Value& v,
                        Parameters&) { return v.list() || v.dict() || v.string() || v.is_undefined(); }},
        {"callable", [](Machine&, const Value& v, Parameters&) { return v.callable() != nullptr; }},
        {"lower", [](Machine&, const Value& v,
                     Parameters&) { return str(v) == lower(str(v)) && str(v) != upper(str(v)); }},
        {"upper", [](Machine&, const Value& v,
                     Parameters&) { return str(v) == upper(str(v)) && str(v) != lower(str(v)); }},
        {"even", [](Machine& m, const Value& v, Parameters&) { return integer_of(m, v) % 2 == 0; }},
        {"odd", [](Machine& m, const Value& v, Parameters&) { return integer_of(m, v) % 2 != 0; }},
        {"divisibleby",
         [](Machine& m, const Value& v, Parameters& p) {
             const int64_t by = integer_of(m, p.take("num"));
             if (by == 0) m.fail("division by zero");
             return by == -1 || integer_of(m, v) % by == 0;
         }},
        {"in", [](Machine& m, const Value& v, Parameters& p) { return contains(m, p.take("seq"), v); }},
        {"eq", equals},
        {"equalto", equals},
        {"==", equals},
        {"ne", differs},
        {"lt", less},
        {"lessthan", less},
        {"le", at_most},
        {"gt", greater},
        {"greaterthan", greater},
        {"ge", at_least},
        // JSON values other than these have no identity.
        {"sameas",
         [](Machine&, const Value& v, Parameters& p) {
             const Value other = p.take("other");
             return std::string_view(v.type_name()) == other.type_name() && equal(v, other);
         }},
    };
    return table;
}

}  // namespace

bool apply_test(Machine& machine, const std::string& name, const Value& value, Arguments arguments) {
    const auto found = tests().find(name);
    if (found == tests().end()) machine.fail("the test '" + name + "' is not supported");
    machine.charge(static_cast<size_t>(value.weight() / 32));
    Parameters parameters(machine, name, std::move(arguments));
    const bool result = found->second(machine, value, parameters);
    parameters.done();
    return result;
}

}  // namespace tritonsmith::text::jinja
