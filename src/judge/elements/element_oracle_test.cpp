#include "judge/elements/element_oracle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {
namespace {

/// A plan whose buffer 0 is x[rows, columns] with x[i] = leaf(i), and the given forward steps.
plan::Plan plan_with(const std::vector<Json>& steps, int buffers, const Json& output) {
    Json json = {
        {"version", 1},
        {"role", "reference"},
        {"device", "cuda"},
        {"target", "sm_90"},
        {"kernels", Json::array()},
        {"weights", Json::array()},
        {"inputs",
         Json::array(
             {{{"tensor",
                {{"buffer", 0}, {"dtype", "f32"}, {"shape", {2, 3}}, {"stride", {3, 1}}, {"offset", 0}}}}})},
        {"init_inputs", Json::array()},
        {"constants", Json::object()},
        {"output", output},
        {"warnings", Json::array()}};
    json["buffers"] = Json::array();
    for (int id = 0; id < buffers; id++)
        json["buffers"].push_back({{"id", id},
                                   {"kind", id == 0 ? "input" : "allocation"},
                                   {"bytes", 64},
                                   {"address", uint64_t{0x200000000000} + static_cast<uint64_t>(id) * 512},
                                   {"line", 0}});
    json["steps"] = steps;
    return plan::from_json(json);
}

Json tensor(int buffer, std::vector<int64_t> shape, std::vector<int64_t> stride, int64_t offset = 0) {
    return {
        {"tensor",
         {{"buffer", buffer}, {"dtype", "f32"}, {"shape", shape}, {"stride", stride}, {"offset", offset}}}};
}

Json aten(const std::string& op, const std::vector<Json>& args, const Json& result,
          const Json& kwargs = Json::object()) {
    return {{"kind", "aten"}, {"phase", "forward"}, {"line", 1},       {"op", op},
            {"args", args},   {"kwargs", kwargs},   {"result", result}};
}

/// x = 1, -2, 3, / -4, 5, -6
std::optional<OracleElement> leaf(const plan::Tensor&, int64_t at) {
    const double v = at % 2 == 0 ? static_cast<double>(at + 1) : -static_cast<double>(at + 1);
    return OracleElement{v, std::abs(v)};
}

bool leaf_line(const plan::Tensor& tensor, int64_t at, int64_t stride, std::span<double> out) {
    for (size_t i = 0; i < out.size(); i++)
        out[i] = leaf(tensor, at + static_cast<int64_t>(i) * stride)->value;
    return true;
}

double evaluate(const std::vector<Json>& steps, int buffers, const Json& output, int64_t index) {
    const plan::Plan plan = plan_with(steps, buffers, output);
    const plan::Tensor tensor = plan::tensors_in(plan.output).front();
    ElementOracle one_by_one(plan, leaf), by_line(plan, leaf, leaf_line);
    const auto e = one_by_one.element(tensor, index), same = by_line.element(tensor, index);
    EXPECT_EQ(e.has_value(), same.has_value());
    if (e && same) {
        EXPECT_EQ(std::pair(e->value, e->scale), std::pair(same->value, same->scale));
    }
    return e ? e->value : NAN;
}

const Json x = tensor(0, {2, 3}, {3, 1});

TEST(ElementOracle, PointwiseChain) {
    const Json y = tensor(1, {2, 3}, {3, 1}), z = tensor(2, {2, 3}, {3, 1});
    const std::vector<Json> steps = {aten("aten::relu", {x}, y),
                                     aten("aten::add.Tensor", {y, x}, z, {{"alpha", 2}})};
    EXPECT_DOUBLE_EQ(evaluate(steps, 3, z, 2), 3 + 2 * 3);
    EXPECT_DOUBLE_EQ(evaluate(steps, 3, z, 1), 0 + 2 * -2);
}

TEST(ElementOracle, ViewsAreStrides) {
    const Json t = tensor(0, {3, 2}, {1, 3}), y = tensor(1, {3, 2}, {2, 1});
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::neg", {t}, y)}, 2, y, 3), -5);  // y[1][1] = -x[1][1]
}

TEST(ElementOracle, BroadcastAndReduction) {
    const Json row = tensor(1, {3}, {1}), y = tensor(2, {2, 3}, {3, 1});
    const std::vector<Json> steps = {aten("aten::sum.dim_IntList", {x, Json::array({0})}, row),
                                     aten("aten::mul.Tensor", {x, row}, y)};
    EXPECT_DOUBLE_EQ(evaluate(steps, 3, y, 4), 5 * (-2 + 5));
}

TEST(ElementOracle, InPlaceStepsSeeWhatWasThereBefore) {
    const Json y = tensor(1, {2, 3}, {3, 1});
    const std::vector<Json> steps = {aten("aten::clone", {x}, y), aten("aten::mul_.Tensor", {y, 2.0}, y),
                                     aten("aten::relu_", {y}, y)};
    EXPECT_DOUBLE_EQ(evaluate(steps, 2, y, 2), 6);
    EXPECT_DOUBLE_EQ(evaluate(steps, 2, y, 3), 0);
}

TEST(ElementOracle, ProductAndItsMagnitude) {
    const Json t = tensor(0, {3, 2}, {1, 3}), y = tensor(1, {2, 2}, {2, 1});
    const plan::Plan plan = plan_with({aten("aten::mm", {x, t}, y)}, 2, y);
    ElementOracle oracle(plan, leaf);
    const auto e = oracle.element(plan::tensors_in(plan.output).front(), 1);  // row 0 · row 1
    ASSERT_TRUE(e);
    EXPECT_DOUBLE_EQ(e->value, 1 * -4 + -2 * 5 + 3 * -6);
    EXPECT_DOUBLE_EQ(e->scale, 4 + 10 + 18);
}

TEST(ElementOracle, SoftmaxSumsToOne) {
    const Json y = tensor(1, {2, 3}, {3, 1});
    const std::vector<Json> steps = {aten("aten::_softmax", {x, -1, false}, y)};
    EXPECT_NEAR(evaluate(steps, 2, y, 3) + evaluate(steps, 2, y, 4) + evaluate(steps, 2, y, 5), 1, 1e-12);
    EXPECT_NEAR(evaluate(steps, 2, y, 4), 1 / (1 + std::exp(-9.0) + std::exp(-11.0)), 1e-12);
}

TEST(ElementOracle, LayerNormWithoutAffine) {
    const Json y = tensor(1, {2, 3}, {3, 1});
    const double mean = (1 - 2 + 3) / 3.0;
    const double var = ((1 - mean) * (1 - mean) + (-2 - mean) * (-2 - mean) + (3 - mean) * (3 - mean)) / 3;
    const Json result = {{"tuple", {y, tensor(2, {2, 1}, {1, 1}), tensor(3, {2, 1}, {1, 1})}}};
    const std::vector<Json> steps = {
        aten("aten::native_layer_norm", {x, Json::array({3}), nullptr, nullptr, 1e-5}, result)};
    EXPECT_NEAR(evaluate(steps, 4, y, 0), (1 - mean) / std::sqrt(var + 1e-5), 1e-12);
}

TEST(ElementOracle, VarianceProductAndNormOfRows) {
    const Json y = tensor(1, {2}, {1}), dims = Json::array({1});
    const double mean = 2 / 3.0;
    const double squares =
        (1 - mean) * (1 - mean) + (-2 - mean) * (-2 - mean) + (3 - mean) * (3 - mean);
    EXPECT_NEAR(evaluate({aten("aten::var.correction", {x, dims}, y)}, 2, y, 0), squares / 2, 1e-12);
    EXPECT_NEAR(evaluate({aten("aten::std.correction", {x, dims}, y, {{"correction", 0}})}, 2, y, 0),
                std::sqrt(squares / 3), 1e-12);
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::prod.dim_int", {x, 1}, y)}, 2, y, 1), -4 * 5 * -6);
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::linalg_vector_norm", {x, 1, dims}, y)}, 2, y, 1), 4 + 5 + 6);
}

TEST(ElementOracle, SaysNothingWhereItHasNoOperator) {
    const Json y = tensor(1, {2, 3}, {3, 1});
    EXPECT_TRUE(std::isnan(evaluate({aten("aten::frobnicate", {x}, y)}, 2, y, 0)));
}

TEST(ElementOracle, SaysNothingBeyondItsBudget) {
    const Json y = tensor(1, {}, {});
    const plan::Plan plan = plan_with({aten("aten::sum", {x}, y)}, 2, y);
    ElementOracle oracle(plan, leaf);
    EXPECT_FALSE(oracle.element(plan::tensors_in(plan.output).front(), 0, 3));
    EXPECT_TRUE(oracle.element(plan::tensors_in(plan.output).front(), 0, 100));
}

}  // namespace
}  // namespace tritonsmith::judge
