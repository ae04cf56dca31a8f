#include "train/data/line_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/process/process.h"
#include "base/zstd.h"

namespace tritonsmith::train {
namespace {

constexpr size_t longest_line = size_t{64} << 20;

}  // namespace

struct LineReader::Input {
    Fd fd;
    std::optional<ZstdStream> stream;  ///< of a compressed file
    std::string piece = std::string(size_t{1} << 20, '\0');
};

LineReader::LineReader(std::filesystem::path path) : path_(std::move(path)), input_(new Input) {
    input_->fd = Fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!input_->fd)
        throw InputError(fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno)));
    if (path_.extension() == ".zst") input_->stream.emplace(path_.string());
}

LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::read_more() {
    for (;;) {
        const ssize_t read = ::read(input_->fd.get(), input_->piece.data(), input_->piece.size());
        if (read < 0 && errno == EINTR) continue;
        if (read < 0)
            throw InputError(fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno)));
        if (read == 0) {
            if (input_->stream) input_->stream->finish();
            return false;
        }
        const std::string_view bytes(input_->piece.data(), static_cast<size_t>(read));
        if (input_->stream)
            input_->stream->feed(bytes, held_);
        else
            held_ += bytes;
        return true;
    }
}

std::optional<std::string> LineReader::next() {
    size_t searched = begin_;
    for (;;) {
        const size_t end = held_.find('\n', searched);
        if (end != std::string::npos) {
            std::string line = held_.substr(begin_, end - begin_);
            begin_ = end + 1;
            ++line_;
            return line;
        }
        if (held_.size() - begin_ > longest_line)
            throw InputError(fmt::format("{}:{}: the line is longer than 64 MiB", path_.string(), line_ + 1));
        held_.erase(0, begin_);
        begin_ = 0;
        searched = held_.size();
        if (read_more()) continue;
        if (held_.empty()) return std::nullopt;
        std::string line = std::move(held_);  // the last one, without an end
        held_.clear();
        ++line_;
        return line;
    }
}

}  // namespace tritonsmith::train
