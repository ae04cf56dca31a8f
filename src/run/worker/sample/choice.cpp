#include "run/worker/sample/choice.h"

#include <algorithm>
#include <set>

namespace tritonsmith::run::sample {
namespace {

using Random = std::mt19937_64;

int64_t below(int64_t n, Random& random) {
    return std::uniform_int_distribution<int64_t>(0, n - 1)(random);
}

/// Tiles along a dimension of which the last is partial, and which divide an axis of the grid evenly: the
/// axis may be a flattened grid with so many tiles in a row or column.
std::set<int64_t> tile_counts(int64_t axis, const std::vector<int64_t>& extents) {
    constexpr int64_t kSmallestTile = 8, kLargestTile = 8192;
    std::set<int64_t> counts;
    for (int64_t extent : extents)
        for (int64_t tile = kSmallestTile; tile <= kLargestTile; tile *= 2) {
            const int64_t count = extent / tile + (extent % tile != 0);
            if (extent % tile != 0 && count > 1 && count < axis && axis % count == 0) counts.insert(count);
        }
    return counts;
}

/// Positions on one axis whose tile would be partial, one for each way to flatten.
std::vector<int64_t> partial(int64_t axis, const std::vector<int64_t>& extents, Random& random) {
    std::vector<int64_t> out;
    for (int64_t count : tile_counts(axis, extents)) {
        const int64_t rows = axis / count;
        out.push_back(below(rows, random) * count + count - 1);  // the last in a row of `count`
        out.push_back(axis - 1 - below(rows, random));           // in the last of `count` rows
    }
    std::shuffle(out.begin(), out.end(), random);
    return out;
}

}  // namespace

std::vector<int64_t> choose_programs(const std::array<int64_t, 3>& grid, const std::vector<int64_t>& extents,
                                     int most, std::mt19937_64& random) {
    const int64_t total = grid[0] * grid[1] * grid[2];
    std::set<int64_t> chosen;
    const auto at = [&](int64_t x, int64_t y, int64_t z) { return x + grid[0] * (y + grid[1] * z); };
    if (total <= most) {
        for (int64_t p = 0; p < total; p++) chosen.insert(p);
    } else {
        const auto edges = static_cast<size_t>(std::max(most / 2, std::min(most, 2)));
        const auto edge = [&](int64_t program) {
            if (chosen.size() < edges) chosen.insert(program);
        };
        edge(0);
        edge(total - 1);
        for (int corner = 1; corner < 7; corner++)
            edge(at((corner & 1) != 0 ? grid[0] - 1 : 0, (corner & 2) != 0 ? grid[1] - 1 : 0,
                    (corner & 4) != 0 ? grid[2] - 1 : 0));
        edge(total - 2);
        edge(1);
        for (size_t d = 0; d < 3; d++)
            for (int64_t position : partial(grid[d], extents, random)) {
                std::array<int64_t, 3> p{below(grid[0], random), below(grid[1], random),
                                         below(grid[2], random)};
                p[d] = position;
                edge(at(p[0], p[1], p[2]));
            }
        while (static_cast<int>(chosen.size()) < most) chosen.insert(below(total, random));
    }
    std::vector<int64_t> order(chosen.begin(), chosen.end());
    std::shuffle(order.begin(), order.end(), random);
    return order;
}

}  // namespace tritonsmith::run::sample
