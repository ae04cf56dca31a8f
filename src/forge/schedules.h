#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tritonsmith::forge {

/// What a program's launches move and compute, and how long that takes at least on a GPU like an H100: what
/// ranks schedules before anything is measured.
struct Cost {
    int launches = 0;
    double bytes = 0;         ///< of tensors that launches read and write, once each
    double flops = 0;         ///< of products
    double milliseconds = 0;  ///< estimated
};

/// One decision for every kernel that has it to make: what a person would try next.
struct Change {
    std::string name;  ///< "products in tiles of 128 by 128"
    std::map<std::string, int64_t> choices;  ///< KERNEL.what, in full
};

/// Other schedules of a program that was written with these choices (Program::choices), one change each.
std::vector<Change> changes(const std::map<std::string, int64_t>& made);

}  // namespace tritonsmith::forge
