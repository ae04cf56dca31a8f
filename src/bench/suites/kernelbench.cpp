#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "bench/suites/family.h"
#include "bench/suites/flaws.h"
#include "bench/suites/readers.h"
#include "bench/suites/rows.h"

namespace tritonsmith::bench {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLevels = 4;

int number_at_start(std::string_view text) {
    int value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc() ? value : 0;
}

Problem kernelbench_problem(int level, int number, const std::string& name, task::Task task) {
    Problem out;
    out.id = fmt::format("L{}-{}", level, number);
    out.suite = "kernelbench";
    out.level = level;
    out.name = name;
    out.family = family_of(task.source);
    out.flaw = kernelbench_flaw(level, number);
    task.id = out.id;
    task.suite = out.suite;
    task.level = level;
    out.task = std::make_shared<const task::Task>(std::move(task));
    return out;
}

/// Files of a checkout, by level and number.
std::map<std::pair<int, int>, fs::path> problem_files(const fs::path& folder) {
    std::map<std::pair<int, int>, fs::path> out;
    for (const fs::path& root : {folder / "KernelBench", folder}) {
        for (int level = 1; level <= kMostLevels; ++level) {
            const fs::path levels = root / fmt::format("level{}", level);
            if (!fs::is_directory(levels)) continue;
            for (const fs::directory_entry& one : fs::directory_iterator(levels))
                if (const int number = number_at_start(one.path().filename().string());
                    number > 0 && one.path().extension() == ".py")
                    out.emplace(std::pair(level, number), one.path());
        }
        if (!out.empty()) break;
    }
    return out;
}

}  // namespace

std::vector<Problem> read_kernelbench(const fs::path& path) {
    std::vector<Problem> out;
    if (fs::is_directory(path)) {
        for (const auto& [place, file] : problem_files(path))
            out.push_back(kernelbench_problem(place.first, place.second, file.stem().string(),
                                              task::load(file.string())));
        if (out.empty())
            throw InputError(path.string() + ": no files level1/1_NAME.py; name a checkout of KernelBench");
        return out;
    }
    for (const Row& row : read_rows(path)) {
        const std::string where = fmt::format("{}:{}", path.string(), row.line);
        const std::string id = text_of(row.json, "problem_id");
        const int level = number_at_start(text_of(row.json, "level"));
        const int number = number_at_start(id.empty() ? text_of(row.json, "problem") : id);
        if (level < 1 || number < 1)
            throw InputError(where + ": needs \"level\" and \"problem_id\" (or \"problem\"), both from 1");
        task::Task task;
        task.source = text_of(row.json, "code");
        task.display = where;
        task::check(task);
        out.push_back(kernelbench_problem(level, number, text_of(row.json, "name"), std::move(task)));
    }
    return out;
}

}  // namespace tritonsmith::bench
