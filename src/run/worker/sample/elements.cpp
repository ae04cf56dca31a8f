#include "run/worker/sample/elements.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "plan/ir/json.h"
#include "plan/ir/tensor_position.h"

namespace tritonsmith::run::sample {

std::vector<int64_t> elements_within(const ttir::ByteRanges& bytes, const plan::Tensor& tensor, int most,
                                     std::mt19937_64& random) {
    const int64_t size = plan::element_size(tensor.dtype);
    std::vector<int64_t> before;  // elements in the ranges up to each
    std::vector<int64_t> first;
    int64_t total = 0;
    for (const ttir::ByteRange& r : bytes.ranges()) {
        const int64_t begin = (r.begin + size - 1) / size, end = r.end / size;
        if (end <= begin) continue;
        before.push_back(total);
        first.push_back(begin);
        total += end - begin;
    }
    std::set<int64_t> chosen;
    std::vector<int64_t> out;
    const auto take = [&](int64_t place) {
        const size_t range =
            static_cast<size_t>(std::upper_bound(before.begin(), before.end(), place) - before.begin()) - 1;
        const auto linear = plan::linear_index(tensor, first[range] + place - before[range]);
        if (linear && chosen.insert(*linear).second) out.push_back(*linear);
    };
    for (size_t r = 0; r < before.size() && static_cast<int>(r) < most / 4; r++) {
        take(before[r]);
        take((r + 1 < before.size() ? before[r + 1] : total) - 1);
    }
    for (int tries = 0; tries < 4 * most && total > 0 && static_cast<int>(out.size()) < most; tries++)
        take(std::uniform_int_distribution<int64_t>(0, total - 1)(random));
    std::shuffle(out.begin(), out.end(), random);
    return out;
}

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
            const auto linear = plan::linear_index(tensor, at / size);
            if (!linear) continue;
            if (place < static_cast<int64_t>(sample.size()))
                sample[static_cast<size_t>(place)] = *linear;
            else
                sample.push_back(*linear);
        }
    }
    return sample;
}

int64_t tile_of(size_t launch, int64_t program) {
    return static_cast<int64_t>(launch) << 40 | program;
}

}  // namespace tritonsmith::run::sample
