#include "data/synth/run.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <new>
#include <set>

#include "base/json.h"
#include "base/process/files.h"
#include "base/process/progress.h"
#include "base/zstd.h"

namespace tritonsmith::data {
namespace {

namespace fs = std::filesystem;

int64_t shard_count(const RunOptions& options) {
    return (options.count + options.shard_size - 1) / options.shard_size;
}

std::string shard_path(const RunOptions& options, int64_t number, const char* ending) {
    return fmt::format("{}/shard-{:05}{}", options.folder, number, ending);
}

/// What the files depend on: a run with other options is another run.
Json head_of(const RunOptions& options) {
    return {{"form", 1},
            {"seed", options.pairs.seed},
            {"shard_size", options.shard_size},
            {"schedules", options.pairs.schedules},
            {"operators", options.pairs.operators},
            {"repairs", options.repairs},
            {"verified", static_cast<bool>(options.verify)}};
}

std::string command_of(const RunOptions& options) {
    const PairOptions& pairs = options.pairs;
    std::string out = fmt::format(
        "tritonsmith data synth -o FOLDER --count {} --seed {} --shard {} --schedules {} --operators {}",
        options.count, pairs.seed, options.shard_size, pairs.schedules, pairs.operators);
    if (options.verify) out += " --verify";
    if (options.repairs > 0) out += fmt::format(" --repairs {}", options.repairs);
    return out;
}

Json read_json(const std::string& path) {
    const std::optional<Json> out = parse_untrusted_json(read_file(path, path, int64_t{64} << 20));
    if (!out) throw InputError(path + ": not valid JSON; remove it to have it written again");
    return *out;
}

void check_head(const RunOptions& options) {
    const std::string path = options.folder + "/synth.json";
    const Json head = head_of(options);
    if (!fs::exists(path)) {
        if (fs::exists(options.folder) && !fs::is_empty(options.folder))
            throw InputError(options.folder +
                             ": is not empty and holds no run of data synth; name another folder");
        write_file(path, dump(head, 2) + "\n");
        return;
    }
    const Json found = read_json(path);
    for (const auto& [key, value] : head.items())
        if (!found.contains(key) || found.at(key) != value)
            throw InputError(fmt::format("{}: was written with {} {}, not {}; name another folder",
                                         options.folder, key,
                                         found.contains(key) ? dump(found.at(key)) : "another", dump(value)));
}

bool is_there(const RunOptions& options, int64_t number) {
    return fs::exists(shard_path(options, number, ".json")) &&
           fs::exists(shard_path(options, number, ".jsonl.zst"));
}

/// @param verified of tasks, where they are judged @return whether it was written: not where the verification
/// was stopped
bool write_shard(const RunOptions& options, int64_t number, const std::atomic<bool>& stopped,
                 Progress* verified = nullptr) {
    Tally tally;
    std::vector<Pair> pairs = make_shard(options, number, tally);
    if (options.verify) {
        if (verified) verified->advance(tally.sampled - static_cast<int64_t>(pairs.size()));
        options.verify(pairs, tally, [&] {
            if (verified) verified->advance();
        });
    }
    if (options.verify && stopped) return false;
    std::string text;
    for (const Pair& pair : pairs) {
        text += row_text(pair);
        text += '\n';
        tally.add(pair);
    }
    tally.bytes = static_cast<int64_t>(text.size());
    write_file(shard_path(options, number, ".jsonl.zst"), compressed(text));
    write_file(shard_path(options, number, ".json"), dump(tally.json(), 1) + "\n");
    return true;
}

/// What processes share: which shard is next, and how many are done.
struct Shared {
    std::atomic<int64_t> next{0}, done{0};
};

void take_shards(const RunOptions& options, Shared& shared, const std::atomic<bool>& stopped) {
    const int64_t shards = shard_count(options);
    for (;;) {
        const int64_t number = shared.next.fetch_add(1);
        if (number >= shards || stopped) return;
        if (!is_there(options, number)) write_shard(options, number, stopped);
        shared.done.fetch_add(1);
    }
}

/// Children end with the codes of the command line; their messages are on stderr.
[[noreturn]] void child(const RunOptions& options, Shared& shared, const std::atomic<bool>& stopped) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    int code = 0;
    try {
        take_shards(options, shared, stopped);
    } catch (const InputError& error) {
        fmt::print(stderr, "tritonsmith: {}\n", error.what());
        code = 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "tritonsmith: {}\n", error.what());
        code = 3;
    }
    ::_exit(code);
}

void run_processes(const RunOptions& options, Shared& shared, const std::atomic<bool>& stopped) {
    const int64_t shards = shard_count(options);
    const int jobs = static_cast<int>(std::clamp<int64_t>(options.jobs, 1, shards));
    std::vector<pid_t> children;
    std::fflush(nullptr);
    for (int i = 0; i < jobs; ++i) {
        const pid_t pid = ::fork();
        if (pid == 0) child(options, shared, stopped);
        if (pid > 0) children.push_back(pid);
    }
    if (children.empty()) throw MachineError("no process can be started");
    Progress progress("shards", shards);
    int64_t shown = 0;
    bool failed = false;
    std::set<pid_t> running(children.begin(), children.end());
    while (!running.empty()) {
        for (const pid_t pid : std::set<pid_t>(running)) {
            int status = 0;
            if (::waitpid(pid, &status, WNOHANG) != pid) continue;
            running.erase(pid);
            const bool interrupted =
                WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM);
            failed = failed || !((WIFEXITED(status) && WEXITSTATUS(status) == 0) || (interrupted && stopped));
        }
        const int64_t done = shared.done;
        if (done > shown) progress.advance(done - shown);
        shown = done;
        if (failed || stopped) shared.next = shards;
        if (!running.empty()) ::usleep(50'000);
    }
    if (failed)
        throw MachineError(
            "a process that writes shards failed (see above): the same command goes on from there");
}

}  // namespace

std::vector<Pair> make_shard(const RunOptions& options, int64_t number, Tally& tally) {
    std::vector<Pair> pairs;
    std::map<uint64_t, int> seen;
    // There are not many programs of one operator, but each has many names, sizes and constructors.
    const int most = options.pairs.operators == 1 ? 5 : options.pairs.operators <= 3 ? 2 : 1;
    const int64_t end = std::min(options.count, (number + 1) * options.shard_size);
    // There are not many programs so small: among longer ones each belongs to one shard of four.
    const int64_t owners = options.pairs.operators > 6 ? std::min<int64_t>(4, shard_count(options)) : 1;
    const Unwanted unwanted = [&](uint64_t structure, int operators) {
        if (operators <= 2 &&
            structure % static_cast<uint64_t>(owners) != static_cast<uint64_t>(number % owners))
            return "a small program that other shards have";
        const auto found = seen.find(structure);
        return found != seen.end() && found->second >= most
                   ? "the same operators as another task of the shard"
                   : "";
    };
    for (int64_t i = number * options.shard_size; i < end; ++i) {
        ++tally.sampled;
        auto made = make_pair(static_cast<uint64_t>(i), options.pairs, unwanted);
        if (const auto* dropped = std::get_if<Dropped>(&made)) {
            ++tally.dropped[dropped->cause];
            continue;
        }
        auto& pair = std::get<Pair>(made);
        ++seen[pair.structure];
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

Tally run_synth(const RunOptions& options, const std::atomic<bool>& stopped) {
    check_head(options);
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw MachineError("no memory that processes share");
    auto* shared = new (memory) Shared;
    if (options.verify) {
        Progress progress("tasks", options.count);
        for (int64_t number = 0; number < shard_count(options) && !stopped; ++number)
            if (is_there(options, number))
                progress.advance(std::min(options.count - number * options.shard_size, options.shard_size));
            else
                write_shard(options, number, stopped, &progress);
    } else if (options.jobs == 1) {
        Progress progress("shards", shard_count(options));
        for (int64_t number = 0; number < shard_count(options) && !stopped; ++number) {
            if (!is_there(options, number) && !write_shard(options, number, stopped)) break;
            progress.advance();
        }
    } else {
        run_processes(options, *shared, stopped);
    }
    ::munmap(memory, sizeof(Shared));
    Tally all;
    for (int64_t number = 0; number < shard_count(options); ++number)
        if (is_there(options, number)) all.add(Tally::read(read_json(shard_path(options, number, ".json"))));
    if (stopped) return all;
    write_file(options.folder + "/counts.json", dump(all.json(), 1) + "\n");
    write_file(options.folder + "/README.md",
               all.card(fmt::format("Synthetic pairs, seed {}", options.pairs.seed), command_of(options)));
    return all;
}

}  // namespace tritonsmith::data
