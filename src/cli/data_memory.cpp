#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they have their own

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

/// Small objects of tritonsmith-generate. `data synth` makes and forgets some thousand for each row, mostly
/// small vectors and strings: a list of free pieces for each size takes a fifth of its time off. Only the
/// thread that started the program takes from the lists; others use malloc, and what they free goes back by
/// `returned`.
namespace {

constexpr size_t kStep = 16, kLargest = 1024, kSizes = kLargest / kStep + 1;
constexpr size_t kRegion = size_t{1} << 35,
                 kChunk = size_t{1} << 16;  // addresses; memory comes when it is touched

struct Piece {
    Piece* next;
};
struct Lists {
    Piece* free[kSizes] = {};
    std::atomic<Piece*> returned[kSizes] = {};
    std::atomic<char*> region = nullptr;
    size_t used = 0;
    uint8_t size_of_chunk[kRegion / kChunk] = {};
};
constinit Lists lists;
constinit thread_local bool first_thread = false;

/// @return a piece, the first of those that are now free; null where there is no memory
void* more(size_t size) {
    char* region = lists.region.load(std::memory_order_relaxed);
    if (Piece* back = lists.returned[size].exchange(nullptr, std::memory_order_acquire)) {
        lists.free[size] = back->next;
        return back;
    }
    if (!region || lists.used + kChunk > kRegion) return nullptr;
    char* chunk = region + lists.used;
    lists.size_of_chunk[lists.used / kChunk] = static_cast<uint8_t>(size);
    lists.used += kChunk;
    Piece* next = nullptr;
    for (size_t i = kChunk / (size * kStep); i-- > 1;) {
        auto* piece = reinterpret_cast<Piece*>(chunk + i * size * kStep);
        piece->next = next;
        next = piece;
    }
    lists.free[size] = next;
    return chunk;
}

[[gnu::constructor]] void reserve() {
    void* region =
        ::mmap(nullptr, kRegion, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED) return;  // malloc does it all
    lists.region = static_cast<char*>(region);
    first_thread = true;
}

}  // namespace

void* operator new(size_t bytes) {
    const size_t size = bytes == 0 ? 1 : (bytes + kStep - 1) / kStep;
    if (first_thread && size < kSizes) {
        if (Piece* piece = lists.free[size]) {
            lists.free[size] = piece->next;
            return piece;
        }
        if (void* piece = more(size)) return piece;
    }
    if (void* out = std::malloc(bytes == 0 ? 1 : bytes)) return out;
    throw std::bad_alloc();
}

void operator delete(void* pointer) noexcept {
    char* region = lists.region.load(std::memory_order_relaxed);
    const auto offset = static_cast<size_t>(static_cast<char*>(pointer) - region);
    if (!region || offset >= kRegion) return std::free(pointer);
    const size_t size = lists.size_of_chunk[offset / kChunk];
    auto* piece = static_cast<Piece*>(pointer);
    if (first_thread) {
        piece->next = lists.free[size];
        lists.free[size] = piece;
        return;
    }
    piece->next = lists.returned[size].load(std::memory_order_relaxed);
    while (!lists.returned[size].compare_exchange_weak(piece->next, piece, std::memory_order_release)) {
    }
}

void operator delete(void* pointer, size_t) noexcept {
    operator delete(pointer);
}

#endif
