#include "judge/verdict/verdict_cache.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "base/reasons.h"

namespace tritonsmith::judge {
namespace {

namespace fs = std::filesystem;

/// Beyond this many the oldest go.
constexpr int kMostVerdicts = 500'000;

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
};

void stat_into(std::string& text, const fs::path& path) {
    text += fmt::format("{} {} {}\n", path.filename().string(), fs::file_size(path),
                        fs::last_write_time(path).time_since_epoch().count());
}

}  // namespace

std::string judge_identity(const std::string& worker, const std::string& package) {
    try {
        std::string text;
        stat_into(text, fs::canonical("/proc/self/exe"));
        stat_into(text, worker);
        std::set<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(package))
            if (entry.is_regular_file() && entry.path().extension() != ".pyc") files.insert(entry.path());
        for (const fs::path& file : files) stat_into(text, file);
        return sha256(text);
    } catch (const fs::filesystem_error& error) {
        throw MachineError(std::string("the judge's own files cannot be read: ") + error.what());
    }
}

std::string verdict_key(const task::Task& task, const std::string& candidate, const Options& options,
                        const std::string& judge) {
    return sha256(
        fmt::format("{}\n{}\n{}\n{}\n{}\n{} {} {}\n{}\n{}\n{} {} {}\n{} {} {} {} {}\n{}", judge,
                    sha256(task.source), task.entry, sha256(candidate), options.target, options.relaxed,
                    options.strict_state, name(options.require), options.shrink_bytes, options.shrink_flops,
                    options.tolerance.f32, options.tolerance.low, numerics::name(options.precision),
                    options.timing, options.as_written, options.compile_baseline, options.prepack,
                    options.timing_seconds, options.seed ? fmt::format("{}", *options.seed) : "any"));
}

bool lasting(const Json& verdict) {
    if (verdict.value("status", "") == "accepted") return true;
    if (verdict.value("status", "") != "rejected" || !verdict.at("reason").is_string()) return false;
    const Reason* reason = find_reason(verdict.at("reason").get_ref<const std::string&>());
    return reason && !reason->transient;
}

struct VerdictCache::Connection {
    std::unique_ptr<sqlite3, Close> handle;
    Statement find, keep;  // behind the connection: finalised before it is closed

    bool open(const std::string& file) {
        sqlite3* raw = nullptr;
        const int result =
            sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
        handle.reset(raw);
        if (result != SQLITE_OK) return false;
        sqlite3_busy_timeout(raw, 10'000);
        return run("PRAGMA journal_mode=WAL") && run("PRAGMA synchronous=NORMAL") &&
               run("CREATE TABLE IF NOT EXISTS verdicts(key TEXT PRIMARY KEY, verdict TEXT NOT NULL) "
                   "STRICT") &&
               prepare("SELECT verdict FROM verdicts WHERE key = ?", find) &&
               prepare("INSERT OR REPLACE INTO verdicts(key, verdict) VALUES(?, ?)", keep);
    }
    /// The oldest rows have the lowest numbers.
    bool prune() {
        return run(fmt::format("DELETE FROM verdicts WHERE rowid <= (SELECT max(rowid) FROM verdicts) - {}",
                               kMostVerdicts)
                       .c_str());
    }
    bool run(const char* sql) {
        return sqlite3_exec(handle.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    bool prepare(const char* sql, Statement& statement) {
        sqlite3_stmt* raw = nullptr;
        const int result = sqlite3_prepare_v2(handle.get(), sql, -1, &raw, nullptr);
        statement.reset(raw);
        return result == SQLITE_OK;
    }
    std::string why() const { return handle ? sqlite3_errmsg(handle.get()) : "out of memory"; }
};

VerdictCache::VerdictCache(const std::string& file)
    : file_(file), connection_(std::make_unique<Connection>()) {
    std::error_code ignored;
    fs::create_directories(fs::path(file).parent_path(), ignored);
    if (!connection_->open(file) || !connection_->prune()) give_up(connection_->why());
}

VerdictCache::~VerdictCache() = default;

void VerdictCache::give_up(const std::string& what) {
    fmt::print(stderr, "tritonsmith: verdicts are not cached: {}: {} (remove the file, or give --no-cache)\n",
               file_, what);
    connection_.reset();
}

std::optional<Json> VerdictCache::find(const std::string& key) {
    std::lock_guard lock(mutex_);
    if (!connection_) return std::nullopt;
    sqlite3_stmt* statement = connection_->find.get();
    sqlite3_bind_text(statement, 1, key.data(), static_cast<int>(key.size()), SQLITE_TRANSIENT);
    std::optional<Json> verdict;
    const int result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        verdict = parse_untrusted_json(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
    sqlite3_reset(statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE) give_up(connection_->why());
    if (verdict && !(verdict->is_object() && verdict->contains("status"))) return std::nullopt;
    return verdict;
}

void VerdictCache::keep(const std::string& key, const Json& verdict) {
    std::lock_guard lock(mutex_);
    if (!connection_ || !lasting(verdict)) return;
    const std::string text = dump(verdict);
    sqlite3_stmt* statement = connection_->keep.get();
    sqlite3_bind_text(statement, 1, key.data(), static_cast<int>(key.size()), SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    const int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    if (result != SQLITE_DONE) give_up(connection_->why());
}

}  // namespace tritonsmith::judge
