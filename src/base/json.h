#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tritonsmith {

/// The text of a value, whatever bytes its strings hold: what is no UTF-8 becomes U+FFFD. (Json::dump throws
/// there; nothing else in src/ calls it.)
std::string dump(const Json& value, int indent = -1);

/// What an untrusted peer may send. A parsed value takes up to about 100 bytes, so `values` bounds memory as
/// `bytes` of text alone would not. Keys count as values.
struct JsonLimits {
    int64_t bytes = int64_t{256} << 20;
    int depth = 256;
    int64_t values = int64_t{4} << 20;
};

/// Parses JSON that comes from a process that we do not believe: no exception, no deep recursion, no
/// explosion of memory. Nothing if it is not one JSON value within the limits. Duplicate keys of an object:
/// refused.
std::optional<Json> parse_untrusted_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace tritonsmith
