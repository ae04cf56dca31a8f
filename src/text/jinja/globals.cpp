#include <ctime>

#include "text/jinja/machine.h"

namespace tritonsmith::text::jinja {
namespace {

constexpr int64_t range_most = 100'000;  // as Jinja's sandbox has it

Value range(Machine& m, Arguments arguments) {
    if (arguments.positional.empty() || arguments.positional.size() > 3 || !arguments.named.empty())
        m.fail("range: takes one to three numbers");
    for (const Value& value : arguments.positional)
        if (!value.is_integer()) m.fail(std::string("range: takes integers, not ") + value.type_name());
    const auto& given = arguments.positional;
    const int64_t begin = given.size() > 1 ? given[0].integer() : 0,
                  end = given.size() > 1 ? given[1].integer() : given[0].integer();
    const int64_t step = given.size() > 2 ? given[2].integer() : 1;
    if (step == 0) m.fail("range: the step must not be zero");
    std::vector<Value> items;
    for (int64_t i = begin; step > 0 ? i < end : i > end;) {
        if (static_cast<int64_t>(items.size()) == range_most)
            m.fail("range: more than " + std::to_string(range_most) + " numbers");
        items.emplace_back(i);
        if (__builtin_add_overflow(i, step, &i)) break;
    }
    return m.list(std::move(items));
}

Value make_dict(Machine& m, Arguments arguments) {
    Dict dict;
    for (const Value& one : arguments.positional) {
        if (!one.dict())
            m.fail(std::string("dict: takes a dictionary or keyword arguments, not ") + one.type_name());
        for (const auto& [key, value] : one.dict()->entries()) dict.insert(key, value);
    }
    for (auto& [key, value] : arguments.named) dict.insert(key, std::move(value));
    m.charge(dict.entries().size() * 64 + 64);
    return Value::dict(std::move(dict));
}

Value raise_exception(Machine& m, Arguments arguments) {
    Parameters parameters(m, "raise_exception", std::move(arguments));
    m.fail("the template refuses: " + str(parameters.take("message")));
}

Value strftime_now(Machine& m, Arguments arguments) {
    Parameters parameters(m, "strftime_now", std::move(arguments));
    const std::string format = parameters.text("format");
    if (format.size() > 200) m.fail("strftime_now: the format is longer than 200 bytes");
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char text[4096];
    return m.text(std::string(text, std::strftime(text, sizeof text, format.c_str(), &local)));
}

}  // namespace

Value global_function(const std::string& name) {
    Value (*function)(Machine&, Arguments) = name == "range"             ? range
                                             : name == "dict"            ? make_dict
                                             : name == "raise_exception" ? raise_exception
                                             : name == "strftime_now"    ? strftime_now
                                                                         : nullptr;
    if (!function) return {};
    return std::make_shared<const Callable>(Callable{name, function});
}

}  // namespace tritonsmith::text::jinja
