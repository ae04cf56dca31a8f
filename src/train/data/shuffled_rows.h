#pragma once

#include <vector>

#include "train/data/row_stream.h"

namespace tritonsmith::train {

/// The rows of a source without end: epoch after epoch, shuffled within windows. A window is a number of
/// consecutive rows in an order that is drawn for it, so a place is a few numbers, and going on from it reads
/// one window again.
class ShuffledRows {
  public:
    struct Place {
        int64_t epoch = 0, window = 0;  ///< number of the window in the epoch
        RowPlace begin;                 ///< of the window
        int64_t taken = 0;              ///< rows of the window

        bool operator==(const Place&) const = default;
    };

    /// @param window rows, at least 1: 1 does not shuffle them. A window ends early above 256 MiB.
    ShuffledRows(std::vector<std::filesystem::path> files, int64_t window, uint64_t seed);

    /// @throws InputError for a source without rows
    Row next();
    Place place() const { return place_; }
    void seek(const Place& place);

  private:
    void fill();

    RowStream stream_;
    int64_t window_;
    uint64_t seed_;
    Place place_;
    std::vector<Row> rows_;  ///< of the window, as in the file
    std::vector<size_t> order_;
    RowPlace end_;       ///< of the window
    bool last_ = false;  ///< the window is the epoch's last one
};

Json to_json(const ShuffledRows::Place& place);
/// @throws InputError for JSON of another form
ShuffledRows::Place shuffle_place(const Json& json);

}  // namespace tritonsmith::train
