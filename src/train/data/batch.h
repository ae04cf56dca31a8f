#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "train/data/example.h"

namespace tritonsmith::train {

/// Examples without padding, one behind the other.
struct Batch {
    std::vector<int64_t> tokens;
    std::vector<uint8_t> learned;  ///< of each token
    std::vector<int64_t> lengths;  ///< of the examples
    int64_t targets = 0;           ///< learned tokens that have a token before them
    Json place = {};               ///< of a BatchStream: seek() goes on behind this batch
    Json counts = {};  ///< of a BatchStream up to here: examples and dropped ones of each source, epochs
};

/// @param chosen indices of the examples
Batch batch_of(const std::vector<Example>& examples, const std::vector<size_t>& chosen);
/// Puts examples into batches of at most `budget` tokens. @return indices of each batch's examples
std::vector<std::vector<size_t>> pack_examples(const std::vector<Example>& examples, int64_t budget);

}  // namespace tritonsmith::train
