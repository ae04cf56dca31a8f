#include "ttir/footprint/program_classes.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>

#include "ttir/footprint/program_outcomes.h"

namespace tritonsmith::ttir {

namespace {

constexpr size_t kMostClasses = 256;
constexpr size_t kOfEachClass = 2;

int64_t size_of(const ProgramBox& box) {
    return (box.to[0] - box.from[0]) * (box.to[1] - box.from[1]) * (box.to[2] - box.from[2]);
}

int64_t any_of(const ProgramBox& box, const std::array<int64_t, 3>& grid, std::mt19937_64& random) {
    std::array<int64_t, 3> p{};
    for (size_t d = 0; d < 3; d++)
        p[d] = std::uniform_int_distribution<int64_t>(box.from[d], box.to[d] - 1)(random);
    return p[0] + grid[0] * (p[1] + grid[1] * p[2]);
}

ProgramBox alone(int64_t program, const std::array<int64_t, 3>& grid) {
    const int64_t x = program % grid[0], y = program / grid[0] % grid[1], z = program / grid[0] / grid[1];
    return {{x, y, z}, {x + 1, y + 1, z + 1}};
}

struct ProgramClass {
    int64_t programs = 0;  ///< that were seen to belong to it
    std::set<int64_t> members;
};

}  // namespace

std::vector<int64_t> programs_of_classes(const Module& module, const std::array<int64_t, 3>& grid,
                                         const std::vector<Argument>& arguments, const KnownMemory& memory,
                                         size_t most, int64_t work, std::mt19937_64& random) {
    if (std::any_of(grid.begin(), grid.end(), [](int64_t n) { return n <= 0; })) return {};
    ProgramOutcomes outcomes(module, grid, arguments, memory);
    if (!outcomes.any()) return {};
    std::map<std::string, ProgramClass> classes;
    const auto look = [&](const ProgramBox& box) {
        work -= static_cast<int64_t>(outcomes.nodes()) + 8;
        ProgramOutcomes::Outcomes found = outcomes.of(box);
        if (!found.one) return false;
        const auto place = classes.find(found.each);
        if (place == classes.end() && classes.size() >= kMostClasses) return true;
        ProgramClass& one = place != classes.end() ? place->second : classes[found.each];
        one.programs += size_of(box);
        while (one.members.size() < kOfEachClass && static_cast<int64_t>(one.members.size()) < one.programs) {
            if (!one.members.insert(any_of(box, grid, random)).second) break;
        }
        return true;
    };
    // Large boxes first, and of each that is not one class a single program, so that classes are seen even
    // where ranges tell nothing.
    std::deque<ProgramBox> boxes{{{0, 0, 0}, grid}};
    while (!boxes.empty() && work > 0) {
        const ProgramBox box = boxes.front();
        boxes.pop_front();
        if (look(box)) continue;
        (void)look(alone(any_of(box, grid, random), grid));
        size_t widest = 0;
        for (size_t d = 1; d < 3; d++)
            if (box.to[d] - box.from[d] > box.to[widest] - box.from[widest]) widest = d;
        const int64_t middle = (box.from[widest] + box.to[widest]) / 2;
        ProgramBox lower = box, upper = box;
        lower.to[widest] = upper.from[widest] = middle;
        boxes.push_back(lower);
        boxes.push_back(upper);
    }
    if (classes.size() < 2) return {};
    std::vector<const ProgramClass*> rarest;
    for (const auto& [each, one] : classes) rarest.push_back(&one);
    std::sort(rarest.begin(), rarest.end(),
              [](const ProgramClass* a, const ProgramClass* b) { return a->programs < b->programs; });
    std::vector<int64_t> out;
    for (size_t round = 0; round < kOfEachClass; round++)
        for (const ProgramClass* one : rarest)
            if (out.size() < most && round < one->members.size())
                out.push_back(*std::next(one->members.begin(), static_cast<std::ptrdiff_t>(round)));
    return out;
}

}  // namespace tritonsmith::ttir
