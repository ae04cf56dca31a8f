#include "base/process/mapped_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <map>
#include <mutex>

namespace tritonsmith {
namespace {

constexpr int64_t kPage = 4096;
constexpr int64_t kHuge = int64_t{2} << 20;  ///< from here on, huge pages are worth asking for
constexpr int64_t kLargestKept = int64_t{64} << 20;
constexpr int64_t kMostKept = int64_t{384} << 20;  ///< in all

int64_t whole_pages(int64_t bytes) {
    return (bytes + kPage - 1) / kPage * kPage;
}

struct Kept {
    std::mutex mutex;
    std::multimap<int64_t, std::byte*> by_size;
    int64_t bytes = 0;
};

Kept& kept() {
    static Kept* all = new Kept;  // never destroyed: buffers may die in static destructors
    return *all;
}

}  // namespace

std::byte* map_zeroed(int64_t bytes, Touch touch) {
    bytes = whole_pages(bytes);
    if (touch == Touch::dense && bytes <= kLargestKept) {
        std::unique_lock lock(kept().mutex);
        if (auto found = kept().by_size.find(bytes); found != kept().by_size.end()) {
            std::byte* memory = found->second;
            kept().by_size.erase(found);
            kept().bytes -= bytes;
            lock.unlock();
            std::memset(memory, 0, static_cast<size_t>(bytes));
            return memory;
        }
    }
    void* memory = ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    if (touch == Touch::dense && bytes >= kHuge) ::madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
    return static_cast<std::byte*>(memory);
}

void unmap(std::byte* memory, int64_t bytes, Touch touch) {
    if (memory == nullptr) return;
    bytes = whole_pages(bytes);
    if (touch == Touch::dense && bytes <= kLargestKept) {
        std::lock_guard lock(kept().mutex);
        if (kept().bytes + bytes <= kMostKept) {
            kept().by_size.emplace(bytes, memory);
            kept().bytes += bytes;
            return;
        }
    }
    ::munmap(memory, static_cast<size_t>(bytes));
}

}  // namespace tritonsmith
