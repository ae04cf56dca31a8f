#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "bench/suites/family.h"
#include "bench/suites/readers.h"
#include "bench/suites/rows.h"

namespace tritonsmith::bench {
namespace fs = std::filesystem;
namespace {

Problem own_problem(task::Task task, const std::string& difficulty) {
    Problem out;
    out.id = task.id;
    out.suite = task.suite.empty() ? "tasks" : task.suite;
    out.level = task.level;
    out.name = task.id;
    out.family = family_of(task.source);
    out.difficulty = difficulty;
    out.task = std::make_shared<const task::Task>(std::move(task));
    return out;
}

/// A row of our own files; task::load looks rows up one at a time, which takes long for a file of many.
task::Task task_of(const Json& row, const std::string& where) {
    task::Task task;
    task.id = text_of(row, "id");
    if (task.id.empty()) throw InputError(where + ": has no \"id\"");
    task.source = text_of(row, "code");
    task.suite = text_of(row, "suite");
    task.display = where;
    if (const std::string entry = text_of(row, "entry"); !entry.empty()) task.entry = entry;
    if (const auto level = row.find("level"); level != row.end() && level->is_number_integer())
        task.level = level->get<int>();
    task::check(task);
    return task;
}

}  // namespace

std::vector<Problem> read_tasks(const fs::path& path) {
    std::vector<Problem> out;
    if (path.extension() == ".jsonl") {
        for (const Row& row : read_rows(path))
            out.push_back(own_problem(task_of(row.json, fmt::format("{}:{}", path.string(), row.line)),
                                      text_of(row.json, "difficulty")));
        return out;
    }
    std::vector<fs::path> files = {path};
    if (fs::is_directory(path)) {
        files.clear();
        for (const fs::directory_entry& one : fs::directory_iterator(path))
            if (one.path().extension() == ".py") files.push_back(one.path());
        std::sort(files.begin(), files.end());
        if (files.empty()) throw InputError(path.string() + ": no task files (*.py)");
    }
    for (const fs::path& file : files) out.push_back(own_problem(task::load(file.string()), ""));
    return out;
}

}  // namespace tritonsmith::bench
