#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tritonsmith::text::jinja {

struct Token {
    enum class Kind {
        text,
        variable_begin,
        variable_end,
        block_begin,
        block_end,
        name,
        string,
        integer,
        number,
        symbol,
        end
    };
    Kind kind = Kind::end;
    std::string text;  ///< what it says: a string's without quotes and escapes, a symbol's characters
    int line = 1;
};

/// A template's tokens as Jinja finds them with trim_blocks and lstrip_blocks; comments and {% raw %} are
/// resolved. The last one is `end`. @throws InputError with the line
std::vector<Token> tokenize(std::string_view source);

/// "line 3: WHAT" as an InputError.
[[noreturn]] void fail_at(int line, const std::string& what);

}  // namespace tritonsmith::text::jinja
