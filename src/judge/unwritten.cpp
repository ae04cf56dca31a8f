#include "judge/unwritten.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/flow.h"
#include "plan/json.h"

namespace tritonsmith::judge {

namespace {

/// Elements that are looked at wherever they lie, and what that may cost (Footprint::writers).
constexpr int kOthers = 32;
constexpr int64_t kWork = 20'000;

}  // namespace

std::optional<Finding> find_unwritten(const SampledOutput& output, ttir::Buffer& buffer,
                                      std::vector<int64_t> elements,
                                      const std::vector<WritingLaunch>& launches, std::mt19937_64& random) {
    if (buffer.all_written() || buffer.written() == nullptr) return std::nullopt;
    const int64_t count = plan::element_count(output.got);
    for (int i = 0; i < kOthers; i++)
        elements.push_back(std::uniform_int_distribution<int64_t>(0, count - 1)(random));
    const int64_t size = plan::element_size(output.got.dtype);
    int64_t work = kWork;
    for (int64_t element : elements) {
        const int64_t at = storage_offset(output.got, element) * size;
        if (at < 0 || at + size > buffer.bytes()) continue;
        if (std::any_of(buffer.written() + at, buffer.written() + at + size,
                        [](uint8_t w) { return w != 0; }))
            continue;
        ttir::BufferBytes bytes;
        bytes[&buffer].add(at, at + size);
        const bool never = std::all_of(launches.begin(), launches.end(), [&](const WritingLaunch& launch) {
            const auto may = launch.footprint->writers(bytes, launch.ran.size(), work);
            return may && std::includes(launch.ran.begin(), launch.ran.end(), may->begin(), may->end());
        });
        if (!never) continue;
        const std::vector<int64_t> position = position_of(output.got, element);
        return Finding{"uninitialised_output",
                       fmt::format("at full size {}[{}] is written by no program", output.name,
                                   fmt::join(position, ", ")),
                       0,
                       {{"output", output.name}, {"index", position}}};
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
