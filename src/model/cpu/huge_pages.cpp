#include "model/cpu/huge_pages.h"

#include <ATen/Functions.h>
#include <c10/core/ScalarType.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>

#include "base/error.h"

namespace tritonsmith::model {
namespace {

constexpr size_t page = size_t{2} << 20, line = 64;
constexpr size_t chunk_bytes = 16 * page;  ///< of address space; untouched pages take no memory

size_t rounded(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}

/// A mapping that begins on a huge page and is allocated from front to back.
class Chunk {
  public:
    explicit Chunk(size_t bytes) : bytes_(bytes) {
        const size_t whole = bytes + page;
        void* start = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED)
            throw MachineError(
                fmt::format("no memory for {} MiB of weights: {}; use a smaller model, or int8", whole >> 20,
                            std::generic_category().message(errno)));
        auto* first = static_cast<char*>(start);
        const size_t skipped =
            rounded(reinterpret_cast<uintptr_t>(first), page) - reinterpret_cast<uintptr_t>(first);
        start_ = first + skipped;
        if (skipped > 0) ::munmap(first, skipped);
        ::munmap(start_ + bytes, page - skipped);
        ::madvise(start_, bytes, MADV_HUGEPAGE);  // otherwise small pages are used
    }
    ~Chunk() { ::munmap(start_, bytes_); }
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;

    /// @return null if not enough is left
    void* take(size_t bytes) {
        if (bytes > bytes_ - used_) return nullptr;
        void* piece = start_ + used_;
        used_ += bytes;
        return piece;
    }

  private:
    char* start_ = nullptr;
    size_t bytes_ = 0, used_ = 0;
};

struct Piece {
    std::shared_ptr<Chunk> chunk;
    void* start;
};

Piece take(size_t bytes) {
    static std::mutex mutex;
    static std::weak_ptr<Chunk> shared;
    if (bytes > chunk_bytes / 4) {
        auto own = std::make_shared<Chunk>(rounded(bytes, page));
        void* start = own->take(bytes);
        return {std::move(own), start};
    }
    const std::lock_guard lock(mutex);
    std::shared_ptr<Chunk> chunk = shared.lock();
    void* start = chunk != nullptr ? chunk->take(bytes) : nullptr;
    if (start == nullptr) {
        chunk = std::make_shared<Chunk>(chunk_bytes);
        shared = chunk;
        start = chunk->take(bytes);
    }
    return {std::move(chunk), start};
}

}  // namespace

at::Tensor empty_in_huge_pages(at::IntArrayRef sizes, at::ScalarType dtype) {
    size_t elements = 1;
    for (const int64_t size : sizes) elements *= static_cast<size_t>(size);
    Piece piece = take(std::max(rounded(elements * c10::elementSize(dtype), line), line));
    return at::from_blob(
        piece.start, sizes, [chunk = std::move(piece.chunk)](void*) {}, at::TensorOptions(dtype));
}

}  // namespace tritonsmith::model
