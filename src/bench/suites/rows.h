#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith::bench {

struct Row {
    int line = 0;  ///< from 1; of an array the element's number
    Json json;     ///< an object
};

/// The objects of a JSONL file or of a JSON array, whichever it is. Rows may come from a model: they are
/// parsed as untrusted text. @throws InputError naming file and line
std::vector<Row> read_rows(const std::filesystem::path& file);

/// The string at `key`, or a number as it is written; "" where there is neither.
std::string text_of(const Json& row, const char* key);

}  // namespace tritonsmith::bench
