#include "judge/page_cache.h"

#include <cstring>

namespace tritonsmith::judge {

namespace {
constexpr int64_t kMostCachedBytes = int64_t{64} << 20;
}

ttir::PageSource PageCache::cached(int buffer, ttir::PageSource source) {
    return [this, buffer, source = std::move(source)](int64_t offset, std::byte* out, int64_t count) {
        const uint64_t key = static_cast<uint64_t>(buffer) << 44 | static_cast<uint64_t>(offset);
        {
            std::lock_guard lock(mutex_);
            const auto known = pages_.find(key);
            if (known != pages_.end() && static_cast<int64_t>(known->second.size()) == count) {
                std::memcpy(out, known->second.data(), known->second.size());
                return;
            }
        }
        source(offset, out, count);
        std::lock_guard lock(mutex_);
        if (bytes_ + count > kMostCachedBytes || !pages_.try_emplace(key, out, out + count).second) return;
        bytes_ += count;
    };
}

}  // namespace tritonsmith::judge
