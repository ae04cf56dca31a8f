#pragma once

#include <string_view>
#include <vector>

#include "text/jinja/ast.h"

namespace tritonsmith::text::jinja {

/// A template's statements. @throws InputError with the line
std::vector<Statement> parse(std::string_view source);

}  // namespace tritonsmith::text::jinja
