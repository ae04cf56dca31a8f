#pragma once

#include <cstddef>
#include <cstdint>

namespace tritonsmith {

/// How a mapping is used: all of it, or a few pages here and there.
enum class Touch : uint8_t { dense, sparse };

/// Zeroed pages for large buffers that come and go. Dense mappings of up to 64 MiB are kept after use and
/// given out again, because clearing memory that is there is several times cheaper than faulting in new pages
/// (measured: a third of a judgement's time). Others return to the system at once, and sparse ones cost only
/// the pages touched: they may be larger than the machine. Thread-safe. `bytes` > 0 is rounded up to whole
/// pages.
/// @return nullptr when address space runs out.
std::byte* map_zeroed(int64_t bytes, Touch touch = Touch::dense);
/// @param bytes, touch as given to map_zeroed; `memory` may be nullptr.
void unmap(std::byte* memory, int64_t bytes, Touch touch = Touch::dense);

}  // namespace tritonsmith
