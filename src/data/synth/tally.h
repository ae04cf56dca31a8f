#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "data/synth/pair.h"

namespace tritonsmith::data {

/// What a shard, or all of them, holds: counts for the data card.
struct Tally {
    using Counts = std::map<std::string, int64_t>;

    int64_t sampled = 0, pairs = 0, solutions = 0, repairs = 0, bytes = 0;
    Counts families, aten, themes, styles, dtypes, operators, lengths;
    Counts dropped;           ///< by cause
    Counts judged, rejected;  ///< families of the pairs that were judged, and of those not accepted

    void add(const Pair& pair);
    void add(const Tally& other);
    Json json() const;
    /// @throws InputError where it is no tally
    static Tally read(const Json& json);
    /// Markdown, for people. @param command that writes the same rows again
    std::string card(const std::string& title, const std::string& command) const;
};

}  // namespace tritonsmith::data
