#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "plan/ir/json.h"
#include "run/client/client.h"
#include "run/client/pack_writer.h"

namespace tritonsmith::run {
namespace {

constexpr int64_t kAlignment = 64;

PackEntry entry_from(const Json& json, int64_t size) {
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string() || !json.contains("dtype") ||
        !json["dtype"].is_string() || !json.contains("shape") || !json["shape"].is_array() ||
        !json.contains("offset") || !json["offset"].is_number_integer())
        throw InputError("a pack's entry needs name, dtype, shape and offset");
    PackEntry entry;
    entry.name = json["name"].get<std::string>();
    auto dtype = plan::dtype_from_name(json["dtype"].get<std::string>());
    if (!dtype) throw InputError("pack entry '" + entry.name + "': unknown dtype");
    entry.dtype = *dtype;
    for (const Json& dimension : json["shape"]) {
        if (!dimension.is_number_integer())
            throw InputError("pack entry '" + entry.name + "': shape is not of integers");
        entry.shape.push_back(dimension.get<int64_t>());
    }
    entry.offset = json["offset"].get<int64_t>();
    int64_t bytes = contiguous_bytes(entry.dtype, entry.shape);
    if (entry.offset < 0 || entry.offset % kAlignment != 0 || bytes > size || entry.offset > size - bytes)
        throw InputError("pack entry '" + entry.name + "' lies outside its memory file");
    return entry;
}

}  // namespace

int64_t contiguous_bytes(plan::DType dtype, const std::vector<int64_t>& shape) {
    int64_t bytes = plan::element_size(dtype);
    for (int64_t dimension : shape)
        if (dimension < 0 || __builtin_mul_overflow(bytes, dimension, &bytes))
            throw InputError("a pack's tensor has an impossible shape");
    return bytes;
}

Json index_of(const std::vector<PackEntry>& entries) {
    Json index = Json::array();
    for (const PackEntry& entry : entries)
        index.push_back({{"name", entry.name},
                         {"dtype", plan::dtype_name(entry.dtype)},
                         {"shape", entry.shape},
                         {"offset", entry.offset}});
    return index;
}

std::vector<PackEntry> entries_from(const Json& index, int64_t size) {
    if (!index.is_array()) throw InputError("a pack's index is a list");
    std::vector<PackEntry> out;
    for (const Json& json : index) out.push_back(entry_from(json, size));
    return out;
}

Pack::Pack(int fd, const Json& index) : fd_(fd) {
    Fd owner(fd);  // until nothing can throw any more
    struct stat status;
    if (::fstat(fd, &status) != 0) throw InputError("a pack's descriptor is not a file");
    // A file that may still shrink would make reads fault.
    int seals = ::fcntl(fd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_SHRINK)) throw InputError("a pack's memory file is not sealed");
    size_ = status.st_size;
    entries_ = entries_from(index, size_);
    if (size_ > 0) {
        void* map = ::mmap(nullptr, static_cast<size_t>(size_), PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
        if (map == MAP_FAILED) throw MachineError("cannot map a pack of " + std::to_string(size_) + " bytes");
        map_ = static_cast<std::byte*>(map);
    }
    owner.release();
}

Pack::Pack(Pack&& other) noexcept
    : entries_(std::move(other.entries_)),
      fd_(std::exchange(other.fd_, -1)),
      map_(std::exchange(other.map_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

Pack& Pack::operator=(Pack&& other) noexcept {
    std::swap(entries_, other.entries_);
    std::swap(fd_, other.fd_);
    std::swap(map_, other.map_);
    std::swap(size_, other.size_);
    return *this;
}

Pack::~Pack() {
    if (map_) ::munmap(map_, static_cast<size_t>(size_));
    if (fd_ >= 0) ::close(fd_);
}

const PackEntry* Pack::find(const std::string& name) const {
    for (const PackEntry& entry : entries_)
        if (entry.name == name) return &entry;
    return nullptr;
}

const std::byte* Pack::bytes(const PackEntry& entry) const {
    return map_ + entry.offset;
}

Json Pack::index() const {
    return index_of(entries_);
}

int64_t Pack::element_count(const PackEntry& entry) {
    return contiguous_bytes(entry.dtype, entry.shape) / plan::element_size(entry.dtype);
}

size_t PackLayout::add(std::string name, plan::DType dtype, std::vector<int64_t> shape) {
    int64_t bytes = contiguous_bytes(dtype, shape);
    entries_.push_back({std::move(name), dtype, std::move(shape), bytes_});
    if (__builtin_add_overflow(bytes_, bytes, &bytes_) || bytes_ > INT64_MAX - kAlignment)
        throw InputError("a pack is too large");
    bytes_ = (bytes_ + kAlignment - 1) / kAlignment * kAlignment;
    return entries_.size() - 1;
}

PackWriter::~PackWriter() {
    if (map_) ::munmap(map_, static_cast<size_t>(layout_.bytes()));
}

void PackWriter::map() {
    const int64_t bytes = layout_.bytes();
    file_ = memory_file("tritonsmith-pack", bytes);
    if (bytes == 0) return;
    void* map =
        ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (map == MAP_FAILED) throw MachineError("cannot map a pack of " + std::to_string(bytes) + " bytes");
    map_ = static_cast<std::byte*>(map);
    // A child that another thread forks would hold the mapping until it becomes another program.
    ::madvise(map, static_cast<size_t>(bytes), MADV_DONTFORK);
}

Fd PackWriter::seal() {
    if (map_) ::munmap(map_, static_cast<size_t>(layout_.bytes()));
    map_ = nullptr;
    // One that was forked between the two calls above does so for a moment.
    for (int attempt = 0; ::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_WRITE) != 0; ++attempt) {
        if (errno != EBUSY || attempt == 1000)
            throw MachineError(std::string("cannot seal a pack: ") + std::strerror(errno));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return std::move(file_);
}

Json PackWriter::index() const {
    return index_of(layout_.entries());
}

}  // namespace tritonsmith::run
