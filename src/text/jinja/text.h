#pragma once

#include <string>
#include <string_view>

#include "text/jinja/machine.h"

/// What Python's str does, on UTF-8.
namespace tritonsmith::text::jinja {

/// @param unwanted characters to strip; null: white space
std::string_view strip(std::string_view text, const std::string* unwanted, bool left, bool right);
/// @param most replacements; negative: all
std::string replace(Machine& machine, std::string_view text, std::string_view from, std::string_view to,
                    int64_t most);
std::string upper(std::string_view text);
std::string lower(std::string_view text);
/// The first letter large, the others small; str.title() does so with every word.
std::string capitalize(std::string_view text);
std::string title(std::string_view text);
/// @param separator null: runs of white space. @param most cuts; negative: all. @param from_right where cuts
/// are counted from
std::vector<Value> split(std::string_view text, const std::string* separator, int64_t most, bool from_right);
std::vector<Value> split_lines(std::string_view text, bool keep_ends);

}  // namespace tritonsmith::text::jinja
