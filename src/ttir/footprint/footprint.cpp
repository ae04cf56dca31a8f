#include "ttir/footprint/footprint.h"

#include <algorithm>
#include <utility>

#include "ttir/footprint/footprint_evaluation.h"

namespace tritonsmith::ttir {

bool meet(const BufferBytes& a, const BufferBytes& b) {
    return std::any_of(a.begin(), a.end(), [&](const auto& of) {
        const auto other = b.find(of.first);
        return other != b.end() && of.second.meets(other->second);
    });
}

struct Footprint::Impl {
    using Bytes = Footprint::Bytes;

    std::array<int64_t, 3> grid;
    FootprintSlice slice;
    FootprintEvaluation evaluation;

    Impl(const Module& module, const std::array<int64_t, 3>& g, const std::vector<Argument>& arguments,
         const std::set<const Buffer*>& buffers)
        : grid(g), slice(module, parameters_into(arguments, buffers)), evaluation(slice, grid, arguments) {}

    static uint64_t parameters_into(const std::vector<Argument>& arguments,
                                    const std::set<const Buffer*>& buffers) {
        uint64_t mask = 0;
        for (size_t i = 0; i < std::min<size_t>(arguments.size(), 64); i++)
            if (buffers.contains(argument_buffer(arguments[i]))) mask |= uint64_t{1} << i;
        return mask;
    }

    static size_t widest(const ProgramBox& box) {
        size_t widest = 0;
        for (size_t d = 1; d < 3; d++)
            if (box.to[d] - box.from[d] > box.to[widest] - box.from[widest]) widest = d;
        return widest;
    }
    /// It has more than one program.
    static bool divisible(const ProgramBox& box) { return box.to[widest(box)] - box.from[widest(box)] > 1; }
    static std::pair<ProgramBox, ProgramBox> divided(const ProgramBox& box) {
        const size_t d = widest(box);
        ProgramBox lower = box, upper = box;
        lower.to[d] = upper.from[d] = (box.from[d] + box.to[d]) / 2;
        return {lower, upper};
    }

    /// Programs of the box whose `access` meets what is wanted. False: there are more, or not enough work.
    bool find(const ProgramBox& box, BufferBytes Bytes::*access, const BufferBytes& wanted, size_t most,
              int64_t& work, std::vector<int64_t>& found) {
        const int64_t before = evaluation.spent();
        const Bytes bytes = evaluation.run(box);
        work -= 4 + evaluation.spent() - before;
        if (work < 0) return false;
        if (!meet(bytes.*access, wanted)) return true;
        if (!divisible(box)) {
            if (found.size() >= most) return false;
            found.push_back(box.from[0] + grid[0] * (box.from[1] + grid[1] * box.from[2]));
            return true;
        }
        const auto [lower, upper] = divided(box);
        return find(lower, access, wanted, most, work, found) &&
               find(upper, access, wanted, most, work, found);
    }
};

Footprint::Footprint(const Module& module, const std::array<int64_t, 3>& grid,
                     const std::vector<Argument>& arguments, const std::set<const Buffer*>& buffers)
    : impl_(std::make_unique<Impl>(module, grid, arguments, buffers)) {}

Footprint::~Footprint() = default;

bool Footprint::followed() const {
    return impl_->slice.followed() && impl_->evaluation.followed();
}

Footprint::Bytes Footprint::of(int64_t program) {
    const int64_t x = program % impl_->grid[0], y = program / impl_->grid[0] % impl_->grid[1],
                  z = program / impl_->grid[0] / impl_->grid[1];
    return impl_->evaluation.run({{x, y, z}, {x + 1, y + 1, z + 1}});
}

BufferBytes Footprint::written_by_all(int64_t work) {
    constexpr size_t most_boxes = 256;
    if (std::any_of(impl_->grid.begin(), impl_->grid.end(), [](int64_t n) { return n <= 0; })) return {};
    std::vector<ProgramBox> boxes{{{0, 0, 0}, impl_->grid}};
    const int64_t before = impl_->evaluation.spent();
    BufferBytes all = impl_->evaluation.run(boxes.front()).written;
    const int64_t each = 4 + impl_->evaluation.spent() - before;
    while (2 * boxes.size() <= most_boxes && 2 * static_cast<int64_t>(boxes.size()) * each <= work) {
        std::vector<ProgramBox> halves;
        for (const ProgramBox& box : boxes) {
            if (!Impl::divisible(box)) {
                halves.push_back(box);
                continue;
            }
            const auto [lower, upper] = Impl::divided(box);
            halves.push_back(lower);
            halves.push_back(upper);
        }
        if (halves.size() == boxes.size()) break;
        boxes = std::move(halves);
    }
    if (boxes.size() == 1) return all;
    all.clear();
    for (const ProgramBox& box : boxes)
        for (const auto& [buffer, ranges] : impl_->evaluation.run(box).written) all[buffer].add(ranges);
    return all;
}

std::optional<std::vector<int64_t>> Footprint::writers(const BufferBytes& bytes, size_t most, int64_t& work) {
    std::vector<int64_t> found;
    const ProgramBox all{{0, 0, 0}, impl_->grid};
    if (std::any_of(impl_->grid.begin(), impl_->grid.end(), [](int64_t n) { return n <= 0; })) return found;
    if (!impl_->find(all, &Bytes::written, bytes, most, work, found)) return std::nullopt;
    std::sort(found.begin(), found.end());
    return found;
}

std::optional<bool> Footprint::reads(const BufferBytes& bytes, int64_t& work) {
    std::vector<int64_t> found;
    const ProgramBox all{{0, 0, 0}, impl_->grid};
    if (std::any_of(impl_->grid.begin(), impl_->grid.end(), [](int64_t n) { return n <= 0; })) return false;
    const bool none_left = impl_->find(all, &Bytes::read, bytes, 1, work, found);
    if (!found.empty()) return true;
    return none_left ? std::optional(false) : std::nullopt;
}

}  // namespace tritonsmith::ttir
