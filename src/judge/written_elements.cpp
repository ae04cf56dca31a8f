#include "judge/written_elements.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "judge/tensor_position.h"
#include "plan/json.h"

namespace tritonsmith::judge {

namespace {

/// Row-major linear index, or -1 where the offset is not in the tensor.
int64_t linear_index(const plan::Tensor& tensor, int64_t storage_offset) {
    const auto position = position_in(tensor, storage_offset);
    if (!position) return -1;
    int64_t linear = 0;
    for (size_t d = 0; d < position->size(); d++) linear = linear * tensor.shape[d] + (*position)[d];
    return linear;
}

}  // namespace

std::vector<int64_t> written_elements(ttir::Buffer& buffer, const plan::Tensor& tensor, int most,
                                      std::mt19937_64& random) {
    std::vector<int64_t> sample;
    const uint8_t* shadow = buffer.written();
    const int64_t page = ::sysconf(_SC_PAGESIZE), size = plan::element_size(tensor.dtype);
    if (!shadow || buffer.bytes() == 0) return sample;
    std::vector<unsigned char> resident(static_cast<size_t>((buffer.bytes() + page - 1) / page), 1);
    // Where the question is refused every page is looked at.
    (void)::mincore(const_cast<uint8_t*>(shadow), static_cast<size_t>(buffer.bytes()), resident.data());
    int64_t seen = 0;
    for (size_t p = 0; p < resident.size(); p++) {
        if (!(resident[p] & 1)) continue;
        const int64_t begin = static_cast<int64_t>(p) * page, end = std::min(begin + page, buffer.bytes());
        for (int64_t at = (begin + size - 1) / size * size; at + size <= end; at += size) {
            if (!shadow[at]) continue;
            // Reservoir sampling: every written element is as likely.
            seen++;
            const int64_t place =
                seen <= most ? seen - 1 : std::uniform_int_distribution<int64_t>(0, seen - 1)(random);
            if (place >= most) continue;
            const int64_t linear = linear_index(tensor, at / size);
            if (linear < 0) continue;
            if (place < static_cast<int64_t>(sample.size()))
                sample[static_cast<size_t>(place)] = linear;
            else
                sample.push_back(linear);
        }
    }
    return sample;
}

}  // namespace tritonsmith::judge
