#include "run/draw/draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "run/draw/narrow_float.h"
#include "run/draw/philox.h"

namespace tritonsmith::run {
namespace {

using plan::DType;

template <class T>
std::vector<T> draw(Distribution law, DType dtype, int64_t count, DrawKey key = {7, 1, 0},
                    Variant variant = {}, int64_t first = 0) {
    std::vector<T> out(static_cast<size_t>(count));
    fill(key, law, variant, dtype, first, count, reinterpret_cast<std::byte*>(out.data()));
    return out;
}

struct Moments {
    double mean, deviation, least, most;
};
Moments moments(const std::vector<float>& values) {
    double sum = std::accumulate(values.begin(), values.end(), 0.0), squares = 0;
    double mean = sum / static_cast<double>(values.size());
    for (float value : values) squares += (value - mean) * (value - mean);
    auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {mean, std::sqrt(squares / static_cast<double>(values.size())), *least, *most};
}

constexpr int64_t kMany = 400000;

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
              (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
              (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Draw, UniformHasItsRangeAndMoments) {
    Moments m = moments(draw<float>({Law::uniform, -2, 6}, DType::f32, kMany));
    EXPECT_NEAR(m.mean, 2, 0.02);
    EXPECT_NEAR(m.deviation, 8 / std::sqrt(12.0), 0.02);
    EXPECT_GE(m.least, -2);
    EXPECT_LT(m.least, -1.999);
    EXPECT_LT(m.most, 6.0001);
}

TEST(Draw, NormalHasItsMomentsAndTails) {
    std::vector<float> values = draw<float>({Law::normal, 1, 3}, DType::f32, kMany);
    Moments m = moments(values);
    EXPECT_NEAR(m.mean, 1, 0.03);
    EXPECT_NEAR(m.deviation, 3, 0.03);
    double beyond = static_cast<double>(
        std::count_if(values.begin(), values.end(), [](float v) { return std::abs(v - 1) > 6; }));
    EXPECT_NEAR(beyond / kMany, 0.0455, 0.002);
    // Neighbours come from one Box-Muller pair: they must not be correlated.
    double product = 0;
    for (size_t i = 0; i + 1 < values.size(); i += 2) product += (values[i] - 1.0) * (values[i + 1] - 1.0);
    EXPECT_NEAR(product / (kMany / 2.0) / 9, 0, 0.01);
}

TEST(Draw, OtherLawsHaveTheirMeans) {
    EXPECT_NEAR(moments(draw<float>({Law::exponential, 4}, DType::f32, kMany)).mean, 0.25, 0.003);
    EXPECT_NEAR(moments(draw<float>({Law::bernoulli, 0.3}, DType::f32, kMany)).mean, 0.3, 0.004);
    EXPECT_NEAR(moments(draw<float>({Law::geometric, 0.25}, DType::f32, kMany)).mean, 4, 0.04);
    EXPECT_NEAR(moments(draw<float>({Law::log_normal, 0, 0.5}, DType::f32, kMany)).mean, std::exp(0.125),
                0.01);
    std::vector<float> cauchy = draw<float>({Law::cauchy, 2, 1}, DType::f32, kMany);
    std::nth_element(cauchy.begin(), cauchy.begin() + kMany / 2, cauchy.end());
    EXPECT_NEAR(cauchy[kMany / 2], 2, 0.02);
    for (float value : draw<float>({Law::exponential, 1}, DType::f32, 1000)) EXPECT_GE(value, 0);
}

TEST(Draw, IntegersCoverTheirRange) {
    std::vector<int64_t> values = draw<int64_t>({Law::integer, 0, 1, -3, 7}, DType::i64, 7000);
    std::vector<int> seen(7);
    for (int64_t value : values) {
        ASSERT_GE(value, -3);
        ASSERT_LT(value, 4);
        ++seen[static_cast<size_t>(value + 3)];
    }
    for (int count : seen) EXPECT_NEAR(count, 1000, 150);
}

TEST(Draw, PermutationHitsEveryIndexOnce) {
    for (int64_t n : {1, 2, 3, 17, 1000, 4097}) {
        std::vector<int64_t> values =
            draw<int64_t>({Law::permutation, 0, 1, 0, static_cast<uint64_t>(n)}, DType::i64, n);
        std::vector<int64_t> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        for (int64_t i = 0; i < n; ++i) ASSERT_EQ(sorted[static_cast<size_t>(i)], i) << n;
        if (n > 16) {
            EXPECT_NE(values, sorted);
        }
    }
}

TEST(Draw, AnyPieceEqualsThatPieceOfTheWhole) {
    for (Law law : {Law::uniform, Law::normal, Law::integer, Law::permutation}) {
        Distribution distribution{law, 0, 1, 0, 1001};
        std::vector<float> whole = draw<float>(distribution, DType::f32, 1001);
        for (int64_t first : {0, 1, 2, 3, 4, 7, 500, 998}) {
            std::vector<float> piece = draw<float>(distribution, DType::f32, 3, {7, 1, 0}, {}, first);
            for (int64_t i = 0; i < 3; ++i)
                EXPECT_EQ(piece[static_cast<size_t>(i)], whole[static_cast<size_t>(first + i)]);
        }
    }
}

TEST(Draw, KeysGiveDifferentStreams) {
    auto first = draw<float>({}, DType::f32, 64, {7, 1, 0});
    EXPECT_EQ(first, draw<float>({}, DType::f32, 64, {7, 1, 0}));
    EXPECT_NE(first, draw<float>({}, DType::f32, 64, {8, 1, 0}));
    EXPECT_NE(first, draw<float>({}, DType::f32, 64, {7, 2, 0}));
    EXPECT_NE(first, draw<float>({}, DType::f32, 64, {7, 1, 1}));
    EXPECT_NE(first, draw<float>({}, DType::f32, 64, {7 + (uint64_t{1} << 40), 1, 0}));
}

TEST(Draw, Float64HoldsTheFloat32Value) {
    Distribution law{Law::normal, 0, 1};
    Variant variant{-1, 3, 0.1};
    auto single = draw<float>(law, DType::f32, 100, {7, 1, 0}, variant);
    auto wide = draw<double>(law, DType::f64, 100, {7, 1, 0}, variant);
    auto plain = draw<float>(law, DType::f32, 100);
    for (size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(static_cast<double>(single[i]), wide[i]);
        EXPECT_EQ(single[i], -3.0f * plain[i] + 0.1f);
    }
}

TEST(Draw, ComplexIsRefused) {
    std::vector<double> out(2);
    EXPECT_THROW(fill({}, {}, {}, DType::c64, 0, 1, reinterpret_cast<std::byte*>(out.data())), InputError);
}

TEST(NarrowFloat, RoundsToNearestEven) {
    EXPECT_EQ(to_f16(1.0f), 0x3c00);
    EXPECT_EQ(to_f16(-2.0f), 0xc000);
    EXPECT_EQ(to_f16(65504.0f), 0x7bff);
    EXPECT_EQ(to_f16(65519.9f), 0x7bff);
    EXPECT_EQ(to_f16(65520.0f), 0x7c00);
    EXPECT_EQ(to_f16(0x1p-24f), 0x0001);
    EXPECT_EQ(to_f16(0x1p-25f), 0x0000);
    EXPECT_EQ(to_f16(0x1.8p-24f), 0x0002);
    EXPECT_EQ(to_f16(0x1.ff8p-15f), 0x03ff);
    EXPECT_EQ(to_f16(0x1p-14f), 0x0400);
    EXPECT_EQ(to_f16(1.0f + 0x1p-11f), 0x3c00);
    EXPECT_EQ(to_f16(1.0f + 3 * 0x1p-11f), 0x3c02);
    EXPECT_EQ(to_bf16(1.0f), 0x3f80);
    EXPECT_EQ(to_bf16(1.0f + 0x1p-8f), 0x3f80);
    EXPECT_EQ(to_bf16(1.0f + 3 * 0x1p-8f), 0x3f82);
    EXPECT_TRUE((to_f16(NAN) & 0x7fff) > 0x7c00);
    EXPECT_TRUE((to_bf16(NAN) & 0x7fff) > 0x7f80);
}

plan::AtenStep step(std::string op, plan::List args, DType dtype, std::vector<int64_t> shape) {
    plan::AtenStep out;
    out.op = std::move(op);
    out.args = std::move(args);
    out.draw = 0;
    plan::Tensor tensor{0, dtype, shape, {}, 0};
    tensor.stride.assign(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) tensor.stride[i - 1] = tensor.stride[i] * shape[i];
    out.result.v = tensor;
    return out;
}

TEST(StepLaw, ReadsTheArguments) {
    plan::AtenStep uniform =
        step("aten::uniform_", {{plan::Tensor{}}, {-0.5}, {int64_t{2}}}, DType::f32, {4});
    ASSERT_TRUE(step_law(uniform));
    EXPECT_EQ(step_law(uniform)->distribution.a, -0.5);
    EXPECT_EQ(step_law(uniform)->distribution.b, 2);
    EXPECT_TRUE(step_law(uniform)->variant_applies);
    plan::AtenStep randint =
        step("aten::randint.low", {{int64_t{5}}, {int64_t{9}}, {plan::Sequence{}}}, DType::i64, {4});
    EXPECT_EQ(step_law(randint)->distribution.low, 5);
    EXPECT_EQ(step_law(randint)->distribution.count, 4u);
    EXPECT_FALSE(step_law(randint)->variant_applies);
    EXPECT_FALSE(step_law(step("aten::randint", {{int64_t{0}}}, DType::i64, {4})));
    EXPECT_FALSE(step_law(step("aten::multinomial", {}, DType::i64, {4})));
}

TEST(DrawSource, MakesAnyBytesOfTheBuffer) {
    plan::AtenStep rand = step("aten::rand", {}, DType::f32, {10, 10});
    auto source = draw_source(rand, plan::Phase::inputs, 3, {1, 2, 0});
    ASSERT_TRUE(source);
    std::vector<float> expected(100);
    fill(draw_key(3, plan::Phase::inputs, 0), {}, {1, 2, 0}, DType::f32, 0, 100,
         reinterpret_cast<std::byte*>(expected.data()));
    std::vector<std::byte> whole(512, std::byte{1});
    (*source)(0, whole.data(), 512);
    EXPECT_EQ(std::memcmp(whole.data(), expected.data(), 400), 0);
    EXPECT_EQ(whole[400], std::byte{0});
    for (auto [offset, count] : {std::pair<int64_t, int64_t>{1, 3}, {2, 9}, {396, 20}, {400, 8}, {8, 16}}) {
        std::vector<std::byte> piece(static_cast<size_t>(count));
        (*source)(offset, piece.data(), count);
        EXPECT_EQ(std::memcmp(piece.data(), whole.data() + offset, static_cast<size_t>(count)), 0) << offset;
    }
    std::get<plan::Tensor>(rand.result.v).stride = {1, 10};
    EXPECT_FALSE(draw_source(rand, plan::Phase::inputs, 3, {}));
}

TEST(DrawSource, UnevenMeansOfPartsLieFarApart) {
    constexpr int64_t kRows = 32, kColumns = 65536;
    plan::AtenStep rand = step("aten::rand", {}, DType::f32, {kRows, kColumns});
    std::vector<float> even(kRows * kColumns), uneven(even.size());
    (*draw_source(rand, plan::Phase::inputs, 3, {}))(0, reinterpret_cast<std::byte*>(even.data()),
                                                     kRows * kColumns * 4);
    auto source = *draw_source(rand, plan::Phase::inputs, 3, {}, true);
    source(0, reinterpret_cast<std::byte*>(uneven.data()), kRows * kColumns * 4);
    int64_t kept = 0;
    for (size_t i = 0; i < even.size(); i++) {
        kept += uneven[i] == even[i] ? 1 : 0;
        ASSERT_TRUE(uneven[i] == even[i] || uneven[i] == even[i] * kUnevenScale) << i;
    }
    EXPECT_NEAR(static_cast<double>(kept) / kRows / kColumns, 1 - std::pow(15.0 / 16, 3), 0.02);
    // The mean of every fourth run of 1024, against that of all: tolerances of half precision are 1e-2.
    for (const std::vector<float>* values : {&even, &uneven}) {
        int apart = 0;
        for (int64_t row = 0; row < kRows; row++) {
            double whole = 0, part = 0;
            for (int64_t i = 0; i < kColumns; i++) {
                const double v = (*values)[static_cast<size_t>(row * kColumns + i)];
                whole += v / kColumns;
                if (i / 1024 % 4 == 0) part += v * 4 / kColumns;
            }
            apart += std::abs(part - whole) > 0.03 * whole ? 1 : 0;
        }
        if (values == &even)
            EXPECT_EQ(apart, 0);
        else
            EXPECT_GT(apart, kRows / 2);
    }
    std::vector<float> piece(1000);
    source(4 * 777, reinterpret_cast<std::byte*>(piece.data()), 4000);
    EXPECT_EQ(std::memcmp(piece.data(), uneven.data() + 777, 4000), 0);
    // A law that is bounded away from zero stays.
    plan::AtenStep far = step("aten::uniform_", {{plan::Value{}}, {1.0}, {2.0}}, DType::f32, {100});
    std::vector<float> values(100);
    (*draw_source(far, plan::Phase::inputs, 3, {}, true))(0, reinterpret_cast<std::byte*>(values.data()),
                                                          400);
    for (float v : values) EXPECT_GE(v, 1);
}

TEST(Planted, NumbersAreEqualInTwoDrawsOrNearlySo) {
    Variant variant;
    variant.planted = {0.25, 0.5};
    const Distribution law{Law::normal, 0, 1, 0, 1};
    const auto a = draw<float>(law, DType::f32, 4000, {7, 1, 0}, variant),
               b = draw<float>(law, DType::f32, 4000, {7, 1, 1}, variant);
    int equal = 0, above = 0, below = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        equal += a[i] == b[i] && (a[i] == 0.25F || a[i] == 0.5F);
        const float apart = a[i] - b[i];
        above += apart > 0 && apart < 0.001F;
        below += apart < 0 && apart > -0.001F;
    }
    EXPECT_GT(equal, 1000);
    EXPECT_GT(above, 100);
    EXPECT_GT(below, 100);
}

TEST(FewValues, OfIntegersAndFlags) {
    const auto values = [](Distribution law, Variant::Whole whole, bool flags = true) {
        Variant variant;
        variant.whole = whole;
        variant.lines = flags;
        const auto all = draw<int64_t>(law, DType::i64, 1000, {7, 1, 0}, variant);
        EXPECT_EQ(draw<int64_t>(law, DType::i64, 10, {7, 1, 0}, variant, 500),
                  std::vector<int64_t>(all.begin() + 500, all.begin() + 510));
        return std::set<int64_t>(all.begin(), all.end());
    };
    const Distribution labels{Law::integer, 0, 1, 3, 10}, bits{Law::integer, 0, 1, 0, 2},
        flags{Law::bernoulli, 0.5};
    EXPECT_EQ(values(labels, Variant::Whole::one).size(), 1U);
    EXPECT_EQ(values(labels, Variant::Whole::two).size(), 2U);
    EXPECT_GE(*values(labels, Variant::Whole::two).begin(), 3);
    EXPECT_LT(*values(labels, Variant::Whole::two).rbegin(), 13);
    for (const Distribution& two : {bits, flags}) {
        EXPECT_EQ(values(two, Variant::Whole::one), (std::set<int64_t>{0}));
        EXPECT_EQ(values(two, Variant::Whole::two), (std::set<int64_t>{1}));
        EXPECT_EQ(values(two, Variant::Whole::one, false).size(), 2U) << "as they are drawn";
    }
    EXPECT_EQ(values(labels, Variant::Whole::one, false).size(), 1U);
}

}  // namespace
}  // namespace tritonsmith::run
