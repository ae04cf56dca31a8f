#include "lint/arena.h"

#include <sys/mman.h>
#include <tree_sitter/api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tritonsmith::lint {
namespace {

constexpr size_t kReserved = size_t{4} << 30;  // address space; memory is what has been touched
constexpr size_t kKept = size_t{8} << 20;      // of memory between two parses
constexpr size_t kAlignment = 16;

/// A block's size, in front of it.
struct alignas(kAlignment) Header {
    size_t bytes;
};

size_t rounded(size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

class Region {
  public:
    ~Region() {
        if (begin_) munmap(begin_, kReserved);
    }
    void enter() {
        if (depth_++ > 0) return;
        if (!begin_) reserve();
        overflowed_ = false;
    }
    void leave() {
        if (--depth_ > 0) return;
        if (used() > kKept) madvise(begin_ + kKept, used() - kKept, MADV_DONTNEED);
        next_ = begin_;
    }
    bool active() const { return depth_ > 0; }
    bool overflowed() const { return overflowed_; }
    bool owns(const void* block) const { return block >= begin_ && block < end_; }

    /// Null where the region is full.
    void* allocate(size_t bytes) {
        if (bytes > kReserved || static_cast<size_t>(end_ - next_) < sizeof(Header) + rounded(bytes)) {
            overflowed_ = true;
            return nullptr;
        }
        auto* header = new (next_) Header{rounded(bytes)};
        next_ += sizeof(Header) + header->bytes;
        return header + 1;
    }
    size_t size(const void* block) const { return (static_cast<const Header*>(block) - 1)->bytes; }
    /// The newest block grows in place.
    bool grow(void* block, size_t bytes) {
        auto* start = static_cast<char*>(block);
        if (start + size(block) != next_ || bytes > kReserved ||
            static_cast<size_t>(end_ - start) < rounded(bytes))
            return false;
        (static_cast<Header*>(block) - 1)->bytes = rounded(bytes);
        next_ = start + rounded(bytes);
        return true;
    }

  private:
    size_t used() const { return static_cast<size_t>(next_ - begin_); }
    void reserve() {
#ifdef __SANITIZE_ADDRESS__
        return;  // malloc's blocks are watched one by one
#endif
        void* space = mmap(nullptr, kReserved, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (space == MAP_FAILED) return;
        begin_ = next_ = static_cast<char*>(space);
        end_ = begin_ + kReserved;
    }

    char *begin_ = nullptr, *next_ = nullptr, *end_ = nullptr;
    int depth_ = 0;
    bool overflowed_ = false;
};

thread_local Region region;

/// tree-sitter expects that allocation never fails.
void* checked(void* block) {
    if (!block) std::abort();
    return block;
}

void* allocate(size_t bytes) {
    if (region.active())
        if (void* block = region.allocate(bytes)) return block;
    return checked(std::malloc(bytes == 0 ? 1 : bytes));
}

void* allocate_zeroed(size_t count, size_t size) {
    if (!region.active()) return checked(std::calloc(count == 0 ? 1 : count, size == 0 ? 1 : size));
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) std::abort();
    void* block = allocate(bytes);
    std::memset(block, 0, bytes);
    return block;
}

void release(void* block) {
    if (!region.owns(block)) std::free(block);
}

void* reallocate(void* block, size_t bytes) {
    if (!block) return allocate(bytes);
    if (!region.owns(block)) return checked(std::realloc(block, bytes == 0 ? 1 : bytes));
    size_t old = region.size(block);
    if (bytes <= old || region.grow(block, bytes)) return block;
    return std::memcpy(allocate(bytes), block, old);
}

[[maybe_unused]] const bool installed = [] {
    ts_set_allocator(allocate, allocate_zeroed, reallocate, release);
    return true;
}();

}  // namespace

ArenaScope::ArenaScope() {
    region.enter();
}
ArenaScope::~ArenaScope() {
    region.leave();
}
bool ArenaScope::holds_everything() {
    return region.active() && !region.overflowed();
}

}  // namespace tritonsmith::lint
