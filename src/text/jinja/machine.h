#pragma once

#include <string>
#include <string_view>

#include "text/jinja/value.h"

namespace tritonsmith::text::jinja {

/// The limits of a rendering, what it has used of them, and its line. A template beyond a limit is refused.
class Machine {
  public:
    static constexpr int64_t steps_most = 20'000'000;
    static constexpr int64_t bytes_most =
        int64_t{512} << 20;  ///< of all strings and lists that were made, also those that are freed
    static constexpr int64_t output_most = int64_t{64} << 20;
    static constexpr int depth_most = 1200;  ///< nested expressions, statements and macros

    int line = 1;  ///< of the template, that is being evaluated

    /// @throws InputError
    void step() {
        if (++steps_ > steps_most)
            fail("the template takes more than " + std::to_string(steps_most) + " steps");
    }
    void charge(size_t bytes) {
        bytes_ += static_cast<int64_t>(bytes);
        if (bytes_ > bytes_most) fail("the template makes more than 512 MiB of text");
    }
    /// A new string or list, counted against the limit.
    Value text(std::string value);
    Value list(std::vector<Value> items, bool tuple = false);
    /// "line 3: WHAT" as an InputError.
    [[noreturn]] void fail(const std::string& what) const;
    /// "'NAME' is undefined, and WHAT" of a value that is.
    [[noreturn]] void fail_undefined(const Value& value, const std::string& what) const;
    /// "a value of type NAME WHAT".
    [[noreturn]] void fail_type(const Value& value, const std::string& what) const;

    class Level {
      public:
        explicit Level(Machine& machine) : machine_(machine) {
            if (++machine.depth_ <= depth_most) return;
            --machine.depth_;
            machine.fail("the template is nested too deeply in its own calls");
        }
        ~Level() { --machine_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        Machine& machine_;
    };

  private:
    int64_t steps_ = 0, bytes_ = 0;
    int depth_ = 0;
};

/// Takes a call's arguments one by one, by position or by keyword.
class Parameters {
  public:
    Parameters(Machine& machine, std::string_view function, Arguments arguments)
        : machine_(machine), function_(function), arguments_(std::move(arguments)) {}

    /// The next parameter; undefined if it is not given.
    Value take(std::string_view name);
    /// @throws InputError if it is missing or of another type
    Value require(std::string_view name);
    std::string text(std::string_view name);
    std::string text_or(std::string_view name, std::string otherwise);
    int64_t integer_or(std::string_view name, int64_t otherwise);
    bool truth_or(std::string_view name, bool otherwise);
    /// @throws InputError if arguments are left over
    void done();
    bool more() const { return at_ < arguments_.positional.size(); }

  private:
    [[noreturn]] void fail_type(std::string_view name, const char* wanted, const Value& value) const;

    Machine& machine_;
    const std::string_view function_;
    Arguments arguments_;
    size_t at_ = 0;
};

/// The items of an iterable value: a list's elements, a string's characters, a dictionary's keys. Empty if it
/// is undefined.
/// @throws InputError for other types
std::vector<Value> items_of(Machine& machine, const Value& value);
std::vector<std::string> characters(std::string_view text);
int64_t length_of(Machine& machine, const Value& value);
/// Python's str.isspace() of one character
bool is_python_space(char32_t character);

/// object.name and object[key]; undefined if there is none. @throws InputError if the object is undefined
Value attribute(Machine& machine, const Value& object, const std::string& name);
Value item(Machine& machine, const Value& object, const Value& key);
Value slice(Machine& machine, const Value& object, const Value& begin, const Value& end, const Value& step);
/// Arithmetic on two values: + - * / // % **
Value arithmetic(Machine& machine, const std::string& symbol, const Value& a, const Value& b);
bool contains(Machine& machine, const Value& container, const Value& value);

/// A method of a string, bound to it; undefined if there is none of this name.
Value string_method(const std::string& text, const std::string& name);
Value apply_filter(Machine& machine, const std::string& name, const Value& value, Arguments arguments);
bool apply_test(Machine& machine, const std::string& name, const Value& value, Arguments arguments);
/// range, dict, raise_exception, strftime_now; undefined if there is none of this name. (The evaluator has
/// namespace.)
Value global_function(const std::string& name);

}  // namespace tritonsmith::text::jinja
