#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/batch/batch_rows.h"
#include "judge/judge.h"
#include "judge/verdict/verdict_cache.h"

namespace tritonsmith::judge {

struct BatchOptions {
    Options judge;
    int jobs = 1;                   ///< threads that judge
    VerdictCache* cache = nullptr;  ///< verdicts that it has are taken from there, marked "cached"
    std::string identity;           ///< of the judge, for the cache
    bool in_order = true;           ///< else each verdict is given when it is there
};

/// Judges rows[first..]. `done` is called with each verdict, in the order of the rows where the options say
/// so, from one thread at a time. A failure of the machine while a row is judged is that row's verdict, and
/// the batch goes on.
/// @param known verdicts that are taken as they are, by the row's index
/// @throws MachineError where the machine has failed on many rows in a row, and what `done`
/// throws: rows whose verdicts came before were given to `done`.
void run_batch(Judge& judge, const std::vector<BatchRow>& rows, size_t first,
               const std::map<size_t, Json>& known, const BatchOptions& options,
               const std::function<void(const Json&)>& done);

}  // namespace tritonsmith::judge
