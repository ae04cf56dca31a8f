#include "ttir/footprint/footprint.h"

#include <algorithm>

#include "ttir/footprint/footprint_evaluation.h"

namespace tritonsmith::ttir {

bool meet(const BufferBytes& a, const BufferBytes& b) {
    return std::any_of(a.begin(), a.end(), [&](const auto& of) {
        const auto other = b.find(of.first);
        return other != b.end() && of.second.meets(other->second);
    });
}

struct Footprint::Impl {
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

    bool find(const ProgramBox& box, const BufferBytes& wanted, size_t most, int64_t& work,
              std::vector<int64_t>& found) {
        const int64_t before = evaluation.spent();
        const Footprint::Bytes bytes = evaluation.run(box);
        work -= 4 + evaluation.spent() - before;
        if (work < 0) return false;
        if (!meet(bytes.written, wanted)) return true;
        size_t widest = 0;
        for (size_t d = 1; d < 3; d++)
            if (box.to[d] - box.from[d] > box.to[widest] - box.from[widest]) widest = d;
        if (box.to[widest] - box.from[widest] == 1) {
            if (found.size() >= most) return false;
            found.push_back(box.from[0] + grid[0] * (box.from[1] + grid[1] * box.from[2]));
            return true;
        }
        const int64_t middle = (box.from[widest] + box.to[widest]) / 2;
        ProgramBox lower = box, upper = box;
        lower.to[widest] = upper.from[widest] = middle;
        return find(lower, wanted, most, work, found) && find(upper, wanted, most, work, found);
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

Footprint::Bytes Footprint::of_all() {
    if (std::any_of(impl_->grid.begin(), impl_->grid.end(), [](int64_t n) { return n <= 0; })) return {};
    return impl_->evaluation.run({{0, 0, 0}, impl_->grid});
}

std::optional<std::vector<int64_t>> Footprint::writers(const BufferBytes& bytes, size_t most, int64_t& work) {
    std::vector<int64_t> found;
    const ProgramBox all{{0, 0, 0}, impl_->grid};
    if (std::any_of(impl_->grid.begin(), impl_->grid.end(), [](int64_t n) { return n <= 0; })) return found;
    if (!impl_->find(all, bytes, most, work, found)) return std::nullopt;
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace tritonsmith::ttir
