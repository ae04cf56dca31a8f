#include "cli/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "cli/command.h"

namespace tritonsmith::cli {
namespace {

const char* name_of(State state) {
    switch (state) {
        case State::good:
            return "good";
        case State::note:
            return "note";
        case State::missing:
            break;
    }
    return "missing";
}

std::string from_environment(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? value : otherwise;
}

/// The nearest existing folder at or above the cache: that is the disk that will be written.
std::string cache_disk() {
    namespace fs = std::filesystem;
    std::string home = from_environment("HOME", "/tmp");
    fs::path folder =
        from_environment("TRITONSMITH_CACHE", from_environment("XDG_CACHE_HOME", home + "/.cache"));
    std::error_code ignored;
    while (!folder.empty() && !fs::exists(folder, ignored) && folder != folder.parent_path())
        folder = folder.parent_path();
    return folder.empty() ? "." : folder.string();
}

Json to_json(const std::vector<Check>& checks, bool ok) {
    Json list = Json::array();
    for (const Check& check : checks)
        list.push_back({{"name", check.name},
                        {"state", name_of(check.state)},
                        {"text", check.text},
                        {"fix", check.fix.empty() ? Json(nullptr) : Json(check.fix)},
                        {"details", check.details}});
    return {{"ok", ok}, {"version", TRITONSMITH_VERSION}, {"checks", std::move(list)}};
}

std::string to_text(const std::vector<Check>& checks, bool ok) {
    std::string text;
    for (const Check& check : checks) {
        const char* mark = check.state == State::good ? "ok  " : check.state == State::note ? "note" : "MISS";
        text += fmt::format("{} {:<16} {}\n", mark, check.name, check.text);
        if (!check.fix.empty()) text += fmt::format("{:21} → {}\n", "", check.fix);
    }
    return text + (ok ? "This machine can judge on the CPU.\n"
                      : "This machine cannot judge yet: see the lines marked MISS.\n");
}

int doctor(bool json) {
    std::vector<Check> checks = examine(from_environment("TRITONSMITH_PYTHON", TRITONSMITH_DEFAULT_PYTHON));
    bool ok =
        std::none_of(checks.begin(), checks.end(), [](const Check& c) { return c.state == State::missing; });
    if (json)
        print_json(to_json(checks, ok));
    else
        print(to_text(checks, ok));
    return ok ? kDone : kMachineFailed;
}

}  // namespace

std::vector<Check> examine(const std::string& python) {
    std::vector<Check> checks{check_cpu(), check_memory(), check_disk(cache_disk()), check_gpu()};
    auto append = [&](std::vector<Check> more) {
        std::move(more.begin(), more.end(), std::back_inserter(checks));
    };
    if (std::optional<Check> check = check_gpu_sandbox()) checks.push_back(std::move(*check));
    append(check_python(python));
    checks.push_back(check_host_compiler());
    append(check_sandbox());
    return checks;
}

void add_doctor(CLI::App& app, int& exit_code) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command =
        app.add_subcommand("doctor", "What this machine can do, what is missing, and how to fix it");
    command->add_flag("--json", *json, kJsonHelp);
    command->callback([json, &exit_code] { exit_code = doctor(*json); });
}

}  // namespace tritonsmith::cli
