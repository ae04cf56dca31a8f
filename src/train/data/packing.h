#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tritonsmith::train {

/// Puts documents into batches of at most `budget` tokens: first-fit decreasing, at most 11/9 of the least
/// possible number of batches and 6/9 of one more (Dósa 2007).
/// @param lengths each 1 to budget @return indices of the documents of each batch, each in ascending order
std::vector<std::vector<size_t>> pack(const std::vector<int64_t>& lengths, int64_t budget);

}  // namespace tritonsmith::train
