#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace tritonsmith::train {

/// TOML 1.0 (https://toml.io/en/v1.0.0) as JSON: tables are objects, arrays are arrays. Dates, times,
/// infinities and NaN are refused: nothing here has one. @param where names the file in errors
/// @throws InputError that names the line
Json parse_toml(std::string_view text, const std::string& where);

/// Applies "a.b.c=VALUE" to a document: VALUE is TOML, or a string where it is not. Missing tables are made.
/// @throws InputError for a path through something that is no table
void set_toml(Json& document, std::string_view assignment);

/// The value as set_toml() reads it behind a '='.
std::string toml_value(const Json& value);
/// The key of this path: parts that need it are quoted.
std::string toml_key(const std::vector<std::string>& path);

}  // namespace tritonsmith::train
