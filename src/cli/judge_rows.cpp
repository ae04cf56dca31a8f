#include "cli/judge_rows.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/process/progress.h"
#include "cuda/device_info.h"
#include "judge/batch/batch.h"

namespace tritonsmith::cli {

namespace {

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

/// Outputs of one row are as large as those of the next: memory that was freed serves again, where fresh
/// pages from the system cost more than what is computed on them.
void keep_freed_memory() {
    constexpr int kLarge = 32 << 20, kKept = 1 << 30, kAhead = 16 << 20;
    ::mallopt(M_ARENA_MAX, 2);
    ::mallopt(M_MMAP_THRESHOLD, kLarge);
    ::mallopt(M_TRIM_THRESHOLD, kKept);
    ::mallopt(M_TOP_PAD, kAhead);
}

}  // namespace

int Tally::of(const std::string& status) const {
    const auto found = counts_.find(status);
    return found == counts_.end() ? 0 : found->second;
}

std::string Tally::text() const {
    std::string out;
    for (const auto& [status, count] : counts_)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, status);
    return out;
}

void judge_rows(const std::vector<judge::BatchRow>& rows, size_t first, const std::map<size_t, Json>& known,
                const RowsJudging& how, Tally& tally, const std::function<void(const Json&)>& done) {
    keep_freed_memory();
    judge::BatchOptions options{how.options, 1, nullptr, "", how.in_order};
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int left = static_cast<int>(std::min<size_t>(rows.size() - first, 1024));
    // A few more than cores: a job waits while its candidate is forked, reaped or compiled. Others wait for
    // the device.
    const bool on_device = !how.device.empty();
    const int computing = cores + (cores + 3) / 4;
    const int usual = computing + (on_device ? 2 * judge::DeviceServices::kPlaces : 0);
    options.jobs = std::min(how.jobs > 0 ? how.jobs : usual, left);
    if (options.judge.threads == 0)
        options.judge.threads = std::max(1, cores / std::min(options.jobs, computing));
    judge::Paths paths = judge::find_paths();
    paths.sandbox = how.sandbox;
    paths.device = how.device;
    std::optional<judge::VerdictCache> cache;
    if (!how.no_cache) {
        options.identity =
            judge::judge_identity(paths.worker, paths.package) + identity_of(how.device, paths);
        options.cache = &cache.emplace(paths.cache + "/verdicts.sqlite");
    }
    judge::Judge judge(paths);
    if (on_device) judge.limit_processors(computing);
    Progress progress("candidates", static_cast<int64_t>(rows.size() - first));
    judge::run_batch(judge, rows, first, known, options, [&](const Json& verdict) {
        done(verdict);
        tally.count(verdict.at("status").get<std::string>());
        progress.note(tally.text());
        progress.advance();
    });
}

}  // namespace tritonsmith::cli
