#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tritonsmith::bench {

/// A golden program, and the tests that come behind it.
struct TestedProgram {
    std::string golden, tests;
};

/// TritonBench's files: a line of '#' (a hundred or more) stands between the program and its tests. Nothing
/// where there is no such line, or no tests behind it.
std::optional<TestedProgram> split_program(std::string_view text);

/// What stands before that line: an answer may repeat the tests.
std::string without_tests(std::string_view answer);

}  // namespace tritonsmith::bench
