#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "train/data/line_reader.h"

namespace tritonsmith::train {

/// Where a row is in a stream of files.
struct RowPlace {
    int64_t file = 0;  ///< index in the order of this epoch
    int64_t line = 0;  ///< lines of it that were read

    bool operator==(const RowPlace&) const = default;
};

struct Row {
    std::string text;
    std::string where;  ///< "FILE:LINE"
};

/// The rows (lines that are not empty) of several files, one file after the other, in an order that an epoch
/// draws.
class RowStream {
  public:
    /// @param files at least one
    RowStream(std::vector<std::filesystem::path> files, uint64_t seed);

    /// Begins an epoch, at a place that place() returned.
    void seek(int64_t epoch, const RowPlace& place = {});
    /// Nothing at the epoch's end. @throws InputError
    std::optional<Row> next();
    /// Behind the last row that next() returned.
    RowPlace place() const;

  private:
    std::vector<std::filesystem::path> files_;
    uint64_t seed_;
    std::vector<size_t> order_;
    int64_t file_ = 0;
    std::optional<LineReader> reader_;
};

/// 0, 1, ... count - 1 in an order that depends on these numbers alone (Fisher and Yates).
std::vector<size_t> shuffled(size_t count, uint64_t seed, uint64_t number);

/// Files by a path with * in its last part, in the order of their names. @throws InputError where there is
/// none
std::vector<std::filesystem::path> matching_files(const std::string& pattern);

}  // namespace tritonsmith::train
