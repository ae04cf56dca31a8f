#include "generate/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/json.h"
#include "base/process/files.h"

namespace tritonsmith::generate {
namespace {

constexpr int64_t kMostBytes = int64_t{4} << 30;

Json to_json(const RecordHead& head) {
    return {{"tritonsmith", "generate 1"},
            {"task", head.task},
            {"task_sha256", head.task_sha256},
            {"prompt_sha256", head.prompt_sha256},
            {"model", head.model},
            {"sampling", head.sampling},
            {"judging", head.judging}};
}

std::string text_at(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

int number_at(const Json& object, const char* name) {
    const auto found = object.find(name);
    const bool fits =
        found != object.end() && found->is_number_integer() && *found >= 0 && *found < (1 << 24);
    return fits ? found->get<int>() : -1;
}

}  // namespace

Record::Record(const std::filesystem::path& file, const RecordHead& head) : name_(file.string()) {
    if (file.empty()) return;
    fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd_ < 0) throw MachineError("cannot write " + name_ + ": " + std::strerror(errno));
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd_);
        throw InputError(name_ + ": another run writes it: give another --record");
    }
    try {
        read(read_file(file, "record", kMostBytes), to_json(head));
        if (::ftruncate(fd_, static_cast<off_t>(whole_)) != 0)
            throw MachineError("cannot write " + name_ + ": " + std::strerror(errno));
        if (whole_ == 0) write(to_json(head));
    } catch (...) {
        ::close(fd_);
        throw;
    }
}

Record::~Record() {
    if (fd_ >= 0) ::close(fd_);
}

void Record::read(const std::string& text, const Json& head) {
    int number = 0;
    for (size_t next; (next = text.find('\n', whole_)) != std::string::npos; whole_ = next + 1) {
        ++number;
        const std::string where = fmt::format("{}:{}", name_, number);
        const std::optional<Json> line = parse_untrusted_json(text.substr(whole_, next - whole_));
        if (!line || !line->is_object())
            throw InputError(where + ": not a record of generate; give another --record");
        if (number == 1) {
            if (line->value("tritonsmith", Json()) != head["tritonsmith"])
                throw InputError(where + ": not a record of generate; give another --record");
            for (const auto& [field, value] : head.items())
                if (line->value(field, Json()) != value)
                    throw InputError(fmt::format(
                        "{}: it holds samples of another run (\"{}\" differs): give another --record or "
                        "-o, or remove that file",
                        where, field));
            continue;
        }
        const bool answers = line->contains("answer");
        const Json& entry = answers ? (*line)["answer"] : *line;
        const int round = number_at(entry, "round"), sample = number_at(entry, "sample");
        if (round < 1 || sample < 0) throw InputError(where + ": an entry without its round and sample");
        Attempt& attempt = kept_[{round, sample}];
        attempt.round = round;
        attempt.sample = sample;
        if (answers) {
            attempt.answer = {text_at(entry, "content"), text_at(entry, "reasoning"),
                              text_at(entry, "finish")};
            read_answer(attempt);
        } else if (line->contains("verdict") && (*line)["verdict"].is_object()) {
            attempt.verdict = (*line)["verdict"];
        }
    }
    if (whole_ < text.size() && !std::string("{\"").starts_with(text.substr(whole_, 2)))
        throw InputError(
            fmt::format("{}:{}: not a record of generate; give another --record", name_, number + 1));
}

void Record::add_answer(const Attempt& attempt) {
    write({{"answer",
            {{"round", attempt.round},
             {"sample", attempt.sample},
             {"content", attempt.answer.content},
             {"reasoning", attempt.answer.reasoning},
             {"finish", attempt.answer.finish}}}});
}

void Record::add_verdict(const Attempt& attempt) {
    write({{"round", attempt.round}, {"sample", attempt.sample}, {"verdict", attempt.verdict}});
}

void Record::write(const Json& line) {
    if (fd_ < 0) return;
    const std::string text = dump(line) + "\n";
    std::lock_guard lock(mutex_);
    for (size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(fd_, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw MachineError("cannot write " + name_ + ": " + std::strerror(errno));
        done += static_cast<size_t>(n);
    }
}

}  // namespace tritonsmith::generate
