#include "cli/verify_batch.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/judge_rows.h"
#include "judge/batch/batch_output.h"
#include "judge/verdict/verdict.h"

namespace tritonsmith::cli {

int verify_batch(const BatchFlags& flags, const JudgeFlags& judge_flags, const std::string& device) {
    const RowsJudging how{judge_flags.options(false), device, !judge_flags.unsafe_no_sandbox, flags.jobs,
                          flags.no_cache};
    const std::vector<judge::BatchRow> rows = judge::read_batch(flags.file, flags.keep_going);
    judge::BatchOutput output(flags.output, rows);
    Tally tally;
    for (const std::string& status : output.kept_statuses()) tally.count(status);
    if (output.kept() > 0)
        fmt::print(stderr, "{} has the verdicts of the first {} of {} rows ({})\n", flags.output,
                   output.kept(), rows.size(), tally.text());
    if (output.kept() == rows.size()) return kDone;
    judge_rows(rows, output.kept(), output.known(), how, tally,
               [&](const Json& verdict) { output.write(verdict); });
    const int failed = tally.of(judge::name(judge::Status::machine_error));
    if (failed == 0) return kDone;
    fmt::print(stderr, "tritonsmith: the machine failed on {} of {} rows{}\n", failed, rows.size(),
               flags.output == "-" ? "" : ": the same command judges them again");
    return kMachineFailed;
}

}  // namespace tritonsmith::cli
