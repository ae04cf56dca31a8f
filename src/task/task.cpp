#include "task/task.h"

#include <string_view>

#include "base/error.h"
#include "task/row.h"
#include "task/text_file.h"

namespace tritonsmith::task {
namespace {

bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// True where a line begins (at module level) with `keyword name`, or binds the name by `name =`. Cheap on
/// purpose: the tracer finds out for good; this only turns the common mistakes into clear messages.
bool defines(std::string_view source, std::string_view keyword, std::string_view name) {
    for (size_t start = 0; start < source.size();) {
        size_t end = std::min(source.find('\n', start), source.size());
        std::string_view line = source.substr(start, end - start);
        start = end + 1;
        std::string_view rest = line;
        bool defined = rest.starts_with(keyword);
        if (defined) {
            rest.remove_prefix(keyword.size());
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        }
        if (!rest.starts_with(name)) continue;
        rest.remove_prefix(name.size());
        if (!rest.empty() && is_name(rest.front())) continue;
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        if (defined || (rest.starts_with("=") && !rest.starts_with("=="))) return true;
    }
    return false;
}

std::string text_field(const Json& row, const char* key, const std::string& display, bool needed) {
    auto it = row.find(key);
    if (it == row.end() || it->is_null()) {
        if (needed) throw InputError("task " + display + ": the row has no \"" + key + "\"");
        return "";
    }
    if (!it->is_string()) throw InputError("task " + display + ": \"" + key + "\" must be a string");
    return it->get<std::string>();
}

Task from_row(const std::filesystem::path& path, const std::string& id) {
    Json row = find_row(path, id);
    Task task;
    task.id = id;
    task.display = path.string() + "#" + id;
    task.source = text_field(row, "code", task.display, true);
    task.suite = text_field(row, "suite", task.display, false);
    if (std::string entry = text_field(row, "entry", task.display, false); !entry.empty()) task.entry = entry;
    if (auto level = row.find("level"); level != row.end() && !level->is_null()) {
        if (!level->is_number_integer() || level->get<int64_t>() < 0 || level->get<int64_t>() > 1000)
            throw InputError("task " + task.display + ": \"level\" must be a small integer");
        task.level = level->get<int>();
    }
    return task;
}

Task from_file(const std::filesystem::path& path) {
    Task task;
    task.source = read_program(path, "task");
    task.id = path.stem().string();
    task.display = path.string();
    return task;
}

}  // namespace

void check(const Task& task) {
    if (static_cast<int64_t>(task.source.size()) > kMaxProgramBytes)
        throw InputError("task " + task.display + ": the program is larger than 1 MiB");
    if (int line = bad_utf8_line(task.source))
        throw InputError("task " + task.display + ": line " + std::to_string(line) +
                         " of the program is not text");
    if (!defines(task.source, "class ", task.entry))
        throw InputError("task " + task.display + ": no class " + task.entry +
                         "; a task defines a torch.nn.Module of that name");
    if (!defines(task.source, "def ", "get_inputs"))
        throw InputError("task " + task.display +
                         ": no function get_inputs; it returns the list of arguments of the module's call");
}

Task load(const std::string& spec) {
    constexpr std::string_view kRows = ".jsonl#";
    Task task;
    if (size_t at = spec.find(kRows); at != std::string::npos) {
        std::string id = spec.substr(at + kRows.size());
        std::string file = spec.substr(0, at + kRows.size() - 1);
        if (id.empty()) throw InputError("task " + spec + ": name a row, as in " + file + "#ID");
        task = from_row(file, id);
    } else if (spec.ends_with(".jsonl")) {
        throw InputError("task " + spec + ": name a row, as in " + spec + "#ID");
    } else {
        task = from_file(spec);
    }
    check(task);
    return task;
}

std::string load_candidate(const std::filesystem::path& path) {
    return read_program(path, "candidate");
}

std::string read_candidate(const std::filesystem::path& path) {
    return read_bytes(path, "candidate");
}

}  // namespace tritonsmith::task
