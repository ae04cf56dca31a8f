#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"

namespace tritonsmith::task {

/// The row of a JSONL file whose "id" is `id` (a string, or a number as it is written). Reads line by line
/// and stops at the row.
/// @throws InputError naming the line of bad JSON, or the ids nearest to one that is not there.
Json find_row(const std::filesystem::path& path, const std::string& id);

}  // namespace tritonsmith::task
