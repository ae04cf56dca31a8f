#include "sanitize/findings_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "base/excerpt.h"
#include "base/reasons.h"

namespace tritonsmith::sanitize {
namespace {

constexpr const char* kNames[] = {"findings", "warnings", "unchecked"};

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void to_stderr(const std::string& text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(STDERR_FILENO, text.data() + done, text.size() - done);
        if (n <= 0) return;  // the reader has closed it
        done += static_cast<size_t>(n);
    }
}

}  // namespace

FindingsLog::FindingsLog(bool colour) : colour_(colour) {
    std::error_code none;
    folder_ = std::filesystem::current_path(none);
}

bool FindingsLog::add(Entry entry) {
    std::lock_guard lock(mutex_);
    // A message of the interpreter names its line, which is said once.
    if (const std::string prefix = fmt::format("line {}: ", entry.line); entry.message.starts_with(prefix))
        entry.message.erase(0, prefix.size());
    const auto [known, is_new] = known_.emplace(
        std::tuple(entry.kind, entry.kernel, entry.file, entry.line, entry.reason), entries_.size());
    if (!is_new) {
        ++entries_[known->second].count;
        return false;
    }
    to_stderr(text(entry));
    entries_.push_back(std::move(entry));
    return true;
}

std::string FindingsLog::shown(const std::string& file) const {
    const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(folder_);
    return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

std::string FindingsLog::text(const Entry& e) const {
    constexpr const char* kWords[] = {"", "warning: ", "not checked: "};
    const char* on = !colour_ ? "" : e.kind == Kind::finding ? "\033[31m" : "\033[33m";
    std::string text = e.file.empty() ? "" : fmt::format("{}:{}: ", shown(e.file), e.line);
    text += fmt::format("{}{}{}{}: {}\n", kWords[static_cast<int>(e.kind)], on, e.reason,
                        colour_ ? "\033[0m" : "", e.message);
    if (!e.file.empty()) text += excerpt(contents(e.file), e.line);
    const std::string fix(e.kind == Kind::unchecked ? "" : fix_of(e.reason));
    const std::string last = fix.empty() ? "" : "  fix: " + fix + "\n";
    if (e.kernel.empty()) return text + last;
    text += fmt::format("  in kernel {}{}, ", e.kernel, e.config.empty() ? "" : " (" + e.config + ")");
    if (e.program.is_array())
        text += fmt::format("program ({}) of ", fmt::join(e.program.get<std::vector<int64_t>>(), ", "));
    text += fmt::format("launch {}", e.launch);
    if (e.host_line > 0) text += fmt::format(", launched at {}:{}", shown(e.host_file), e.host_line);
    return text + "\n" + last;
}

int FindingsLog::count(Kind kind) const {
    std::lock_guard lock(mutex_);
    int n = 0;
    for (const Entry& e : entries_) n += e.kind == kind;
    return n;
}

Json FindingsLog::json() const {
    std::lock_guard lock(mutex_);
    Json out;
    for (const char* name : kNames) out[name] = Json::array();
    for (const Entry& e : entries_) {
        Json described = {{"kernel", e.kernel},       {"file", e.file},           {"line", e.line},
                          {"reason", e.reason},       {"message", e.message},     {"launch", e.launch},
                          {"host_file", e.host_file}, {"host_line", e.host_line}, {"count", e.count}};
        if (!e.program.is_null()) described["program"] = e.program;
        if (!e.config.empty()) described["config"] = e.config;
        out[kNames[static_cast<int>(e.kind)]].push_back(std::move(described));
    }
    return out;
}

}  // namespace tritonsmith::sanitize
