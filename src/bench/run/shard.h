#pragma once

#include <string>
#include <vector>

#include "bench/problem.h"

namespace tritonsmith::bench {

/// Part `index` (from 1) of `count`: every count-th problem, so that levels are divided alike and a problem's
/// samples stay together.
struct Shard {
    int index = 1, count = 1;

    /// "2/8"; "" is the whole. @throws InputError
    static Shard parse(const std::string& text);
    bool has(size_t position) const {
        return static_cast<int>(position % static_cast<size_t>(count)) == index - 1;
    }
};

}  // namespace tritonsmith::bench
