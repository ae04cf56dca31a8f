#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"

namespace tritonsmith::bench {

/// JSON that may stand in a page's script: no '<' opens anything there.
std::string embedded(const Json& value);

/// A page with its marks {{NAME}} filled, in one pass: what a model wrote may look like a mark.
std::string filled_page(std::string_view page, const std::map<std::string, std::string>& parts);

}  // namespace tritonsmith::bench
