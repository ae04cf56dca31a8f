#pragma once

#include <cstddef>
#include <cstdint>

namespace tritonsmith {

/// Zeroed pages for large buffers that come and go: mappings of up to 16 MiB are kept after use and given out
/// again, because clearing memory that is there is several times cheaper than faulting in new pages (measured: a
/// third of a judgement's time). Larger ones cost memory only where touched and return to the system at once.
/// Thread-safe. `bytes` > 0 is rounded up to whole pages. @return nullptr when address space runs out.
std::byte* map_zeroed(int64_t bytes);
/// @param bytes as given to map_zeroed; `memory` may be nullptr.
void unmap(std::byte* memory, int64_t bytes);

}  // namespace tritonsmith
