#include "kernels/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "kernels/draw_rule.h"

namespace tritonsmith::kernels {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<float> random_logits(int count, uint64_t seed, float scale) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> logits(count);
    for (float& logit : logits) logit = normal(generator);
    return logits;
}

/// What each token should be drawn with, by sorting, in double precision: transformers' temperature, top-k,
/// top-p and min-p warpers.
std::vector<double> expected_probabilities(const std::vector<float>& logits, double temperature, int top_k,
                                           double top_p, double min_p) {
    const size_t count = logits.size();
    std::vector<double> p(count);
    const double greatest = *std::max_element(logits.begin(), logits.end());
    for (size_t i = 0; i < count; ++i) p[i] = std::exp((logits[i] - greatest) / temperature);
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] > p[b]; });
    if (top_k > 0)
        for (size_t rank = static_cast<size_t>(top_k); rank < count; ++rank) p[order[rank]] = 0;
    const auto normalise = [&] {
        const double sum = std::accumulate(p.begin(), p.end(), 0.0);
        for (double& x : p) x /= sum;
    };
    normalise();
    double before = 0;
    for (size_t rank = 0; rank < count; ++rank) {
        const double own = p[order[rank]];
        if (before >= top_p) p[order[rank]] = 0;
        before += own;
    }
    normalise();
    const double least = min_p * *std::max_element(p.begin(), p.end());
    for (double& x : p)
        if (x < least) x = 0;
    normalise();
    return p;
}

TEST(DrawRule, WeightsArePowersOfTwo) {
    EXPECT_EQ(draw::weight(0), uint64_t{1} << 40);
    EXPECT_EQ(draw::weight(draw::beyond), 0u);
    uint64_t above = draw::weight(0);
    for (int32_t distance = 1; distance < draw::beyond; distance += distance < 1 << 19 ? 1 : 977) {
        const uint64_t weight = draw::weight(distance);
        const double exact = std::ldexp(std::exp2(-distance * 0x1p-18), 40);
        ASSERT_NEAR(static_cast<double>(weight), exact, exact * 3e-7 + 1) << distance;
        ASSERT_LE(weight, above) << distance;
        above = weight;
    }
}

TEST(DrawRule, DistancesOfNansAreBeyond) {
    EXPECT_EQ(draw::distance(std::nanf(""), 1, draw::scale_at_one), draw::beyond);
    EXPECT_EQ(draw::distance(-infinity, 1, draw::scale_at_one), draw::beyond);
    EXPECT_EQ(draw::distance(1, 1, 1e30f), 0);
    EXPECT_EQ(draw::distance(0.5f, 1, 1e30f), draw::beyond);
    EXPECT_EQ(draw::distance(1 - std::log(2.0f), 1, draw::scale_at_one), 1 << 18);
}

/// Known answers of Random123's philox4x32-10.
TEST(DrawRule, PhiloxHasItsKnownAnswers) {
    EXPECT_EQ(draw::random_bits(0, 0, 0), 0x6627e8d5e169c58du);
    EXPECT_NE(draw::random_bits(0, 1, 0), draw::random_bits(0, 0, 1));
    EXPECT_NE(draw::random_bits(uint64_t{1} << 32, 0, 0), draw::random_bits(0, 0, 0));
}

TEST(DrawToken, DrawsFromTheDistributionThatSortingGives) {
    struct Case {
        float spread;
        double temperature;
        int top_k;
        double top_p, min_p;
    };
    for (const Case& c :
         {Case{2, 1, 0, 1, 0}, Case{2, 0.6, 20, 0.95, 0}, Case{1, 1.5, 0, 0.8, 0}, Case{1, 1, 7, 1, 0},
          Case{3, 0.9, 0, 1, 0.05}, Case{1, 1, 30, 0.9, 0.2}, Case{0, 1, 0, 1, 0}, Case{2, 1, 1, 1, 0},
          Case{2, 1, 0, 1e-9, 0}, Case{2, 1, 0, 1, 1}}) {
        const int vocabulary = 60, draws = 200000;
        const auto logits = random_logits(vocabulary, 5, c.spread);
        const auto want = expected_probabilities(logits, c.temperature, c.top_k, c.top_p, c.min_p);
        std::vector<int> seen(vocabulary);
        for (int i = 0; i < draws; ++i)
            ++seen.at(draw_token(logits.data(), vocabulary,
                                 draw_row(c.temperature, c.top_k, c.top_p, c.min_p, 99, i % 7, i))
                          .token);
        double chi_square = 0;
        int kept = 0;
        for (int token = 0; token < vocabulary; ++token) {
            if (want[token] == 0) {
                EXPECT_EQ(seen[token], 0) << "token " << token << " was cut";
                continue;
            }
            ++kept;
            chi_square += std::pow(seen[token] - draws * want[token], 2) / (draws * want[token]);
        }
        // Mean kept - 1, standard deviation sqrt(2 (kept - 1)).
        EXPECT_LT(chi_square, kept - 1 + 5 * std::sqrt(2.0 * kept))
            << "temperature " << c.temperature << ", top_k " << c.top_k << ", top_p " << c.top_p << ", min_p "
            << c.min_p;
    }
}

/// Ties with the last kept token are kept, wherever they stand.
TEST(DrawToken, KeepsTies) {
    std::vector<float> logits = {1, 3, 2, 2, 2, 0};
    std::vector<bool> by_count(6), by_mass(6);
    for (int i = 0; i < 2000; ++i) {
        by_count[draw_token(logits.data(), 6, draw_row(1, 2, 1, 0, 3, 0, i)).token] = true;
        by_mass[draw_token(logits.data(), 6, draw_row(1, 0, 0.5, 0, 3, 0, i)).token] = true;
    }
    EXPECT_EQ(by_count, (std::vector<bool>{false, true, true, true, true, false}));
    EXPECT_EQ(by_mass, (std::vector<bool>{false, true, true, true, true, false}));
}

TEST(DrawToken, OfTemperatureZeroIsTheFirstGreatest) {
    std::vector<float> logits = random_logits(3000, 8, 1);
    logits[1234] = logits[2345] = 50;
    const Drawn drawn = draw_token(logits.data(), 3000, draw_row(0, 5, 0.5, 0.1, 1, 2, 3));
    EXPECT_EQ(drawn.token, 1234);
    EXPECT_NEAR(drawn.logprob, -std::log(2.0), 1e-6);
}

TEST(DrawToken, ReportsLogprobsOfTemperatureOneBeforeCuts) {
    const auto logits = random_logits(50000, 9, 3);
    double sum = 0;
    for (float logit : logits) sum += std::exp(static_cast<double>(logit));
    for (uint32_t position = 0; position < 50; ++position) {
        const Drawn drawn = draw_token(logits.data(), 50000, draw_row(1.3, 900, 0.9, 0, 4, 0, position));
        EXPECT_NEAR(drawn.logprob, logits[drawn.token] - std::log(sum), 2e-6);
    }
}

TEST(DrawToken, WithoutFiniteLogitsThereIsNone) {
    for (float what : {std::nanf(""), -infinity}) {
        const std::vector<float> logits(40, what);
        const Drawn drawn = draw_token(logits.data(), 40, draw_row(1, 0, 1, 0, 0, 0, 0));
        EXPECT_EQ(drawn.token, -1);
        EXPECT_TRUE(std::isnan(drawn.logprob));
    }
}

TEST(DrawRow, RefusesWhatIsOutOfRange) {
    const double nan = std::nan("");
    EXPECT_THROW(draw_row(-0.1, 0, 1, 0, 0, 0, 0), std::invalid_argument);
    EXPECT_THROW(draw_row(nan, 0, 1, 0, 0, 0, 0), std::invalid_argument);
    EXPECT_THROW(draw_row(1, -1, 1, 0, 0, 0, 0), std::invalid_argument);
    EXPECT_THROW(draw_row(1, 0, 0, 0, 0, 0, 0), std::invalid_argument);
    EXPECT_THROW(draw_row(1, 0, 1.1, 0, 0, 0, 0), std::invalid_argument);
    EXPECT_THROW(draw_row(1, 0, nan, 0, 0, 0, 0), std::invalid_argument);
    EXPECT_THROW(draw_row(1, 0, 1, -0.1, 0, 0, 0), std::invalid_argument);
    EXPECT_THROW(draw_row(1, 0, 1, 1.1, 0, 0, 0), std::invalid_argument);
    EXPECT_NO_THROW(draw_row(1e-300, 0, 1e-300, 1e-300, 0, 0, 0));
    EXPECT_EQ(draw_row(1, 0, std::nextafter(1.0, 0.0), 0, 0, 0, 0).top_p, ~uint64_t{0} << 11);
}

}  // namespace
}  // namespace tritonsmith::kernels
