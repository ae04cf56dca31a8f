#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "judge/batch/batch_rows.h"
#include "judge/verdict/options.h"

namespace tritonsmith::cli {

/// How many verdicts there are of each status.
class Tally {
  public:
    void count(const std::string& status) { ++counts_[status]; }
    int of(const std::string& status) const;
    std::string text() const;  ///< "3 accepted, 1 rejected"

  private:
    std::map<std::string, int> counts_;
};

struct RowsJudging {
    judge::Options options;
    std::string device;  ///< of judge::Paths
    bool sandbox = true;
    int jobs = 0;  ///< candidates judged at a time; 0: one per core and a few more, with a device twelve more
    bool no_cache = false;
    bool in_order = true;  ///< of judge::BatchOptions
};

/// Judges rows[first..] with the services, threads and cache of a batch (judge/batch/batch.h: `known`,
/// `done`).
/// @param tally verdicts are added to it, and it is shown with the progress @throws MachineError
void judge_rows(const std::vector<judge::BatchRow>& rows, size_t first, const std::map<size_t, Json>& known,
                const RowsJudging& how, Tally& tally, const std::function<void(const Json&)>& done);

}  // namespace tritonsmith::cli
