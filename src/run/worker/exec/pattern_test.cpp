#include "run/draw/pattern.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "run/worker/exec/device_pattern.h"

namespace tritonsmith::run {
namespace {

using Shape = Variant::Pattern;

Variant patterned(Shape pattern, bool bounded = false) {
    Variant out;
    out.pattern = pattern;
    out.bounded = bounded;
    return out;
}

Draw of(const std::vector<int64_t>& shape, const Variant& variant,
        const Distribution& law = {Law::normal, 0, 1}, int rank = 0) {
    return {{11, 1, 2}, law, plan::DType::f32, variant, shape, {rank}};
}

std::vector<float> values_of_draw(const Draw& draw) {
    const int64_t count =
        std::accumulate(draw.shape.begin(), draw.shape.end(), int64_t{1}, std::multiplies<>());
    std::vector<float> out(static_cast<size_t>(count));
    fill(draw, 0, count, reinterpret_cast<std::byte*>(out.data()));
    return out;
}

struct Row {
    const float* first;
    int64_t length;
    float largest() const {
        float out = 0;
        for (int64_t i = 0; i < length; ++i) out = std::max(out, std::abs(first[i]));
        return out;
    }
    /// Elements that are a good part of the sum of all.
    std::vector<int64_t> standing_out() const {
        double sum = 0;
        for (int64_t i = 0; i < length; ++i) sum += std::abs(first[i]);
        std::vector<int64_t> out;
        for (int64_t i = 0; i < length; ++i)
            if (std::abs(first[i]) > 0.05 * sum) out.push_back(i);
        return out;
    }
    int distinct() const { return static_cast<int>(std::set<float>(first, first + length).size()); }
};

std::vector<Row> rows(const std::vector<float>& values, int64_t length) {
    std::vector<Row> out;
    for (size_t i = 0; i < values.size(); i += static_cast<size_t>(length))
        out.push_back({values.data() + i, length});
    return out;
}

TEST(Pattern, AnyPieceEqualsThatPieceOfTheWhole) {
    for (const Shape pattern : {Shape::rows, Shape::columns})
        for (const std::vector<int64_t>& shape :
             std::vector<std::vector<int64_t>>{{1000}, {37, 100}, {4, 9, 50}, {3, 8, 5, 6}, {64, 1}, {}}) {
            const Draw draw = of(shape, patterned(pattern));
            const std::vector<float> whole = values_of_draw(draw);
            const auto count = static_cast<int64_t>(whole.size());
            for (int64_t first : {int64_t{0}, int64_t{1}, count / 3, count - 1}) {
                if (first < 0 || first >= count) continue;
                const int64_t piece = std::min<int64_t>(count - first, 7);
                std::vector<float> out(static_cast<size_t>(piece));
                fill(draw, first, piece, reinterpret_cast<std::byte*>(out.data()));
                for (int64_t i = 0; i < piece; ++i)
                    EXPECT_EQ(out[static_cast<size_t>(i)], whole[static_cast<size_t>(first + i)]);
            }
        }
}

TEST(Pattern, LargeElementsVisitEveryPlaceOfARow) {
    for (const auto& [lines, length] :
         {std::pair<int64_t, int64_t>{256, 256}, {256, 1000}, {1024, 300}, {64, 64}}) {
        const std::vector<float> all = values_of_draw(of({lines, length}, patterned(Shape::rows)));
        std::set<int64_t> seen;
        int last = 0;
        for (const Row& row : rows(all, length)) {
            double sum = 0;
            for (int64_t i = 0; i < length; ++i) sum += std::abs(row.first[i]);
            // Elements that are more than twice their share of a row of so many large ones.
            for (int64_t i = 0; i < length; ++i)
                if (std::abs(row.first[i]) * static_cast<double>(length) > 6 * sum) seen.insert(i);
            for (int64_t i : row.standing_out()) last += i >= length - 16 ? 1 : 0;
        }
        EXPECT_GT(static_cast<double>(seen.size()), 0.95 * static_cast<double>(length))
            << lines << " " << length;
        EXPECT_GE(last, 4) << "of the last elements";
    }
}

TEST(Pattern, SomeRowsAreInOrder) {
    const int64_t length = 64;
    const std::vector<float> all = values_of_draw(of({4096, length}, patterned(Shape::rows)));
    int rising = 0, falling = 0, half = 0;
    for (const Row& row : rows(all, length)) {
        if (row.distinct() < length) continue;
        const float* last = row.first + length;
        const bool rises = std::is_sorted(row.first, last);
        rising += rises;
        falling += std::is_sorted(row.first, last, std::greater<>());
        half += !rises && std::is_sorted(row.first, row.first + length / 2);
    }
    EXPECT_GE(rising, 15);
    EXPECT_GE(falling, 4);
    EXPECT_GE(half, 15);
}

TEST(Pattern, RowsOfAllKindsAreThere) {
    const int64_t length = 128;
    const std::vector<float> all = values_of_draw(of({512, length}, patterned(Shape::rows)));
    int tiny = 0, large = 0, zero = 0, tied = 0, positive = 0, constant = 0;
    for (const Row& row : rows(all, length)) {
        const float largest = row.largest();
        zero += largest == 0;
        tiny += largest > 0 && largest < 1e-2F;
        large += largest > 30;
        constant += largest > 0 && row.distinct() == 1;
        tied += row.distinct() > 1 && row.distinct() < 20;
        positive += largest > 0 && std::all_of(row.first, row.first + length, [](float v) { return v >= 0; });
    }
    for (int count : {tiny, large, tied, positive}) EXPECT_GE(count, 20);
    EXPECT_GE(zero, 4);
    EXPECT_GE(constant, 4);
}

TEST(Pattern, SmallSamplesAndSmallChannels) {
    auto largest_where = [](const std::vector<float>& all, auto chosen) {
        float out = 0;
        for (size_t i = 0; i < all.size(); ++i)
            if (chosen(static_cast<int64_t>(i))) out = std::max(out, std::abs(all[i]));
        return out;
    };
    const std::vector<float> samples = values_of_draw(of({8, 6, 10, 12}, patterned(Shape::rows)));
    const std::vector<float> channels = values_of_draw(of({8, 6, 10, 12}, patterned(Shape::columns)));
    int small_samples = 0, small_channels = 0;
    for (int64_t s = 0; s < 8; ++s)
        small_samples += largest_where(samples, [&](int64_t i) { return i / 720 == s; }) < 0.02F;
    for (int64_t c = 0; c < 6; ++c)
        small_channels += largest_where(channels, [&](int64_t i) { return i / 120 % 6 == c; }) < 0.02F;
    EXPECT_GE(small_samples, 2);
    EXPECT_GE(small_channels, 1);
    EXPECT_LE(small_channels, 3);
    const std::vector<float> matrix = values_of_draw(of({64, 40}, patterned(Shape::columns)));
    int small_columns = 0;
    for (int64_t c = 0; c < 40; ++c)
        small_columns += largest_where(matrix, [&](int64_t i) { return i % 40 == c; }) < 0.02F;
    EXPECT_GE(small_columns, 3);
}

TEST(Pattern, TheLastElementStandsOutOfASumOfExponentials) {
    const int64_t length = 1000;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        Variant variant = patterned(Shape::rows);
        variant.exponentials = true;
        Draw draw = of({32, length}, variant);
        draw.key.seed = seed;
        const std::vector<float> all = values_of_draw(draw);
        double largest = 0;
        for (const Row& row : rows(all, length)) {
            double others = 0;
            for (int64_t i = 0; i + 1 < length; ++i) others += std::exp(double{row.first[i]});
            largest = std::max(largest, std::exp(double{row.first[length - 1]}) / others);
        }
        EXPECT_GT(largest, 0.02) << "seed " << seed;
    }
}

TEST(Pattern, SomeRowsAreSoSmallThatAGuardShows) {
    // Lengths kept above 1e-8: of a few rows one at least is shorter, and its square is no subnormal number.
    const int64_t rows_of_all = 24, length = 100;
    for (const Shape shape : {Shape::rows, Shape::columns})
        for (uint64_t seed = 0; seed < 20; ++seed) {
            Variant variant = patterned(shape);
            variant.guards = {1e-8};
            Draw draw = of({rows_of_all, length}, variant, {Law::normal, 0, 1}, shape == Shape::rows ? 0 : 1);
            draw.key.seed = seed;
            const std::vector<float> all = values_of_draw(draw);
            int shown = 0;
            for (const Row& row : rows(all, length)) {
                double squares = 0;
                for (int64_t i = 0; i < length; ++i) squares += double{row.first[i]} * double{row.first[i]};
                shown += squares < 0.8e-16 && squares > 1e-34;
            }
            EXPECT_GE(shown, 1) << "seed " << seed;
        }
}

TEST(Pattern, FadingRowsOfAllLeavesAreAsLargeAsAGuardTogether) {
    Variant fading = patterned(Shape::fading);
    fading.guards = {1e-6};
    const std::vector<float> one = values_of_draw(of({64, 256}, fading)),
                             other = values_of_draw(
                                 {{11, 1, 3}, {Law::normal, 0, 1}, plan::DType::f32, fading, {64, 256}, {1}});
    const std::vector<Row> of_one = rows(one, 256), of_other = rows(other, 256);
    int binding = 0;
    for (size_t i = 0; i < of_one.size(); ++i) {
        EXPECT_NEAR(std::log2(of_one[i].largest() / of_other[i].largest()), 0, 1);
        double sum = 0;
        for (int64_t k = 0; k < 256; ++k)
            sum += std::abs(of_one[i].first[k]) + std::abs(of_other[i].first[k]);
        binding += sum > 0.5e-6 && sum < 2e-6;
    }
    EXPECT_GE(binding, 1);
}

TEST(Pattern, SomeRowsAndColumnsHaveOneSign) {
    for (const Shape shape : {Shape::rows, Shape::columns}) {
        const std::vector<float> values = values_of_draw(of({256, 256}, patterned(shape)));
        int negative = 0, positive = 0;
        for (size_t i = 0; i < 256; ++i) {
            int below = 0, above = 0;
            for (size_t j = 0; j < 256; ++j) {
                const float v = shape == Shape::rows ? values[i * 256 + j] : values[j * 256 + i];
                below += v < 0;
                above += v > 0;
            }
            negative += below == 256;
            positive += above == 256;
        }
        EXPECT_GE(negative, 4);
        EXPECT_GE(positive, 4);
    }
}

TEST(Pattern, SamplesOfOneSignAreFarFromZero) {
    for (uint64_t seed = 0; seed < 8; ++seed) {
        Draw draw = of({16, 9, 50}, patterned(Shape::rows));
        draw.key.seed = seed;
        int below = 0, above = 0;
        for (const Row& sample : rows(values_of_draw(draw), 450)) {
            below += std::all_of(sample.first, sample.first + 450, [](float v) { return v < -1000; });
            above += std::all_of(sample.first, sample.first + 450, [](float v) { return v > 1000; });
        }
        EXPECT_EQ(below, 1) << "seed " << seed;
        EXPECT_EQ(above, 1) << "seed " << seed;
    }
}

TEST(Pattern, EndsOfAUniformLawAreThere) {
    for (const Shape pattern : {Shape::rows, Shape::columns}) {
        Draw draw = of({32, 64}, patterned(pattern, true), {Law::uniform, -1, 3});
        draw.variant.ends = true;
        const std::vector<float> all = values_of_draw(draw);
        EXPECT_GE(std::count(all.begin(), all.end(), -1.0F), 10);
        EXPECT_GE(std::count(all.begin(), all.end(), 3.0F), 10);
        EXPECT_TRUE(std::all_of(all.begin(), all.end(), [](float v) { return v >= -1 && v <= 3; }));
        draw.law = {Law::exponential, 1, 1};
        for (float v : values_of_draw(draw)) EXPECT_TRUE(std::isfinite(v));
    }
}

TEST(Pattern, BoundedValuesKeepTheirRange) {
    for (const Shape pattern : {Shape::rows, Shape::columns}) {
        for (float v : values_of_draw(of({256, 64}, patterned(pattern, true), {Law::uniform, 0, 1}))) {
            EXPECT_GE(v, 0);
            EXPECT_LT(v, 1);
        }
        for (float v : values_of_draw(of({256, 64}, patterned(pattern, true), {Law::uniform, 1, 3}))) {
            EXPECT_GE(v, 1);
            EXPECT_LT(v, 3);
        }
        int zeros = 0;
        for (float v : values_of_draw(of({256, 64}, patterned(pattern, true), {Law::exponential, 1, 0}))) {
            EXPECT_GE(v, 0);
            zeros += v == 0;
        }
        EXPECT_LE(zeros, 2);
    }
}

TEST(Pattern, EachRunHasOtherRows) {
    Draw draw = of({64, 64}, patterned(Shape::rows));
    const std::vector<float> first = values_of_draw(draw);
    EXPECT_EQ(values_of_draw(draw), first);
    draw.key.seed = 12;
    const std::vector<float> second = values_of_draw(draw);
    int same_scale = 0;
    for (int64_t r = 0; r < 64; ++r) {
        const float a = rows(first, 64)[static_cast<size_t>(r)].largest(),
                    b = rows(second, 64)[static_cast<size_t>(r)].largest();
        same_scale += a > 0.5F * b && b > 0.5F * a;
    }
    EXPECT_LT(same_scale, 56);
}

TEST(Pattern, LeavesOfOddRankAreNotScaledWithThoseOfEvenRank) {
    for (float v : values_of_draw(of({64, 64}, patterned(Shape::rows), {Law::uniform, 0.5, 1}, 1))) {
        EXPECT_GE(std::abs(v), 0.5F);
        EXPECT_LT(std::abs(v), 1);
    }
    EXPECT_EQ(values_of_draw(of({64, 64}, patterned(Shape::columns), {Law::normal, 0, 1}, 1)),
              values_of_draw(of({64, 64}, patterned(Shape::rows), {Law::normal, 0, 1}, 0)));
}

TEST(Pattern, AffineImagesAreWhatIsPatterned) {
    Draw draw = of({256, 64}, patterned(Shape::rows), {Law::uniform, 0, 1});
    draw.role.factor = 2;
    draw.role.offset = -1;
    int small = 0;
    std::vector<float> image = values_of_draw(draw);
    for (float& v : image) v = v * 2 - 1;
    for (const Row& row : rows(image, 64)) small += row.largest() < 1e-2F;
    EXPECT_GE(small, 24);
}

TEST(Pattern, IntegersKeepTheirRange) {
    Draw draw{{11, 1, 2}, {Law::integer, 0, 1, -3, 10}, plan::DType::i32, patterned(Shape::rows), {64, 50}};
    std::vector<int32_t> all(64 * 50);
    fill(draw, 0, 64 * 50, reinterpret_cast<std::byte*>(all.data()));
    int equal = 0, rising = 0, steps = 0;
    for (size_t r = 0; r < 64; ++r) {
        const auto* row = all.data() + r * 50;
        EXPECT_GE(*std::min_element(row, row + 50), -3);
        EXPECT_LT(*std::max_element(row, row + 50), 7);
        equal += std::all_of(row, row + 50, [&](int32_t v) { return v == row[0]; });
        rising += row[0] == -3 && row[1] == -2 && row[9] == 6 && row[10] == -3;
        const auto* change = std::find(row, row + 50, 6);
        steps += change != row && change != row + 50 &&
                 std::all_of(row, change, [](int32_t v) { return v == -3; }) &&
                 std::all_of(change, row + 50, [](int32_t v) { return v == 6; });
    }
    EXPECT_EQ(equal, 24);
    EXPECT_EQ(rising, 8);
    EXPECT_EQ(steps, 8);
}

TEST(Pattern, FlagsHaveRowsOfZerosAndOnes) {
    for (const Distribution& law : {Distribution{Law::bernoulli, 0.3, 1}, Distribution{Law::level}}) {
        Draw draw{{11, 1, 2}, law, plan::DType::f32, patterned(Shape::rows), {64, 50}};
        const std::vector<float> all = values_of_draw(draw);
        int zeros = 0, ones = 0, drawn = 0;
        for (size_t r = 0; r < 64; ++r) {
            const auto* row = all.data() + r * 50;
            zeros += std::all_of(row, row + 50, [](float v) { return v == 0; });
            ones += std::all_of(row, row + 50, [](float v) { return v == 1; });
            drawn +=
                law.law == Law::level && std::any_of(row, row + 50, [](float v) { return v > 0 && v < 1; });
        }
        EXPECT_GE(zeros, 8);
        EXPECT_GE(ones, 8);
        EXPECT_EQ(zeros + ones, 24);
        if (law.law == Law::level) {
            EXPECT_EQ(drawn, 24);
        }
        at::Tensor tensor = at::empty({64, 50});
        Draw plain = draw;
        plain.variant = {};
        const std::vector<float> own = values_of_draw(plain);
        std::copy(own.begin(), own.end(), tensor.data_ptr<float>());
        apply_integers(tensor, draw, 70);
        EXPECT_TRUE(std::equal(all.begin(), all.end(), tensor.data_ptr<float>()));
    }
    Draw certain{{11, 1, 2}, {Law::bernoulli, 1, 1}, plan::DType::f32, {}, {64, 50}};
    certain.variant = of_law(patterned(Shape::rows), {certain.law});
    for (const float v : values_of_draw(certain)) EXPECT_EQ(v, 1);
}

TEST(DevicePattern, IsTheSameAsElementByElement) {
    for (const Shape pattern : {Shape::rows, Shape::columns})
        for (const bool bounded : {false, true})
            for (const int rank : {0, 1})
                for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
                         {1000}, {37, 100}, {900, 40}, {8, 9, 50}, {3, 8, 5, 6}, {64, 1}, {5}}) {
                    Draw draw = of(shape, patterned(pattern, bounded), {Law::uniform, 0, 1}, rank);
                    draw.variant.ends = bounded;
                    const std::vector<float> expected = values_of_draw(draw);
                    Draw plain = draw;
                    plain.variant = {};
                    const std::vector<float> drawn = values_of_draw(plain);
                    for (const int64_t at_a_time : {int64_t{1} << 20, int64_t{70}}) {
                        at::Tensor tensor = at::empty({static_cast<int64_t>(drawn.size())});
                        std::copy(drawn.begin(), drawn.end(), tensor.data_ptr<float>());
                        apply_pattern(tensor, draw, at_a_time);
                        for (size_t i = 0; i < drawn.size(); ++i)
                            ASSERT_EQ(tensor.data_ptr<float>()[i], expected[i])
                                << i << " of " << shape.size() << " dimensions, " << describe(draw.variant);
                    }
                }
}

TEST(DevicePattern, IntegersAsWell) {
    Draw draw{{11, 1, 2}, {Law::integer, 0, 1, -3, 10}, plan::DType::i32, patterned(Shape::rows), {64, 50}};
    std::vector<int32_t> expected(64 * 50), drawn(64 * 50);
    fill(draw, 0, 64 * 50, reinterpret_cast<std::byte*>(expected.data()));
    Draw plain = draw;
    plain.variant = {};
    fill(plain, 0, 64 * 50, reinterpret_cast<std::byte*>(drawn.data()));
    at::Tensor tensor = at::empty({64, 50}, at::kInt);
    std::copy(drawn.begin(), drawn.end(), tensor.data_ptr<int32_t>());
    apply_integers(tensor, draw, 300);
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(tensor.data_ptr<int32_t>()[i], expected[i]) << i;
}

}  // namespace
}  // namespace tritonsmith::run
