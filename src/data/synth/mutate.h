#pragma once

#include <string>
#include <vector>

#include "base/random.h"

namespace tritonsmith::data {

/// A solution with one mistake, as people and models make them. Whether it is one the judge decides: some
/// leave the program right, as the mask of a row that is a power of two does.
struct Mutation {
    std::string kind;  ///< "missing_mask", "missing_edge", "wrong_axis" …
    std::string code;
};

/// At most `most` different ones, drawn from all that apply.
std::vector<Mutation> mutations(const std::string& code, int most, Random& random);

}  // namespace tritonsmith::data
