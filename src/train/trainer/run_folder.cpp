#include "train/trainer/run_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/process/files.h"

namespace tritonsmith::train {

namespace fs = std::filesystem;

void check_same_run(const fs::path& folder, const Json& settings, const std::vector<std::string_view>& free) {
    const fs::path path = folder / "run.json";
    const std::optional<Json> head = parse_untrusted_json(read_file(path, "the run's settings", 16 << 20));
    if (!head || !head->is_object() || !head->contains("settings"))
        throw InputError(path.string() + ": is damaged; name another folder");
    const Json before = (*head)["settings"].flatten(), now = settings.flatten();
    for (const Json& all : {before, now})
        for (const auto& [name, value] : all.items()) {
            if (std::find(free.begin(), free.end(), name) != free.end()) continue;
            const Json was = before.value(name, Json()), is = now.value(name, Json());
            if (was != is)
                throw InputError(fmt::format("{}: the run began with {} = {}, and this configuration says {}",
                                             path.string(), name.substr(1), dump(was), dump(is)));
        }
}

int64_t steps_done(const fs::path& folder) {
    const fs::path path = folder / "checkpoints/last/trainer/state.json";
    std::error_code error;
    if (!fs::exists(path, error)) return 0;
    const std::optional<Json> state = parse_untrusted_json(read_file(path, "the trainer's state", 64 << 20));
    const Json step = state && state->is_object() ? state->value("step", Json()) : Json();
    return step.is_number_integer() ? step.get<int64_t>() : 0;
}

std::optional<fs::path> checkpoint_to_resume(const fs::path& folder, const Json& settings, bool resume,
                                             const std::vector<std::string_view>& free,
                                             const Checkpoints& checkpoints) {
    std::error_code error;
    const bool used = fs::exists(folder / "run.json", error);
    if (!used && fs::exists(folder, error) && !fs::is_empty(folder, error))
        throw InputError(
            fmt::format("{}: is not empty and holds no run; name another folder", folder.string()));
    if (used && !resume)
        throw InputError(fmt::format(
            "{}: holds a run; give --resume to go on with it, or name another folder", folder.string()));
    if (used) check_same_run(folder, settings, free);
    return resume ? checkpoints.last() : std::nullopt;
}

}  // namespace tritonsmith::train
