#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tritonsmith::forge {

/// One decision for every kernel that has it to make: what a person would try next.
struct Change {
    std::string name;                        ///< "products in tiles of 128 by 128"
    std::map<std::string, int64_t> choices;  ///< KERNEL.what, in full
};

/// Other schedules of a program that was written with these choices (Program::choices), one change each.
std::vector<Change> changes(const std::map<std::string, int64_t>& made);

}  // namespace tritonsmith::forge
