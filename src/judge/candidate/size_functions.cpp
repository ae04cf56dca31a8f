#include "judge/candidate/size_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

constexpr int64_t kMostFactor = 64;  // of a multiple, a difference
constexpr int64_t kLeastTile = 16;   // what there is a most of are tiles

class Sizes {
  public:
    void add(int64_t one, int64_t other) {
        if (one > 0 && other > 0) all_.insert({one, other});
    }
    void add(const plan::Tensor& one, const plan::Tensor& other) {
        const size_t rank = one.shape.size();
        if (rank != other.shape.size()) return;
        for (size_t first = 0; first < rank; ++first) {
            int64_t product = 1, other_product = 1;
            for (size_t d = first; d < rank; ++d)
                add(product *= one.shape[d], other_product *= other.shape[d]);
            add(one.stride[first], other.stride[first]);
        }
    }
    /// Its elements, but for those along each axis in turn.
    void add_slices(const plan::Tensor& one, const plan::Tensor& other) {
        const size_t rank = one.shape.size();
        for (size_t without = 0; without < rank && rank == other.shape.size(); ++without) {
            int64_t product = 1, other_product = 1;
            for (size_t d = 0; d < rank; ++d)
                if (d != without) product *= one.shape[d], other_product *= other.shape[d];
            add(product, other_product);
        }
    }
    void add(const std::vector<plan::Tensor>& one, const std::vector<plan::Tensor>& other) {
        for (size_t i = 0; i < std::min(one.size(), other.size()); ++i) add(one[i], other[i]);
    }
    std::vector<AtTwoSizes> list() const {
        std::vector<AtTwoSizes> out;
        for (const auto& [one, other] : all_) out.push_back({one, other});
        return out;
    }

  private:
    std::set<std::pair<int64_t, int64_t>> all_;
};

std::vector<plan::Tensor> weights_of(const plan::Plan& plan) {
    std::vector<plan::Tensor> out;
    for (const plan::Weight& weight : plan.weights) out.push_back(weight.tensor);
    return out;
}

/// Divisors t, from first to last.
struct Divisors {
    int64_t first = 1, last = 0;
    bool shared_with(const Divisors& other) const {
        return std::max(first, other.first) <= std::min(last, other.last);
    }
};

/// With which size / t, rounded down, is the number.
Divisors rounding_down(int64_t size, int64_t number) {
    if (number <= 0) return {};
    return {size / (number + 1) + 1, size / number};
}

/// The same, rounded up: (size - 1) / t is one less, rounded down.
Divisors rounding_up(int64_t size, int64_t number) {
    if (number == 1) return {size, INT64_MAX};
    return rounding_down(size - 1, number - 1);
}

/// Numbers c of which size / … : c / size, rounded down, but at least one, is the number.
Divisors of_a_tile(int64_t size, int64_t number) {
    return {number <= 1 ? 1 : number * size, (number + 1) * size - 1};
}

int64_t power_above(int64_t size) {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(size)));
}

/// The number is size / t, rounded up, where that is less than a most, which it is at the other size.
bool at_most(int64_t most, int64_t its_size, int64_t number, int64_t size) {
    if (most <= number) return false;
    const Divisors tiles = rounding_up(size, number);
    const int64_t tile = std::max(tiles.first, kLeastTile);
    return tile <= tiles.last && (its_size - 1) / tile + 1 >= most;
}

/// The same where it is more than a least.
bool at_least(int64_t least, int64_t its_size, int64_t number, int64_t size) {
    if (least >= number) return false;
    const Divisors tiles = rounding_up(size, number);
    const int64_t tile = std::min(tiles.last, std::max<int64_t>(its_size, 1));
    return std::max(tiles.first, kLeastTile) <= tile && (its_size - 1) / tile + 1 <= least;
}

/// A multiple, a difference, a number of tiles.
bool follows(const AtTwoSizes& size, const AtTwoSizes& number) {
    const auto [p, q] = size;
    const auto [a, b] = number;
    if (a % p == 0 && b % q == 0 && a / p == b / q && a / p >= 1 && a / p <= kMostFactor) return true;
    if (a - p == b - q && std::abs(a - p) <= kMostFactor) return true;
    if (a <= 0 || b <= 0) return false;
    return rounding_down(p, a).shared_with(rounding_down(q, b)) ||
           rounding_up(p, a).shared_with(rounding_up(q, b));
}

/// As many rows as fit into one tile, a number of tiles up to a most or from a least: of large sizes such a
/// function gives nearly any two numbers.
bool follows_loosely(const AtTwoSizes& size, const AtTwoSizes& number) {
    const auto [p, q] = size;
    const auto [a, b] = number;
    if (a <= 0 || b <= 0) return false;
    if (p < INT64_MAX / 4 / a && q < INT64_MAX / 4 / b && of_a_tile(p, a).shared_with(of_a_tile(q, b)))
        return true;
    return at_most(a, p, b, q) || at_most(b, q, a, p) || at_least(a, p, b, q) || at_least(b, q, a, p);
}

}  // namespace

std::vector<AtTwoSizes> sizes_of(const plan::Plan& one, const plan::Plan& other) {
    Sizes sizes;
    sizes.add(plan::tensors_in(one.inputs), plan::tensors_in(other.inputs));
    sizes.add(plan::tensors_in(one.output), plan::tensors_in(other.output));
    sizes.add(weights_of(one), weights_of(other));
    return sizes.list();
}

std::vector<AtTwoSizes> sizes_on_the_way(const plan::Plan& one, const plan::Plan& other) {
    Sizes sizes;
    for (size_t i = 0; i < std::min(one.steps.size(), other.steps.size()); ++i) {
        const auto* here = std::get_if<plan::AtenStep>(&one.steps[i].what);
        const auto* there = std::get_if<plan::AtenStep>(&other.steps[i].what);
        if (!here || !there) continue;
        if (here->op != there->op) break;  // what follows need not belong together
        const std::vector<plan::Tensor> made = plan::tensors_in(here->result),
                                        other_made = plan::tensors_in(there->result);
        for (size_t k = 0; k < std::min(made.size(), other_made.size()); ++k) {
            sizes.add(made[k], other_made[k]);
            sizes.add_slices(made[k], other_made[k]);
        }
    }
    return sizes.list();
}

bool is_function_of(const AtTwoSizes& number, const std::vector<AtTwoSizes>& sizes,
                    const std::vector<AtTwoSizes>& on_the_way) {
    if (number.one == number.other) return true;
    const auto any = [&](const auto& holds) { return std::any_of(sizes.begin(), sizes.end(), holds); };
    const auto is_followed = [&](const AtTwoSizes& size) {
        return follows(size, number) || follows({power_above(size.one), power_above(size.other)}, number);
    };
    if (any(is_followed) || std::any_of(on_the_way.begin(), on_the_way.end(), is_followed)) return true;
    // What is a size of the task here is one there.
    if (any([&](const AtTwoSizes& size) { return size.one == number.one || size.other == number.other; }))
        return false;
    return any([&](const AtTwoSizes& size) { return follows_loosely(size, number); });
}

bool is_function_of(double one, double other, const std::vector<AtTwoSizes>& sizes) {
    constexpr double rounding = 16 * 0x1p-53;  // of the few operations that compute such a number
    if (one == other) return true;
    const double ratio = one / other;
    if (!std::isfinite(ratio) || ratio <= 0) return false;
    return std::any_of(sizes.begin(), sizes.end(), [&](const AtTwoSizes& size) {
        const double times = static_cast<double>(size.one) / static_cast<double>(size.other);
        const auto is = [&](double wanted) { return std::abs(ratio - wanted) <= rounding * wanted; };
        return is(times) || is(1 / times) || is(std::sqrt(times)) || is(1 / std::sqrt(times));
    });
}

}  // namespace tritonsmith::judge
