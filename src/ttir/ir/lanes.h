#pragma once

#include <cstdint>

#include "ttir/ir/ir.h"

/// Races inside one program: two of its lanes touch one address and no barrier stands between. Threads of a
/// program are not in lock-step across warps, so what one lane stores another may load too early or too late.
///
/// A lane is an element of an access's block: the same index in blocks of the same shape is the same lane
/// (and on the device the same thread), in other shapes another. An operation that surely or possibly stands
/// for a barrier of the whole program begins a new epoch; only accesses of one epoch can race.
///
/// A lane word names who touched a granule last: epoch | atomic | shape | element. Epochs are never used
/// twice in a process, so words need no clearing between programs or launches.
namespace tritonsmith::ttir {

constexpr int kElementBits = 20;  ///< kMaxTensorElements
constexpr int kShapeBits = 8;
constexpr uint64_t kLaneMask = (uint64_t{1} << (kElementBits + kShapeBits)) - 1;
constexpr uint64_t kAtomicLane = kLaneMask + 1;
constexpr int kEpochShift = kElementBits + kShapeBits + 1;
constexpr int kScalarShape = 0;
constexpr int kMostShapes = (1 << kShapeBits) - 2;  ///< all ones stands for several lanes

constexpr uint64_t lane_word(uint64_t epoch, int shape, int64_t element) {
    return epoch << kEpochShift | static_cast<uint64_t>(shape) << kElementBits |
           static_cast<uint64_t>(element);
}
constexpr uint64_t epoch_of(uint64_t word) {
    return word >> kEpochShift;
}
constexpr bool scalar_lane(uint64_t word) {
    return (word & kLaneMask) >> kElementBits == kScalarShape;
}
/// Whether a word is of the same epoch and of another lane.
constexpr bool other_lane(uint64_t word, uint64_t mine) {
    const uint64_t difference = word ^ mine;
    return difference >> kEpochShift == 0 && (difference & kLaneMask) != 0;
}

/// How an operation holds a program's threads together. Sure for barriers, reductions, scans, products and
/// compare-and-swap; possible, and taken for sure, where Triton may move values between threads through
/// shared memory.
enum class Sync : uint8_t { none, after, around };
Sync synchronises(const Operation& op, bool result_used, bool scalar);

/// A number that no program has had before.
uint64_t fresh_epochs(uint64_t count);

}  // namespace tritonsmith::ttir
