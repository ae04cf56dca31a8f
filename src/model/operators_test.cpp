#include "model/operators.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "model/cpu/kernels.h"
#include "model/rope.h"

namespace tritonsmith::model {
namespace {

/// max |a - b| / max |b|
double distance(const at::Tensor& a, const at::Tensor& b) {
    return ((a.to(at::kDouble) - b.to(at::kDouble)).abs().max() /
            b.to(at::kDouble).abs().max().clamp_min(1e-30))
        .item<double>();
}

struct Shape {
    int64_t rows, inputs, outputs;
};
const Shape shapes[] = {{1, 64, 96},  {1, 61, 7},   {2, 128, 33},  {3, 17, 5},   {5, 1000, 130},
                        {16, 96, 40}, {17, 96, 40}, {70, 333, 51}, {300, 64, 64}};

TEST(CpuOperators, ProductsAreThoseOfTorch) {
    for (const auto& [rows, inputs, outputs] : shapes) {
        const at::Tensor x = at::randn({rows, inputs}), w = at::randn({outputs, inputs}),
                         bias = at::randn({outputs});
        const Matrix matrices[] = {{w, {}}, {w.to(at::kBFloat16), {}}, quantise(w)};
        for (const Matrix& matrix : matrices) {
            const at::Tensor exact = at::linear(x.to(at::kDouble), dequantise(matrix).to(at::kDouble));
            EXPECT_LT(distance(cpu_operators().linear(x, matrix, {}, at::kFloat), exact), 2e-6)
                << rows << " " << inputs << " " << outputs;
            EXPECT_LT(distance(cpu_operators().linear(x, matrix, bias, at::kFloat), exact + bias), 2e-6);
        }
    }
}

TEST(CpuOperators, ARowsProductDoesNotDependOnTheOthers) {
    for (const auto& [inputs, outputs] : {std::pair<int64_t, int64_t>{640, 77}, {61, 64}}) {
        const at::Tensor x = at::randn({100, inputs}), w = at::randn({outputs, inputs}),
                         bias = at::randn({outputs});
        for (const Matrix& matrix : {Matrix{w, {}}, Matrix{w.to(at::kBFloat16), {}}, quantise(w)}) {
            const at::Tensor all = cpu_operators().linear(x, matrix, bias, at::kFloat);
            for (int64_t count : {1, 2, 3, 4, 5, 7, 8, 16, 17, 64})
                for (int64_t first : {0, 13}) {
                    const at::Tensor some = cpu_operators().linear(x.narrow(0, first, count).contiguous(),
                                                                   matrix, bias, at::kFloat);
                    EXPECT_TRUE(at::equal(some, all.narrow(0, first, count)))
                        << count << " rows from " << first;
                }
        }
    }
}

TEST(AtenOperators, FixedRowsMakeRowsIndependent) {
    const at::Tensor x = at::randn({130, 256}), bias = at::randn({96});
    const Matrix matrix{at::randn({96, 256}), {}};
    const at::Tensor all = aten_operators(true).linear(x, matrix, bias, at::kFloat);
    EXPECT_LT(distance(all, at::linear(x, matrix.values, bias)), 1e-5);
    for (int64_t count : {1, 7, 64, 65})
        EXPECT_TRUE(at::equal(aten_operators(true).linear(x.narrow(0, 0, count), matrix, bias, at::kFloat),
                              all.narrow(0, 0, count)))
            << count;
}

/// Of the same weights: as rows, and in tiles where the machine has a matrix unit.
std::vector<std::pair<Matrix, Matrix>> in_tiles(const at::Tensor& weight) {
    std::vector<std::pair<Matrix, Matrix>> both;
    for (const Matrix& matrix : {Matrix{weight.to(at::kBFloat16)}, quantise(weight)})
        if (tile_kernels(matrix.dtype()) != nullptr) both.emplace_back(matrix, for_products(matrix));
    return both;
}
/// Inputs and outputs that fill tiles and panels, and that do not.
const std::pair<int64_t, int64_t> tilings[] = {{1, 1},    {31, 15},  {32, 16},   {33, 17},  {64, 64},
                                               {100, 65}, {127, 33}, {512, 200}, {700, 112}};

TEST(CpuOperators, ProductsInTilesLoseNothing) {
    if (cpu_kernels().tiles_bf16 == nullptr) GTEST_SKIP() << "no matrix unit here: " << cpu_kernels().isa;
    for (const auto& [inputs, outputs] : tilings)
        for (const auto& [rows, tiles] : in_tiles(at::randn({outputs, inputs}))) {
            const at::Tensor bias = at::randn({outputs});
            const at::Tensor x = at::randn({70, inputs});
            const at::Tensor expected =
                at::linear(x.to(at::kDouble), dequantise(rows).to(at::kDouble)) + bias;
            const at::Tensor all = cpu_operators().linear(x, tiles, bias, at::kFloat);
            EXPECT_LT(distance(all, expected), 1e-6) << tiles.dtype() << inputs << " x " << outputs;
            EXPECT_LT(distance(cpu_operators().linear(x, tiles, {}, at::kFloat), expected - bias), 1e-6);
            EXPECT_LT(distance(all, cpu_operators().linear(x, rows, bias, at::kFloat)), 2e-6);
            for (int64_t count : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33})
                for (int64_t first : {0, 13, 70 - static_cast<int>(count)})
                    EXPECT_TRUE(at::equal(cpu_operators().linear(x.narrow(0, first, count).contiguous(),
                                                                 tiles, bias, at::kFloat),
                                          all.narrow(0, first, count)))
                        << tiles.dtype() << count << " rows from " << first;
        }
}

TEST(CpuOperators, ProductsInTilesOfManyRows) {
    const at::Tensor x = at::randn({1500, 300});  // more than are taken at once
    for (const auto& [rows, tiles] : in_tiles(at::randn({150, 300}))) {
        const at::Tensor found = cpu_operators().linear(x, tiles, {}, at::kFloat);
        EXPECT_LT(distance(found, at::linear(x.to(at::kDouble), dequantise(rows).to(at::kDouble))), 1e-6);
        EXPECT_TRUE(at::equal(cpu_operators().linear(x.narrow(0, 1490, 1), tiles, {}, at::kFloat),
                              found.narrow(0, 1490, 1)));
    }
}

TEST(CpuOperators, ProductsInTilesOfExtremes) {
    const at::Tensor weight = at::randn({40, 96});
    for (const auto& [rows, tiles] : in_tiles(weight)) {
        const at::Tensor exact = dequantise(rows).to(at::kDouble);
        // One great element beside small ones, rows of great and of tiny numbers, and one of zeros.
        at::Tensor x = at::randn({5, 96});
        x[0][17] = 3000;
        x[1] *= 1e30;
        x[2] *= 1e-30;
        x[3].zero_();
        const at::Tensor found = cpu_operators().linear(x, tiles, {}, at::kFloat);
        for (int64_t i = 0; i < 5; ++i)
            EXPECT_LT(distance(found[i], at::linear(x[i].to(at::kDouble), exact)), 1e-6) << i;
        EXPECT_TRUE(at::equal(found[3], at::zeros({40})));
        for (int64_t i = 0; i < 5; ++i)
            EXPECT_TRUE(
                at::equal(cpu_operators().linear(x.narrow(0, i, 1), tiles, {}, at::kFloat)[0], found[i]))
                << tiles.dtype() << ", row " << i << " alone";
        // What is no number stays in its row.
        x[1][5] = NAN;
        x[2][95] = INFINITY;
        const at::Tensor spoilt = cpu_operators().linear(x, tiles, {}, at::kFloat);
        EXPECT_FALSE(spoilt.narrow(0, 1, 2).isfinite().any().item<bool>());
        EXPECT_TRUE(at::equal(spoilt[0], found[0]));
        EXPECT_TRUE(at::equal(spoilt[4], found[4]));
    }
}

TEST(CpuOperators, ProductsInTilesOfTheGreatestSums) {
    constexpr int64_t inputs = 100000;
    const at::Tensor weight = at::ones({16, inputs});
    weight[1].neg_();
    const at::Tensor x = at::full({2, inputs}, 0.99609375f);  // 0xFF: all digits are large
    for (const auto& [rows, tiles] : in_tiles(weight)) {
        const at::Tensor found = cpu_operators().linear(x, tiles, {}, at::kFloat);
        EXPECT_LT(distance(found, at::linear(x.to(at::kDouble), dequantise(rows).to(at::kDouble))), 1e-6);
        EXPECT_TRUE(at::equal(cpu_operators().linear(x.narrow(0, 1, 1), tiles, {}, at::kFloat),
                              found.narrow(0, 1, 1)));
    }
}

TEST(CpuOperators, OneForEveryInstructionSet) {
    std::vector<const CpuKernels*> sets = {&isa_base::kernels()};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&isa_avx2::kernels());
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        sets.push_back(&isa_avx512::kernels());
#endif
    const at::Tensor x = at::randn({6, 100}), w = at::randn({20, 100}).to(at::kBFloat16);
    const at::Tensor exact = at::linear(x.to(at::kDouble), w.to(at::kDouble));
    for (const CpuKernels* set : sets) {
        at::Tensor y = at::full({6, 20}, 7.0f);
        Product product{.x = x.const_data_ptr<float>(),
                        .w = w.const_data_ptr(),
                        .y = y.mutable_data_ptr<float>(),
                        .rows = 6,
                        .inputs = 100,
                        .x_stride = 100,
                        .y_stride = 20,
                        .begin = 0,
                        .end = 20};
        set->product_bf16(product);
        EXPECT_LT(distance(y, exact), 2e-6) << set->isa;
        at::Tensor out = at::empty({50});
        set->silu_mul(x.const_data_ptr<float>(), x.const_data_ptr<float>() + 50, 50,
                      out.mutable_data_ptr<float>());
        EXPECT_LT(distance(out, at::silu(x[0].narrow(0, 0, 50).to(at::kDouble)) * x[0].narrow(0, 50, 50)),
                  1e-6)
            << set->isa;
    }
}

TEST(CpuOperators, RowsOperationsAreThoseOfTorch) {
    const Operators &cpu = cpu_operators(), &aten = aten_operators();
    for (int64_t width : {8, 61, 64, 1030}) {
        const at::Tensor x = at::randn({5, width}) * 3, y = at::randn({5, width}),
                         weight = at::rand({width}) + 0.5;
        EXPECT_LT(distance(cpu.rms_norm(x, weight, 1e-6), aten.rms_norm(x, weight, 1e-6)), 1e-6);
        at::Tensor mine = x.clone(), theirs = x.clone();
        EXPECT_LT(
            distance(cpu.add_rms_norm(mine, y, weight, 1e-6), aten.add_rms_norm(theirs, y, weight, 1e-6)),
            1e-6);
        EXPECT_TRUE(at::equal(mine, theirs));
        const at::Tensor gates = at::randn({5, 2 * width}) * 20;
        EXPECT_LT(distance(cpu.silu_mul(gates), aten.silu_mul(gates.to(at::kDouble))), 1e-6);
    }
    const at::Tensor extremes =
        at::tensor({-1e30f, -200.f, -104.f, -88.f, -87.f, 0.f, 88.f, 100.f, 1e30f, 1.f}).repeat({1, 4});
    const at::Tensor ones = at::ones_like(extremes);
    const at::Tensor silu = cpu.silu_mul(at::cat({extremes, ones}, 1));
    EXPECT_TRUE(silu.isfinite().all().item<bool>());
    EXPECT_LT(((silu - at::silu(extremes)).abs() / (extremes.abs() * 1e-6 + 1e-30)).max().item<double>(),
              1.0);
}

TEST(CpuOperators, Embedding) {
    const at::Tensor table = at::randn({30, 24}), tokens = at::tensor({3, 0, 29, 3}, at::kLong);
    EXPECT_TRUE(
        at::equal(cpu_operators().embedding({table, {}}, tokens, at::kFloat), table.index_select(0, tokens)));
    const at::Tensor half = table.to(at::kBFloat16);
    EXPECT_TRUE(at::equal(cpu_operators().embedding({half, {}}, tokens, at::kFloat),
                          half.index_select(0, tokens).to(at::kFloat)));
    const Matrix small = quantise(table);
    EXPECT_TRUE(at::equal(cpu_operators().embedding(small, tokens, at::kFloat),
                          dequantise(small).index_select(0, tokens)));
    for (const auto& [rows, tiles] : in_tiles(table))
        EXPECT_TRUE(at::equal(cpu_operators().embedding(tiles, tokens, at::kFloat),
                              cpu_operators().embedding(rows, tokens, at::kFloat)));
    EXPECT_THROW(cpu_operators().embedding({table, {}}, at::tensor({30}, at::kLong), at::kFloat), InputError);
    EXPECT_THROW(cpu_operators().embedding({table, {}}, at::tensor({-1}, at::kLong), at::kFloat), InputError);
}

TEST(CpuOperators, Rotate) {
    const Heads heads{4, 2, 24};
    Config config;
    config.head_dim = 24;
    const RopeRows rows = rope_rows(rope_frequencies(config), at::arange(50), at::kFloat);
    const at::Tensor which = at::tensor({0, 7, 49}, at::kLong), qkv = at::randn({3, heads.row()}),
                     norm = at::rand({24}) + 0.5;
    for (const at::Tensor& weight : {at::Tensor(), norm}) {
        at::Tensor mine = qkv.clone(), theirs = qkv.clone();
        cpu_operators().rotate(mine, heads, weight, weight, 1e-6, {rows.cos, rows.sin, which}, nullptr);
        aten_operators().rotate(theirs, heads, weight, weight, 1e-6, {rows.cos, rows.sin, which}, nullptr);
        EXPECT_LT(distance(mine, theirs), 1e-6);
        EXPECT_FALSE(at::equal(mine.narrow(1, 0, 144), qkv.narrow(1, 0, 144)));
        EXPECT_TRUE(at::equal(mine.narrow(1, 144, 48), qkv.narrow(1, 144, 48))) << "values stay";
        at::Tensor picked = qkv.clone();
        cpu_operators().rotate(picked, heads, weight, weight, 1e-6,
                               {rows.cos.index_select(0, which), rows.sin.index_select(0, which), {}},
                               nullptr);
        EXPECT_TRUE(at::equal(picked, mine));
    }
}

TEST(Quantise, RoundsToTheNearestOf255Steps) {
    const at::Tensor weight = at::cat({at::randn({20, 64}) * 3, at::zeros({1, 64})});
    const Matrix matrix = quantise(weight);
    const at::Tensor half_step = weight.abs().amax(1, true) / 254;
    EXPECT_TRUE(((dequantise(matrix) - weight).abs() <= half_step * 1.001).all().item<bool>());
    EXPECT_EQ(matrix.values.scalar_type(), at::kChar);
}

TEST(Quantise, InE4m3ErrsByASixteenthAtMost) {
    const at::Tensor weight = at::cat({at::randn({20, 64}) * 3, at::zeros({1, 64})});
    const Matrix matrix = quantise(weight, at::kFloat8_e4m3fn);
    // Below 2^-6 numbers are 2^-9 apart, in units of the scale.
    const at::Tensor most = weight.abs() / 16 + matrix.scales.unsqueeze(1) / 1024;
    EXPECT_TRUE(((dequantise(matrix) - weight).abs() <= most * 1.001).all().item<bool>());
    EXPECT_EQ(matrix.values.scalar_type(), at::kFloat8_e4m3fn);
    EXPECT_TRUE(at::equal(matrix.values.to(at::kFloat).abs().amax(1),
                          at::cat({at::full({20}, 448.0), at::zeros({1})})));
}

}  // namespace
}  // namespace tritonsmith::model
