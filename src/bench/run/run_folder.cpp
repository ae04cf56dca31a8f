#include "bench/run/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/process/files.h"
#include "bench/run/run_lines.h"
#include "task/text_file.h"

namespace tritonsmith::bench {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kMostConfigBytes = int64_t{64} << 20;

int open_to_append(const fs::path& file, size_t whole) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0 || ::ftruncate(fd, static_cast<off_t>(whole)) != 0)
        throw MachineError("cannot write " + file.string() + ": " + std::strerror(errno));
    return fd;
}

/// One write for a line: processes that append to one file do not mix theirs.
void append(int fd, const Json& line) {
    const std::string text = dump(line) + "\n";
    for (size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw MachineError(std::string("cannot write the run: ") + std::strerror(errno));
        done += static_cast<size_t>(n);
    }
}

/// What the run keeps of an answer: its files are text, and must give what was judged when they are read
/// again.
Answer as_text(Answer answer) {
    if (task::bad_utf8_line(answer.code) == 0) return answer;
    answer.code.clear();
    answer.reason = "not_text";
    answer.message = "The program is not text: it has a byte that is no UTF-8, or a NUL.";
    return answer;
}

/// Writes the file, or finds the same text in it.
void keep_same(const fs::path& file, const std::string& text) {
    if (!fs::exists(file)) return write_file(file, text);
    if (read_file(file, "run", kMostConfigBytes) != text)
        throw InputError(file.string() + " is of another run; give another -o, or the same options again");
}

}  // namespace

RunFolder::RunFolder(const fs::path& folder, const std::string& config, const std::vector<Problem>& problems)
    : folder_(folder) {
    std::string lines;
    for (const Problem& one : problems) lines += dump(line_of(one)) + "\n";
    keep_same(folder / "bench.toml", config);
    keep_same(folder / "problems.jsonl", lines);
    // Two processes would judge the same answers. The lock ends with the descriptor.
    lock_ = Fd(::open((folder / "bench.toml").c_str(), O_RDONLY | O_CLOEXEC));
    if (!lock_ || ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
        throw InputError("another process works in " + folder.string() + ": wait for it, or give another -o");
    const fs::path answers = folder / "answers.jsonl", verdicts = folder / "verdicts.jsonl";
    answers_fd_ = open_to_append(answers, for_each_line(answers, [this](const Json& line) {
                                     Answer one = answer_of(line);
                                     one.text.clear();  // it is in the file
                                     answers_.insert_or_assign({one.problem, one.sample}, std::move(one));
                                 }));
    verdicts_fd_ =
        open_to_append(verdicts, for_each_line(verdicts, [this](const Json& line) {
                           if (line.at("verdict").value("status", "") != "machine_error")
                               judged_.emplace(line.at("problem"), line.at("sample"), line.at("protocol"));
                       }));
}

RunFolder::~RunFolder() {
    if (answers_fd_ >= 0) ::close(answers_fd_);
    if (verdicts_fd_ >= 0) ::close(verdicts_fd_);
}

void RunFolder::add(const Answer& given) {
    const Answer answer = as_text(given);
    std::lock_guard lock(mutex_);
    const auto [it, fresh] = answers_.emplace(std::pair(answer.problem, answer.sample), answer);
    if (fresh) {
        it->second.text.clear();
        return append(answers_fd_, line_of(answer));
    }
    if (it->second.code != answer.code)
        throw InputError(folder_.string() + " has another answer for sample " +
                         std::to_string(answer.sample) + " of " + answer.problem + "; give another -o");
}

bool RunFolder::judged(const VerdictKey& key) const {
    std::lock_guard lock(mutex_);
    return judged_.contains(key);
}

void RunFolder::add(const VerdictKey& key, const Json& verdict) {
    std::lock_guard lock(mutex_);
    append(verdicts_fd_, line_of(std::get<0>(key), std::get<1>(key), std::get<2>(key), verdict));
    if (verdict.value("status", "") != "machine_error") judged_.insert(key);
}

}  // namespace tritonsmith::bench
