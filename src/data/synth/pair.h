#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"

namespace tritonsmith::data {

struct Solution {
    std::string code, plan;  ///< the file, and the plan in words that leads to it
    Json schedule, cost;
};

/// A task with its card and solutions.
struct Pair {
    std::string id, entry, source, card;
    std::string theme, style, dtype;
    std::vector<std::string> families;  ///< of its statements, each once, sorted
    std::vector<std::string> aten;      ///< operators of PyTorch, each once
    int operators = 0;
    std::vector<Solution> solutions;
    Json repairs = Json::array();
    uint64_t structure = 0;  ///< hash of the operators and of what reads what, sizes and numbers aside
};

/// Why nothing was written: a cause that is counted ("forge: aten::argmax").
struct Dropped {
    std::string cause;
};

struct PairOptions {
    uint64_t seed = 0;
    int schedules = 2;   ///< solutions at most
    int operators = 12;  ///< that are drawn for a task, at most: some are several statements
};

/// Asked about a task's structure and number of operators before its solutions are written: why it is not
/// wanted, or "".
using Unwanted = std::function<std::string(uint64_t structure, int operators)>;

/// Pair number `number`: the same for the same seed and number.
std::variant<Pair, Dropped> make_pair(uint64_t number, const PairOptions& options,
                                      const Unwanted& unwanted = nullptr);

/// A row of the data set as a line of JSON (docs/data.md), its keys sorted.
std::string row_text(const Pair& pair);

}  // namespace tritonsmith::data
