#pragma once

#include <string>
#include <string_view>

#include "text/jinja/value.h"

namespace tritonsmith::text::jinja {

/// What a rendering may use up, and where it is. A template that asks for more is refused.
class Machine {
  public:
    static constexpr int64_t steps_most = 20'000'000;
    static constexpr int64_t bytes_most =
        int64_t{512} << 20;  ///< of all strings and lists made, those that are gone included
    static constexpr int64_t output_most = int64_t{64} << 20;
    static constexpr int depth_most = 1200;  ///< of expressions, statements and macros within each other

    int line = 1;  ///< of the template, where it is now

    /// @throws InputError
    void step() {
        if (++steps_ > steps_most)
            fail("the template takes more than " + std::to_string(steps_most) + " steps");
    }
    void charge(size_t bytes) {
        bytes_ += static_cast<int64_t>(bytes);
        if (bytes_ > bytes_most) fail("the template makes more than 512 MiB of text");
    }
    /// A string or list that was made, charged for.
    Value text(std::string value);
    Value list(std::vector<Value> items, bool tuple = false);
    /// "line 3: WHAT" as an InputError.
    [[noreturn]] void fail(const std::string& what) const;

    class Level {
      public:
        explicit Level(Machine& machine) : machine_(machine) {
            if (++machine.depth_ <= depth_most) return;
            --machine.depth_;
            machine.fail("the template calls itself too often within itself");
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

/// Takes a call's arguments one by one, by place or by name.
class Parameters {
  public:
    Parameters(Machine& machine, std::string_view function, Arguments arguments)
        : machine_(machine), function_(function), arguments_(std::move(arguments)) {}

    /// The next parameter; undefined where it is not given.
    Value take(std::string_view name);
    /// @throws InputError where it is missing or of another type
    Value require(std::string_view name);
    std::string text(std::string_view name);
    std::string text_or(std::string_view name, std::string otherwise);
    int64_t integer_or(std::string_view name, int64_t otherwise);
    bool truth_or(std::string_view name, bool otherwise);
    /// @throws InputError where more was given than was taken
    void done();
    bool more() const { return at_ < arguments_.positional.size(); }

  private:
    Machine& machine_;
    const std::string_view function_;
    Arguments arguments_;
    size_t at_ = 0;
};

/// The items that a value is made of: a list's, a string's characters, a dictionary's keys; none of what is
/// undefined.
/// @throws InputError for other types
std::vector<Value> items_of(Machine& machine, const Value& value);
std::vector<std::string> characters(std::string_view text);
int64_t length_of(Machine& machine, const Value& value);
/// Python's str.isspace() of one character
bool is_python_space(char32_t character);

/// object.name and object[key]; undefined where there is no such thing. @throws InputError where the object
/// is undefined
Value attribute(Machine& machine, const Value& object, const std::string& name);
Value item(Machine& machine, const Value& object, const Value& key);
Value slice(Machine& machine, const Value& object, const Value& begin, const Value& end, const Value& step);
/// Arithmetic on two values: + - * / // % **
Value arithmetic(Machine& machine, const std::string& symbol, const Value& a, const Value& b);
bool contains(Machine& machine, const Value& container, const Value& value);

/// A method of a string, bound to it; undefined where there is none of this name.
Value string_method(const std::string& text, const std::string& name);
Value apply_filter(Machine& machine, const std::string& name, const Value& value, Arguments arguments);
bool apply_test(Machine& machine, const std::string& name, const Value& value, Arguments arguments);
/// range, dict, raise_exception, strftime_now; undefined where there is none of this name. (namespace is the
/// evaluator's.)
Value global_function(const std::string& name);

}  // namespace tritonsmith::text::jinja
