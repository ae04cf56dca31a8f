#include "run/worker/sample/buffers/page_cache.h"

#include <cstring>

namespace tritonsmith::run::sample {

namespace {

constexpr int64_t kMostBytes = int64_t{32} << 20;
constexpr int64_t kMostBytesTogether = int64_t{96} << 20;

}  // namespace

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
        if (bytes_ + count > kMostBytes || !pages_.try_emplace(key, out, out + count).second) return;
        bytes_ += count;
    };
}

PageCache& PageCaches::of(const std::string& draw) {
    auto found = entries_.begin();
    while (found != entries_.end() && found->draw != draw) ++found;
    if (found != entries_.end())
        entries_.splice(entries_.begin(), entries_, found);
    else
        entries_.push_front({draw, std::make_unique<PageCache>()});
    int64_t bytes = 0;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        bytes += entry->cache->bytes();
        entry = bytes > kMostBytesTogether && entry != entries_.begin() ? entries_.erase(entry)
                                                                        : std::next(entry);
    }
    return *entries_.front().cache;
}

}  // namespace tritonsmith::run::sample
