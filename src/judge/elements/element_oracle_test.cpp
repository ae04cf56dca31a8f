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

/// (x[index] - mean) / deviation of those elements of `leaf`.
double normalised(int64_t index, const std::vector<int64_t>& of, double eps) {
    double mean = 0, squares = 0;
    for (int64_t i : of) mean += leaf({}, i)->value / static_cast<double>(of.size());
    for (int64_t i : of) squares += std::pow(leaf({}, i)->value - mean, 2) / static_cast<double>(of.size());
    return (leaf({}, index)->value - mean) / std::sqrt(squares + eps);
}

TEST(ElementOracle, GroupNormOfEachSamplesGroups) {
    const Json three = tensor(0, {1, 2, 3}, {6, 3, 1}), y = tensor(1, {1, 2, 3}, {6, 3, 1});
    const Json result = {{"tuple", {y, tensor(2, {1, 2}, {2, 1}), tensor(3, {1, 2}, {2, 1})}}};
    const Json weight = tensor(0, {2}, {1}, 2), bias = tensor(0, {2}, {1}, 4);  // 3, -4 and 5, -6
    for (const int64_t groups : {1, 2}) {
        const std::vector<Json> steps = {
            aten("aten::native_group_norm", {three, weight, bias, 1, 2, 3, groups, 1e-3}, result)};
        const std::vector<int64_t> group =
            groups == 1 ? std::vector<int64_t>{0, 1, 2, 3, 4, 5} : std::vector<int64_t>{3, 4, 5};
        EXPECT_NEAR(evaluate(steps, 4, y, 4), normalised(4, group, 1e-3) * -4 - 6, 1e-12) << groups;
    }
}

TEST(ElementOracle, BatchNormOfEachChannelOrByRunningStatistics) {
    const Json y = tensor(1, {2, 3}, {3, 1}), none = nullptr;
    const Json result = {{"tuple", {y, tensor(2, {3}, {1}), tensor(3, {3}, {1})}}};
    const Json mean = tensor(0, {3}, {1}), var = tensor(0, {3}, {1}, 2);  // 1, -2, 3 and 3, -4, 5
    const double of_batch = normalised(5, {2, 5}, 1e-3), by_running = (-6.0 - 3) / std::sqrt(5 + 1e-3);
    for (const char* op :
         {"aten::native_batch_norm", "aten::cudnn_batch_norm", "aten::_native_batch_norm_legit"})
        for (const bool training : {true, false})
            EXPECT_NEAR(
                evaluate({aten(op, {x, none, none, mean, var, training, 0.1, 1e-3}, result)}, 4, y, 5),
                training ? of_batch : by_running, 1e-12)
                << op << training;
    EXPECT_NEAR(
        evaluate({aten("aten::_native_batch_norm_legit.no_stats", {x, none, none, true, 0.1, 1e-3}, result)},
                 4, y, 5),
        of_batch, 1e-12);
    EXPECT_NEAR(evaluate({aten("aten::_native_batch_norm_legit_no_training",
                               {x, none, none, mean, var, 0.1, 1e-3}, result)},
                         4, y, 5),
                by_running, 1e-12);
}

TEST(ElementOracle, VarianceProductAndNormOfRows) {
    const Json y = tensor(1, {2}, {1}), dims = Json::array({1});
    const double mean = 2 / 3.0;
    const double squares = (1 - mean) * (1 - mean) + (-2 - mean) * (-2 - mean) + (3 - mean) * (3 - mean);
    EXPECT_NEAR(evaluate({aten("aten::var.correction", {x, dims}, y)}, 2, y, 0), squares / 2, 1e-12);
    EXPECT_NEAR(evaluate({aten("aten::std.correction", {x, dims}, y, {{"correction", 0}})}, 2, y, 0),
                std::sqrt(squares / 3), 1e-12);
    const Json both = {{"tuple", {y, tensor(2, {2}, {1})}}};
    EXPECT_NEAR(evaluate({aten("aten::var_mean.correction", {x, dims}, both)}, 3, y, 0), squares / 2, 1e-12);
    EXPECT_NEAR(evaluate({aten("aten::std_mean.correction", {x, dims}, both)}, 3, tensor(2, {2}, {1}), 0),
                mean, 1e-12);
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::prod.dim_int", {x, 1}, y)}, 2, y, 1), -4 * 5 * -6);
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::linalg_vector_norm", {x, 1, dims}, y)}, 2, y, 1), 4 + 5 + 6);
}

TEST(ElementOracle, SquaresMayVanishWhereRoundingsAreAskedFor) {
    const Json y = tensor(1, {2}, {1}), dims = Json::array({1});
    const plan::Plan plan = plan_with({aten("aten::std.correction", {x, dims}, y)}, 2, y);
    auto small = [](const plan::Tensor& of, int64_t at) -> std::optional<OracleElement> {
        const std::optional<OracleElement> e = leaf(of, at);
        return e ? std::optional(OracleElement{e->value * 1e-23, e->scale * 1e-23}) : e;
    };
    ElementOracle oracle(plan, small);
    const plan::Tensor out = plan::tensors_in(plan.output).front();
    EXPECT_GT(oracle.element(out, 0)->value, 1e-23);
    for (double value : oracle.noisy(out, 0, 3)) EXPECT_EQ(value, 0);
    ElementOracle usual(plan, leaf);
    for (double value : usual.noisy(out, 0, 3)) EXPECT_NEAR(value, usual.element(out, 0)->value, 1e-5);
}

TEST(ElementOracle, AveragesOfWindows) {
    // One plane of two rows and three columns: 1 -2 3 / -4 5 -6.
    const Json plane = tensor(0, {1, 1, 2, 3}, {6, 6, 3, 1}), two = Json::array({2, 2}),
               one = Json::array({1, 1});
    const Json y = tensor(1, {1, 1, 1, 2}, {2, 2, 2, 1}), padded = tensor(1, {1, 1, 3, 4}, {12, 12, 4, 1});
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::avg_pool2d", {plane, two, one}, y)}, 2, y, 1),
                     (-2 + 3 + 5 - 6) / 4.0);
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::avg_pool2d", {plane, two, one, one}, padded)}, 2, padded, 1),
                     (1 - 2) / 4.0);
    EXPECT_DOUBLE_EQ(
        evaluate({aten("aten::avg_pool2d", {plane, two, one, one, false, false}, padded)}, 2, padded, 1),
        (1 - 2) / 2.0);
    EXPECT_DOUBLE_EQ(
        evaluate({aten("aten::avg_pool2d", {plane, two, one, one, false, true, 8}, padded)}, 2, padded, 1),
        (1 - 2) / 8.0);
    EXPECT_TRUE(
        std::isnan(evaluate({aten("aten::avg_pool2d", {plane, two, one, one, true}, padded)}, 2, padded, 1)));
    // Two windows of three columns: they share the middle one.
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::_adaptive_avg_pool2d", {plane, Json::array({1, 2})}, y)}, 2, y, 0),
                     (1 - 2 - 4 + 5) / 4.0);
    EXPECT_DOUBLE_EQ(evaluate({aten("aten::_adaptive_avg_pool2d", {plane, Json::array({1, 2})}, y)}, 2, y, 1),
                     (-2 + 3 + 5 - 6) / 4.0);
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
