#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tritonsmith {

/// SplitMix64 (Steele, Lea, Flood 2014), for what must be the same everywhere: seeded by a run's seed and the
/// number of what is drawn, so that it does not depend on what is drawn before, nor on which process draws
/// it.
class Random {
  public:
    Random(uint64_t seed, uint64_t number)
        : state_(seed * 0x9e3779b97f4a7c15ULL ^ (number + 1) * 0xd1342543de82ef95ULL) {
        next();
    }

    uint64_t next() {
        uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// 0 ≤ result < bound
    int64_t below(int64_t bound) { return static_cast<int64_t>(next() % static_cast<uint64_t>(bound)); }
    /// low ≤ result ≤ high
    int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
    bool chance(double probability) { return static_cast<double>(next() >> 11) * 0x1p-53 < probability; }

    template <class T>
    const T& of(const std::vector<T>& items) {
        return items[static_cast<size_t>(below(static_cast<int64_t>(items.size())))];
    }
    int64_t of(std::initializer_list<int64_t> items) {
        return items.begin()[below(static_cast<int64_t>(items.size()))];
    }
    const char* of(std::initializer_list<const char*> items) {
        return items.begin()[below(static_cast<int64_t>(items.size()))];
    }
    /// An index, by weights that are not negative.
    size_t weighted(const std::vector<double>& weights) {
        double total = 0;
        for (const double weight : weights) total += weight;
        double at = static_cast<double>(next() >> 11) * 0x1p-53 * total;
        for (size_t i = 0; i < weights.size(); ++i)
            if ((at -= weights[i]) < 0) return i;
        return weights.size() - 1;
    }

  private:
    uint64_t state_;
};

}  // namespace tritonsmith
