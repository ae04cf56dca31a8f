#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "bench/answers/answer.h"
#include "bench/problem.h"

namespace tritonsmith::bench {

/// The lines of a run's files.
Json line_of(const Problem& problem);
Json line_of(const Answer& answer);
Json line_of(const std::string& problem, int sample, const std::string& protocol, const Json& verdict);

/// @throws InputError
Answer answer_of(const Json& line);
Problem problem_of(const Json& line);

/// Reads the whole lines of a file that grows, one at a time. A missing file has none.
/// @return the bytes of whole lines @throws InputError naming a line that is no JSON object
size_t for_each_line(const std::filesystem::path& file, const std::function<void(const Json&)>& take);

}  // namespace tritonsmith::bench
