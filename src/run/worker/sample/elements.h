#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "plan/ir/plan.h"
#include "ttir/interp/memory/memory.h"
#include "ttir/ir/byte_ranges.h"

namespace tritonsmith::run::sample {

/// Random elements (linear, row major) of a tensor that lie in the bytes of its buffer, `most` at most; the
/// first and the last of each of a few ranges among them.
std::vector<int64_t> elements_within(const ttir::ByteRanges& bytes, const plan::Tensor& tensor, int most,
                                     std::mt19937_64& random);

/// Random sample of at most `most` elements of a tensor whose bytes have been written. Looks at resident
/// pages of the shadow only, so it is quick on a huge buffer of which little was touched.
std::vector<int64_t> written_elements(ttir::Buffer& buffer, const plan::Tensor& tensor, int most,
                                      std::mt19937_64& random);

/// Names a program of a launch (SampledElement::tile).
int64_t tile_of(size_t launch, int64_t program);

}  // namespace tritonsmith::run::sample
