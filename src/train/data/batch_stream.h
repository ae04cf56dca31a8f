#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "train/data/batch.h"
#include "train/data/example.h"
#include "train/data/shuffled_rows.h"

namespace tritonsmith::train {

struct SourceSettings {
    std::string name;  ///< for counts
    std::vector<std::filesystem::path> files;
    double weight = 1;  ///< how often it is drawn, in rows
};

struct StreamSettings {
    std::vector<SourceSettings> sources;
    int64_t budget = 4096;           ///< tokens of a batch
    int64_t longest = 4096;          ///< tokens of an example; longer ones are dropped and counted
    int64_t shuffle_window = 10000;  ///< rows
    int64_t pack_window = 1000;      ///< examples that are packed together
    PairSettings pairs;
    uint64_t seed = 0;
    int threads = 1;  ///< that make examples of rows; the batches do not depend on it
};

/// Batches without end from several sources, the same for the same settings and files. Nothing but a window
/// of each source is in memory. One thread at a time.
class BatchStream {
  public:
    /// @throws InputError for settings out of range
    BatchStream(StreamSettings settings, std::shared_ptr<const ExampleMaker> maker);

    /// @throws InputError for a row that is damaged, with its file and line
    Batch next();
    /// Goes on behind the batch that held this place. @throws InputError for a place of other settings
    void seek(const Json& place);

  private:
    struct Counts {
        int64_t examples = 0, too_long = 0;
    };
    struct DrawnRow;
    void fill();
    void read_rows();
    void make_examples(DrawnRow& drawn) const;
    Json sources_place() const;

    StreamSettings settings_;
    std::shared_ptr<const ExampleMaker> maker_;
    std::vector<ShuffledRows> sources_;
    std::vector<Counts> counts_;
    std::vector<double> weights_;
    int64_t draws_ = 0;   ///< rows of all sources
    int64_t window_ = 0;  ///< number of the window of packing
    Json begin_;          ///< sources_place() where the window begins
    std::vector<Example> examples_;
    std::vector<std::vector<size_t>> batches_;
    size_t next_ = 0;  ///< of batches_
};

}  // namespace tritonsmith::train
