#include "run/worker/oracle/oracle.h"

#include <gtest/gtest.h>

#include "plan/transform/absolute.h"
#include "run/worker/oracle/inner_rounding.h"
#include "run/worker/oracle/oracle_testing.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using testing::integers;
using testing::OracleBench;
using testing::value;

/// Oracle and magnitudes of the first output.
std::pair<at::Tensor, at::Tensor> runs_of(const OracleBench& bench) {
    OracleTerms terms(bench.plan);
    const plan::Plan promoted = bench.promoted();
    const plan::Plan magnitudes =
        plan::absolute(promoted, [&](const plan::AtenStep& step) { return terms.given(step); });
    at::Tensor oracle = bench.run(promoted, false, [&](Executor& executor) { terms.keep(executor); });
    return {oracle, bench.run(magnitudes, true, [&](Executor& executor) { terms.raise(executor); })};
}

TEST(OracleTerms, AnExponentialsErrorIsItselfTimesThatOfItsArgument) {
    OracleBench bench;
    const plan::Tensor x = bench.drawn({1000});
    const plan::Tensor far = bench.result("aten::mul.Scalar", {value(x), {-40.0}}, {1000});
    bench.plan.output = value(bench.result("aten::exp", {value(far)}, {1000}));
    const auto [oracle, magnitudes] = runs_of(bench);
    EXPECT_TRUE(magnitudes.allclose(oracle * (oracle.log().abs() + 1), 1e-9, 0));
}

TEST(OracleTerms, ASoftmaxIsAtLeastWhatItIs) {
    OracleBench bench;
    const plan::Tensor x = bench.drawn({50, 20});
    bench.plan.output = value(bench.result("aten::_softmax", {value(x), {int64_t{1}}, {false}}, {50, 20}));
    const auto [oracle, magnitudes] = runs_of(bench);
    EXPECT_TRUE(magnitudes.ge(oracle).all().item<bool>());
}

TEST(OracleTerms, SamplesAreOffByTheErrorsOfTheirPlaces) {
    OracleBench bench;
    const plan::Tensor x = bench.drawn({1, 2, 32, 64}), drawn = bench.drawn({1, 20, 30, 2});
    const plan::Tensor places = bench.result("aten::mul.Scalar", {value(drawn), {0.5}}, {1, 20, 30, 2});
    bench.plan.output =
        value(bench.result("aten::grid_sampler_2d",
                           {value(x), value(places), {int64_t{0}}, {int64_t{0}}, {false}}, {1, 2, 20, 30}));
    const auto [oracle, magnitudes] = runs_of(bench);
    EXPECT_TRUE(magnitudes.ge(oracle.abs()).all().item<bool>());
    // Three half units of 2^-23 of a place of some 50 each change two shares: S counts that.
    EXPECT_TRUE(magnitudes.ge(4).any().item<bool>());
    EXPECT_LT(magnitudes.max().item<double>(), 1000);
}

OracleBench exact_attention(DType dtype) {
    OracleBench bench;
    const plan::Tensor q = bench.drawn({1, 2, 12, 8}, dtype), k = bench.drawn({1, 2, 12, 8}, dtype),
                       v = bench.drawn({1, 2, 12, 8}, dtype), out = bench.tensor({1, 2, 12, 8}, dtype),
                       sums = bench.tensor({1, 2, 12});
    bench.forward("aten::_scaled_dot_product_flash_attention_for_cpu",
                  {value(q), value(k), value(v), {0.0}, {true}},
                  testing::sequence({value(out), value(sums)}));
    bench.plan.output = value(out);
    return bench;
}

TEST(OracleTerms, AttentionKeepsItsProbabilities) {
    const auto [oracle, magnitudes] = runs_of(exact_attention(DType::f32));
    EXPECT_TRUE(magnitudes.ge(oracle.abs()).all().item<bool>());
    // The first query sees one key: its probability is one, whatever the score.
    const at::Tensor first = oracle.select(2, 0).abs();
    EXPECT_TRUE(magnitudes.select(2, 0).ge(first).all().item<bool>());
    EXPECT_TRUE(magnitudes.select(2, 0).le(first * 20).all().item<bool>());
}

TEST(OracleTerms, OfNarrowTypesItIsWhatIsRoundedInside) {
    const auto [oracle, magnitudes] = runs_of(exact_attention(DType::bf16));
    EXPECT_TRUE(magnitudes.select(2, 0).allclose(oracle.select(2, 0).abs(), 1e-9, 0)) << "one key";
    OracleBench norm;
    const plan::Tensor x = norm.drawn({20, 100}, DType::bf16), out = norm.tensor({20, 100}, DType::bf16),
                       mean = norm.tensor({20, 1}), rstd = norm.tensor({20, 1});
    norm.forward("aten::native_layer_norm", {value(x), integers({100}), {}, {}, {1e-5}},
                 testing::sequence({value(out), value(mean), value(rstd)}));
    norm.plan.output = value(out);
    const auto [normal, terms] = runs_of(norm);
    EXPECT_TRUE(terms.ge(normal.abs() * (std::sqrt(2.0) - 1e-9)).all().item<bool>());
}

TEST(OracleTerms, ANormsErrorIsThatOfTheMeanWhichItSubtracts) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
        OracleBench norm;
        const plan::Tensor x = norm.drawn({20, 100}, dtype),
                           far = norm.result("aten::add.Scalar", {value(x), {300.0}}, {20, 100}, dtype),
                           out = norm.tensor({20, 100}, dtype), mean = norm.tensor({20, 1}),
                           rstd = norm.tensor({20, 1});
        norm.forward("aten::native_layer_norm", {value(far), integers({100}), {}, {}, {1e-5}},
                     testing::sequence({value(out), value(mean), value(rstd)}));
        norm.plan.output = value(out);
        const auto [normal, terms] = runs_of(norm);
        EXPECT_TRUE(terms.ge(400).all().item<bool>()) << "300 from each of the two, times about one";
        EXPECT_TRUE(terms.le(1200).all().item<bool>());
    }
}

}  // namespace
}  // namespace tritonsmith::run
