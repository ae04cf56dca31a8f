#include "ttir/interp/memory/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>

#include "base/error.h"

namespace tritonsmith::ttir {
namespace {

/// A lazily made buffer is filled in pieces of this size: a strip of columns, which touches little of many
/// rows, must not draw all that lies beside it.
constexpr int64_t kLazyPage = 512;

std::byte* reserve(int64_t bytes, const std::string& name, Touch touch) {
    std::byte* memory = map_zeroed(bytes, touch);
    if (memory == nullptr)
        throw MachineError("no address space left for " + std::to_string(bytes) + " bytes (" + name + ")");
    return memory;
}

int64_t round_up(int64_t n, int64_t to) {
    return (n + to - 1) / to * to;
}

}  // namespace

/// State of each page: 0 absent, 1 present. Filling is guarded by a few locks, found by page number.
struct Buffer::Pages {
    explicit Pages(int64_t pages, const std::string& name)
        : count(pages),
          state(reinterpret_cast<uint8_t*>(reserve(std::max<int64_t>(pages, 1), name, Touch::dense))) {}
    ~Pages() { unmap(reinterpret_cast<std::byte*>(state), std::max<int64_t>(count, 1)); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    int64_t count;
    uint8_t* state;
    std::array<std::mutex, 16> locks;
};

Buffer::Buffer(int64_t bytes, uint64_t address, std::string name, Touch touch)
    : bytes_(bytes), address_(address), name_(std::move(name)), touch_(touch) {
    if (bytes < 0 || bytes > (int64_t{1} << 46))
        throw MachineError("a buffer of " + std::to_string(bytes) + " bytes (" + name_ + ") is not possible");
    mapped_ = round_up(std::max<int64_t>(bytes, 1), 4096);
    data_ = reserve(mapped_, name_, touch_);
    try {
        written_ = reinterpret_cast<uint8_t*>(reserve(mapped_, name_, touch_));
    } catch (...) {
        unmap(data_, mapped_, touch_);
        throw;
    }
}

Buffer::Buffer(std::byte* data, int64_t bytes, std::string name, bool unwritten)
    : data_(data),
      bytes_(bytes),
      mapped_(round_up(std::max<int64_t>(bytes, 1), 4096)),
      address_(reinterpret_cast<uint64_t>(data)),
      name_(std::move(name)),
      touch_(Touch::dense),
      all_written_(!unwritten),
      borrowed_(true) {
    if (unwritten) written_ = reinterpret_cast<uint8_t*>(reserve(mapped_, name_, touch_));
}

Buffer::~Buffer() {
    if (!borrowed_) unmap(data_, mapped_, touch_);
    unmap(reinterpret_cast<std::byte*>(written_), mapped_, touch_);
    unmap(reinterpret_cast<std::byte*>(races_), races_bytes_, touch_);
    unmap(reinterpret_cast<std::byte*>(lanes_), lanes_bytes_, touch_);
}

void Buffer::mark_written(int64_t offset, int64_t count) {
    offset = std::clamp<int64_t>(offset, 0, bytes_);
    count = std::clamp<int64_t>(count, 0, bytes_ - offset);
    std::memset(written_ + offset, 1, static_cast<size_t>(count));
}

void Buffer::forget_shadow_if_all_written() {
    if (!all_written_ && std::memchr(written_, 0, static_cast<size_t>(bytes_)) == nullptr)
        all_written_ = true;
}

void Buffer::set_source(PageSource source) {
    pages_ = std::make_unique<Pages>((bytes_ + kLazyPage - 1) / kLazyPage, name_);
    source_ = std::move(source);
    all_written_ = true;
}

void Buffer::ensure(int64_t offset, int64_t count) {
    if (!source_ || count <= 0) return;
    offset = std::clamp<int64_t>(offset, 0, bytes_);
    count = std::min(count, bytes_ - offset);
    if (count == 0) return;
    for (int64_t page = offset / kLazyPage; page <= (offset + count - 1) / kLazyPage; ++page) {
        std::atomic_ref<uint8_t> state(pages_->state[page]);
        if (state.load(std::memory_order_acquire) != 0) continue;
        std::lock_guard lock(pages_->locks[static_cast<size_t>(page) % pages_->locks.size()]);
        if (state.load(std::memory_order_relaxed) != 0) continue;
        const int64_t begin = page * kLazyPage;
        source_(begin, data_ + begin, std::min(kLazyPage, bytes_ - begin));
        state.store(1, std::memory_order_release);
    }
}

void Buffer::for_each_present(const std::function<void(int64_t offset, int64_t count)>& body) const {
    for (int64_t page = 0; pages_ && page < pages_->count; ++page)
        if (pages_->state[page] != 0) body(page * kLazyPage, std::min(kLazyPage, bytes_ - page * kLazyPage));
}

uint32_t* Buffer::race_shadow(int64_t words) {
    const int64_t bytes = round_up(std::max<int64_t>(words, 1) * 4, 4096);
    if (races_ != nullptr && races_bytes_ < bytes) {
        unmap(reinterpret_cast<std::byte*>(races_), races_bytes_, touch_);
        races_ = nullptr;
    }
    if (races_ == nullptr) {
        races_ = reinterpret_cast<uint32_t*>(reserve(bytes, name_, touch_));
        races_bytes_ = bytes;
        race_epoch_ = 0;
    }
    return races_;
}

uint64_t* Buffer::lane_shadow(int64_t words) {
    const int64_t bytes = round_up(std::max<int64_t>(words, 1) * 8, 4096);
    if (lanes_ != nullptr && lanes_bytes_ < bytes) {
        unmap(reinterpret_cast<std::byte*>(lanes_), lanes_bytes_, touch_);
        lanes_ = nullptr;
    }
    if (lanes_ == nullptr) {
        lanes_ = reinterpret_cast<uint64_t*>(reserve(bytes, name_, touch_));
        lanes_bytes_ = bytes;
    }
    return lanes_;
}

void Buffer::forget_races() {
    if (races_ != nullptr) madvise(races_, static_cast<size_t>(races_bytes_), MADV_DONTNEED);
    race_epoch_ = 0;
}

}  // namespace tritonsmith::ttir
