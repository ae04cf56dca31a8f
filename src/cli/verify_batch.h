#pragma once

#include <string>

#include "cli/judge_options.h"

namespace tritonsmith::cli {

struct BatchFlags {
    std::string file, output = "-";
    int jobs = 0;             ///< candidates judged at a time; 0: one per core and a few more
    bool no_cache = false;    ///< judge what the cache has a verdict for as well
    bool keep_going = false;  ///< rows that cannot be read get a verdict that says so
};

/// Judges every row of a batch. Verdicts go to `output`, progress to stderr. @return kDone: all rows have
/// verdicts, whatever they say; kMachineFailed where that of some is that this machine failed. @throws
/// InputError, MachineError
int verify_batch(const BatchFlags& flags, const JudgeFlags& judge, const std::string& device);

}  // namespace tritonsmith::cli
