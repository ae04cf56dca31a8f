#include "kernels/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/draw_rule.h"

// On x86-64 the loops over a row are compiled for AVX2 and AVX-512 too, and the machine's kind is chosen at
// load time. The results are the same: compiled with -ffp-contract=off, all do the same operations.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define ROW_LOOP __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define ROW_LOOP
#endif

namespace tritonsmith::kernels {
namespace {

ROW_LOOP float greatest_of(const float* logits, int vocabulary) {
    constexpr int lanes = 16;
    float found[lanes];
    std::fill(found, found + lanes, -std::numeric_limits<float>::infinity());
    int i = 0;
    for (; i + lanes <= vocabulary; i += lanes)
        for (int lane = 0; lane < lanes; ++lane)
            found[lane] = logits[i + lane] > found[lane] ? logits[i + lane] : found[lane];
    for (; i < vocabulary; ++i) found[0] = logits[i] > found[0] ? logits[i] : found[0];
    return *std::max_element(found, found + lanes);
}

ROW_LOOP void distances_of(const float* logits, int vocabulary, float greatest, float scale,
                           int32_t* distances) {
    for (int i = 0; i < vocabulary; ++i) distances[i] = draw::distance(logits[i], greatest, scale);
}

/// Sum of the weights within `cut`.
ROW_LOOP uint64_t mass_of(const int32_t* distances, int count, int32_t cut) {
    uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        uint64_t weight = draw::weight(distances[i]);
        sum += distances[i] <= cut ? weight : 0;
    }
    return sum;
}

/// The smallest distance within which there are `wanted` tokens; `beyond` if there are fewer.
int32_t cut_by_count(const std::vector<int32_t>& distances, uint64_t wanted) {
    if (wanted >= distances.size()) return draw::beyond;
    std::vector<int32_t> sorted = distances;
    auto last = sorted.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(sorted.begin(), last, sorted.end());
    return *last;
}

/// The smallest distance within which tokens weigh top_p of what those within `cut` weigh.
int32_t cut_by_mass(const std::vector<int32_t>& distances, int32_t cut, uint64_t top_p) {
    // By octaves' quarters first, so that only one of them is sorted.
    constexpr int shift = draw::fraction_bits - 2;
    std::vector<uint64_t> masses((draw::beyond >> shift) + 1);
    uint64_t sum = 0;
    for (int32_t distance : distances)
        if (distance <= cut) {
            uint64_t weight = draw::weight(distance);
            masses[distance >> shift] += weight;
            sum += weight;
        }
    const uint64_t wanted = draw::wanted_mass(sum, top_p);
    uint64_t running = 0;
    int32_t quarter = 0;
    while (running + masses[quarter] < wanted) running += masses[quarter++];
    std::vector<int32_t> inside;
    for (int32_t distance : distances)
        if (distance >> shift == quarter && distance <= cut) inside.push_back(distance);
    std::sort(inside.begin(), inside.end());
    for (int32_t distance : inside) {
        running += draw::weight(distance);
        if (running >= wanted) return distance;
    }
    return cut;
}

/// Masses of the tokens within a cut, a part of the row at a time: their sum, and where a running sum lies.
class PartMasses {
  public:
    /// Distances of a row, and their masses with no cut, in one pass.
    void take(const float* logits, int vocabulary, float greatest, float scale,
              std::vector<int32_t>& distances) {
        distances.resize(static_cast<size_t>(vocabulary));
        for_parts(distances.size(), [&](size_t begin, int count) {
            distances_of(logits + begin, count, greatest, scale, distances.data() + begin);
            return mass_of(distances.data() + begin, count, draw::beyond);
        });
        cut_ = draw::beyond;
    }
    /// The same distances, cut.
    void cut(const std::vector<int32_t>& distances, int32_t cut) {
        for_parts(distances.size(),
                  [&](size_t begin, int count) { return mass_of(distances.data() + begin, count, cut); });
        cut_ = cut;
    }
    uint64_t sum() const { return sum_; }
    /// First token in index order whose running sum of kept weights exceeds `target`.
    int64_t token_at(const std::vector<int32_t>& distances, uint64_t target) const {
        uint64_t running = 0;
        for (size_t i = 0; i < masses_.size(); ++i) {
            if (running + masses_[i] <= target) {
                running += masses_[i];
                continue;
            }
            for (size_t token = i * part;; ++token) {
                if (distances[token] <= cut_) running += draw::weight(distances[token]);
                if (running > target) return static_cast<int64_t>(token);
            }
        }
        return -1;
    }

  private:
    static constexpr size_t part = 512;

    template <class Mass>
    void for_parts(size_t count, const Mass& mass) {
        masses_.clear();
        sum_ = 0;
        for (size_t begin = 0; begin < count; begin += part) {
            masses_.push_back(mass(begin, static_cast<int>(std::min(part, count - begin))));
            sum_ += masses_.back();
        }
    }

    std::vector<uint64_t> masses_;
    uint64_t sum_ = 0;
    int32_t cut_ = draw::beyond;
};

[[noreturn]] void refuse(const char* name, const char* range) {
    throw std::invalid_argument(std::string(name) + " must be " + range);
}

}  // namespace

DrawRow draw_row(double temperature, int top_k, double top_p, double min_p, uint64_t seed, uint32_t sample,
                 uint32_t position) {
    if (!(temperature >= 0) || std::isinf(temperature)) refuse("temperature", "0 or more");
    if (top_k < 0) refuse("top_k", "0 (all tokens) or more");
    if (!(top_p > 0 && top_p <= 1)) refuse("top_p", "greater than 0 and at most 1");
    if (!(min_p >= 0 && min_p <= 1)) refuse("min_p", "between 0 and 1");
    DrawRow row;
    row.seed = seed;
    row.sample = sample;
    row.position = position;
    row.top_k = static_cast<uint32_t>(top_k);
    if (temperature == 1)
        row.scale = draw::scale_at_one;
    else if (temperature > 0)
        row.scale =
            static_cast<float>(std::clamp(std::log2(std::exp(1.0)) * 0x1p18 / temperature, 1e-30, 1e30));
    // 2^64 · top_p; a top_p that rounds to 2^64 keeps all.
    if (top_p < 1) row.top_p = std::max<uint64_t>(1, static_cast<uint64_t>(std::ldexp(top_p, 64)));
    double furthest = min_p > 0 ? std::floor(-std::log2(min_p) * 0x1p18 + 0.5) : draw::beyond;
    row.max_distance = static_cast<uint32_t>(std::min<double>(furthest, draw::beyond));
    return row;
}

Drawn draw_token(const float* logits, int vocabulary, const DrawRow& row) {
    const float greatest = greatest_of(logits, vocabulary);
    if (!std::isfinite(greatest)) return {-1, std::numeric_limits<float>::quiet_NaN()};
    thread_local std::vector<int32_t> distances;
    thread_local PartMasses masses;
    masses.take(logits, vocabulary, greatest, draw::scale_at_one, distances);
    const uint64_t sum = masses.sum();

    Drawn drawn;
    if (row.scale == 0) {
        drawn.token = std::find(logits, logits + vocabulary, greatest) - logits;
    } else {
        if (row.scale != draw::scale_at_one) masses.take(logits, vocabulary, greatest, row.scale, distances);
        int32_t cut = draw::beyond;
        if (row.top_k) cut = std::min(cut, cut_by_count(distances, row.top_k));
        if (row.top_p) cut = std::min(cut, cut_by_mass(distances, cut, row.top_p));
        cut = std::min(cut, static_cast<int32_t>(row.max_distance));
        if (cut != draw::beyond) masses.cut(distances, cut);
        drawn.token = masses.token_at(distances, draw::target(masses.sum(), row));
    }
    drawn.logprob = static_cast<float>(static_cast<double>(logits[drawn.token]) - greatest -
                                       std::log(static_cast<double>(sum) * 0x1p-40));
    return drawn;
}

}  // namespace tritonsmith::kernels
