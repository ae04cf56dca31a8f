#include "grpo/sample_log.h"

#include <fmt/format.h>

#include <charconv>

#include "base/json.h"
#include "base/process/files.h"
#include "base/zstd.h"

namespace tritonsmith::grpo {
namespace {

namespace fs = std::filesystem;

const char* name(engine::End end) {
    switch (end) {
        case engine::End::stop_token:
            return "stop";
        case engine::End::length:
            return "length";
        default:
            return "other";
    }
}

Json line_of(int64_t step, const Group& group, size_t index) {
    const Sample& sample = group.samples[index];
    Json line = {{"step", step},
                 {"prompt", group.number},
                 {"sample", index},
                 {"episode", sample.episode},
                 {"turn", sample.turn + 1},
                 {"task", group.task->task->id},
                 {"families", group.task->families},
                 {"left_out", group.left_out},
                 {"tokens", sample.length()},
                 {"end", name(sample.end)},
                 {"text", sample.text},
                 {"reward", to_json(sample.reward)},
                 {"returns", sample.returns},
                 {"advantages", sample.advantages},
                 {"facts", to_json(sample.facts)},
                 {"verdict", to_json(sample.verdict)}};
    if (sample.check) line["check"] = to_json(*sample.check);
    return line;
}

/// Of "step-00000012..." and "evaluation-00000012...".
int64_t step_of(const std::string& name) {
    int64_t step = 0;
    for (const std::string_view prefix : {"step-", "evaluation-"}) {
        if (!name.starts_with(prefix)) continue;
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), step);
        return step;
    }
    return -1;
}

}  // namespace

SampleLog::SampleLog(const fs::path& folder, int64_t step, int rank, int count)
    : folder_(folder / "samples"), rank_(rank), count_(count) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw MachineError("cannot make " + folder_.string() + ": " + error.message());
    if (rank != 0) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
        if (step_of(entry.path().filename().string()) > step) fs::remove(entry.path());
}

fs::path SampleLog::path_of(int64_t step, const char* kind) const {
    const std::string rank = count_ > 1 ? fmt::format("-{}-of-{}", rank_, count_) : "";
    return folder_ / fmt::format("{}-{:08}{}.jsonl.zst", kind, step, rank);
}

void SampleLog::write(int64_t step, const std::vector<Group>& groups, const char* kind) const {
    std::string lines;
    for (const Group& group : groups)
        for (size_t i = 0; i < group.samples.size(); ++i) lines += dump(line_of(step, group, i)) + '\n';
    write_file(path_of(step, kind), compressed(lines));
}

}  // namespace tritonsmith::grpo
