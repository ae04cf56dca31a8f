#include "cli/verify_batch.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "base/process/progress.h"
#include "cli/command.h"
#include "cuda/device_info.h"
#include "judge/batch/batch.h"
#include "judge/batch/batch_output.h"

namespace tritonsmith::cli {

namespace {

class Tally {
  public:
    void count(const std::string& status) { ++counts_[status]; }
    int of(const std::string& status) const {
        const auto found = counts_.find(status);
        return found == counts_.end() ? 0 : found->second;
    }
    std::string text() const {
        std::string out;
        for (const auto& [status, count] : counts_)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, status);
        return out;
    }

  private:
    std::map<std::string, int> counts_;
};

/// Times are those of one GPU, and of the worker that took them.
std::string identity_of(const std::string& device, const judge::Paths& paths) {
    if (device.empty()) return "";
    std::string text = device;
    for (const cuda::DeviceInfo& one : cuda::devices())
        if (device == fmt::format("cuda:{}", one.ordinal))
            text +=
                fmt::format(" {} {} {}", one.uuid, std::filesystem::file_size(paths.gpu_worker),
                            std::filesystem::last_write_time(paths.gpu_worker).time_since_epoch().count());
    return text;
}

/// Outputs of one row are as large as those of the next: memory that was freed serves again, where fresh pages from
/// the system cost more than what is computed on them.
void keep_freed_memory() {
    constexpr int kLarge = 32 << 20, kKept = 1 << 30, kAhead = 16 << 20;
    ::mallopt(M_ARENA_MAX, 2);
    ::mallopt(M_MMAP_THRESHOLD, kLarge);
    ::mallopt(M_TRIM_THRESHOLD, kKept);
    ::mallopt(M_TOP_PAD, kAhead);
}

}  // namespace

int verify_batch(const BatchFlags& flags, const JudgeFlags& judge_flags, const std::string& device) {
    keep_freed_memory();
    judge::BatchOptions options{judge_flags.options(false), 1, nullptr, ""};
    const std::vector<judge::BatchRow> rows = judge::read_batch(flags.file, flags.keep_going);
    judge::BatchOutput output(flags.output, rows);
    Tally tally;
    for (const std::string& status : output.kept_statuses()) tally.count(status);
    if (output.kept() > 0)
        fmt::print(stderr, "{} has the verdicts of the first {} of {} rows ({})\n", flags.output,
                   output.kept(), rows.size(), tally.text());
    if (output.kept() == rows.size()) return kDone;

    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int left = static_cast<int>(std::min<size_t>(rows.size() - output.kept(), 1024));
    // A few more than cores: a job waits while its candidate is forked, reaped or compiled.
    options.jobs = std::min(flags.jobs > 0 ? flags.jobs : cores + (cores + 3) / 4, left);
    if (options.judge.threads == 0) options.judge.threads = std::max(1, cores / options.jobs);
    judge::Paths paths = judge::find_paths();
    paths.sandbox = !judge_flags.unsafe_no_sandbox;
    paths.device = device;
    std::optional<judge::VerdictCache> cache;
    if (!flags.no_cache) {
        options.identity = judge::judge_identity(paths.worker, paths.package) + identity_of(device, paths);
        options.cache = &cache.emplace(paths.cache + "/verdicts.sqlite");
    }
    judge::Judge judge(paths);
    Progress progress("candidates", static_cast<int64_t>(rows.size() - output.kept()));
    judge::run_batch(judge, rows, output.kept(), output.known(), options, [&](const Json& verdict) {
        output.write(verdict);
        tally.count(verdict.at("status").get<std::string>());
        progress.note(tally.text());
        progress.advance();
    });
    const int failed = tally.of(judge::name(judge::Status::machine_error));
    if (failed == 0) return kDone;
    fmt::print(stderr, "tritonsmith: the machine failed on {} of {} rows{}\n", failed, rows.size(),
               flags.output == "-" ? "" : ": the same command judges them again");
    return kMachineFailed;
}

}  // namespace tritonsmith::cli
