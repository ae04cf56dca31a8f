#include "train/run_directory/event_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.h"
#include "train/run_directory/crc32c.h"

namespace tritonsmith::train {
namespace {

/// Fields of protocol buffers (https://protobuf.dev/programming-guides/encoding).
class ProtocolBuffer {
  public:
    ProtocolBuffer& whole(int field, uint64_t value) {
        varint(static_cast<uint64_t>(field) << 3);
        varint(value);
        return *this;
    }
    ProtocolBuffer& real64(int field, double value) { return fixed(field, 1, value); }
    ProtocolBuffer& real32(int field, float value) { return fixed(field, 5, value); }
    ProtocolBuffer& bytes(int field, const std::string& value) {
        varint(static_cast<uint64_t>(field) << 3 | 2);
        varint(value.size());
        text_ += value;
        return *this;
    }
    const std::string& text() const { return text_; }

  private:
    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7f) | 0x80);
        text_ += static_cast<char>(value);
    }
    template <class Value>
    ProtocolBuffer& fixed(int field, int kind, Value value) {
        varint(static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(kind));
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }

    std::string text_;
};

std::string four_bytes(uint32_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// As TensorFlow masks checksums that are stored beside what they are of.
std::string masked_crc(std::string_view bytes) {
    const uint32_t crc = crc32c(bytes);
    return four_bytes(((crc >> 15) | (crc << 17)) + 0xa282ead8U);
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string framed_record(const std::string& bytes) {
    const uint64_t size = bytes.size();
    const std::string length(reinterpret_cast<const char*>(&size), sizeof size);
    return length + masked_crc(length) + bytes + masked_crc(bytes);
}

EventFile::EventFile(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const double now = seconds_now();
    path_ = folder / fmt::format("events.out.tfevents.{:.6f}.{}", now, ::getpid());
    fd_ = Fd(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_EXCL | O_CLOEXEC, 0666));
    if (!fd_) throw MachineError(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
    append(ProtocolBuffer().real64(1, now).bytes(3, "brain.Event:2").text());
}

void EventFile::write(int64_t step, double seconds,
                      const std::vector<std::pair<std::string, double>>& scalars) {
    ProtocolBuffer summary;
    for (const auto& [name, value] : scalars)
        summary.bytes(1, ProtocolBuffer().bytes(1, name).real32(2, static_cast<float>(value)).text());
    append(ProtocolBuffer()
               .real64(1, seconds)
               .whole(2, static_cast<uint64_t>(step))
               .bytes(5, summary.text())
               .text());
}

void EventFile::append(const std::string& event) {
    const std::string record = framed_record(event);
    const ssize_t written = ::write(fd_.get(), record.data(), record.size());
    if (written != static_cast<ssize_t>(record.size()))
        throw MachineError(fmt::format("cannot write {}: {}", path_.string(),
                                       written < 0 ? std::strerror(errno) : "the disk is full"));
}

}  // namespace tritonsmith::train
