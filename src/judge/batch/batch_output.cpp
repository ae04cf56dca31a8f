#include "judge/batch/batch_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/json.h"
#include "base/process/files.h"
#include "judge/verdict/verdict.h"

namespace tritonsmith::judge {
namespace {

constexpr int64_t kMostVerdictBytes = int64_t{4} << 30;

/// The verdict of a line, which must be that of `row`. @throws InputError
Json kept_verdict(const std::string& line, const BatchRow* row, const std::string& where) {
    const std::string fix = "; give another -o, or remove that file";
    const std::optional<Json> verdict = parse_untrusted_json(line);
    if (!verdict || !verdict->is_object() || !verdict->contains("row"))
        throw InputError(where + ": not a verdict of a batch" + fix);
    if (!row) throw InputError(where + ": more verdicts than the batch has rows" + fix);
    if (verdict->at("row") != row->line || verdict->value("candidate_sha256", "") != row->sha())
        throw InputError(where + ": not the verdict of this batch's row" + fix);
    return *verdict;
}

}  // namespace

BatchOutput::BatchOutput(const std::string& file, const std::vector<BatchRow>& rows) {
    if (file == "-") {
        fd_ = ::dup(STDOUT_FILENO);
        return;
    }
    fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0) throw MachineError("cannot write " + file + ": " + std::strerror(errno));
    const std::string before = read_file(file, "output", kMostVerdictBytes);
    const std::string failed = name(Status::machine_error);
    size_t end = 0, keep = 0, index = 0;
    bool again = false;
    for (size_t next; (next = before.find('\n', end)) != std::string::npos; end = next + 1, ++index) {
        Json verdict =
            kept_verdict(before.substr(end, next - end), index < rows.size() ? &rows[index] : nullptr,
                         fmt::format("{}:{}", file, index + 1));
        const std::string status = verdict.value("status", "");
        again |= status == failed;
        if (!again) {
            statuses_.push_back(status);
            keep = next + 1;
        } else if (status != failed) {
            known_.emplace(index, std::move(verdict));
        }
    }
    // What a kill left of a line is dropped; what no batch wrote is not ours to drop.
    if (end < before.size() && !std::string("{\"").starts_with(before.substr(end, 2)))
        throw InputError(fmt::format("{}:{}: not a verdict of a batch; give another -o, or remove that file",
                                     file, index + 1));
    if (::ftruncate(fd_, static_cast<off_t>(keep)) != 0 || ::lseek(fd_, 0, SEEK_END) < 0)
        throw MachineError("cannot write " + file + ": " + std::strerror(errno));
}

BatchOutput::~BatchOutput() {
    if (fd_ >= 0) ::close(fd_);
}

void BatchOutput::write(const Json& verdict) {
    const std::string line = dump(verdict) + "\n";
    for (size_t done = 0; done < line.size();) {
        const ssize_t n = ::write(fd_, line.data() + done, line.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EPIPE) return;  // the reader went away
        if (n < 0) throw MachineError(std::string("cannot write verdicts: ") + std::strerror(errno));
        done += static_cast<size_t>(n);
    }
}

}  // namespace tritonsmith::judge
