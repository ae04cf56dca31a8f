#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tritonsmith::task {

/// Which of the Python numbers that get_inputs returns are others than the task's own: they are data as well.
enum class MovedNumbers : uint8_t {
    none,
    floats,
    whole,  ///< integers and booleans, by one
    above,  ///< integers, by far
    below,
    order  ///< of integers in lists
};

/// What is to be replaced: a program that defines a module and how to call it.
struct Task {
    std::string id;       ///< file stem, or the row's id
    std::string source;   ///< Python text
    std::string display;  ///< path for messages: "tasks/gelu.py", "rows.jsonl#L1-11"
    std::string entry = "Model";
    std::string suite;
    int level = 0;  ///< 0 where unknown
    MovedNumbers moved = MovedNumbers::none;
};

/// Reads a KernelBench-style .py file, or row ID of FILE.jsonl#ID (keys code, id, optional level, suite,
/// entry).
/// @throws InputError naming file, line and what is missing (no class Model, no get_inputs ...).
Task load(const std::string& spec);

/// A task made of other parts than load() reads. @throws InputError for what load() refuses: no class of the
/// entry's name, no get_inputs, a program that is too large or no text.
void check(const Task& task);

/// The candidate's text. @throws InputError if the file is missing, larger than 1 MiB or not UTF-8.
std::string load_candidate(const std::filesystem::path& path);

/// A candidate's file as it is, up to a little more than 1 MiB of it: what is wrong with it the judge says.
/// @throws InputError if it is missing or cannot be read.
std::string read_candidate(const std::filesystem::path& path);

}  // namespace tritonsmith::task
