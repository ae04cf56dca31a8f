#include <gtest/gtest.h>

#include <random>

#include "plan/analysis/cost.h"
#include "plan/analysis/describe.h"
#include "plan/analysis/liveness.h"
#include "plan/analysis/reduction.h"
#include "plan/analysis/reference.h"
#include "plan/ir/build.h"
#include "plan/ir/json.h"
#include "plan/ir/validate.h"
#include "plan/policy/policy.h"
#include "plan/transform/absolute.h"
#include "plan/transform/promote.h"
#include "plan/weights/link.h"

/// A plan that a hostile process mutilates is refused with InputError or a Finding, or everything that later
/// code does with it works. Meant for the asan preset; the seed is fixed, so a failure repeats.
namespace tritonsmith::plan {
namespace {

using B = Builder;

Plan seed_plan() {
    B b;
    Tensor x = b.input({8, 16}), i = b.input({8}, DType::i64);
    b.phase(Phase::init);
    Tensor w = b.make("aten::empty.memory_format", B::args(B::list({16})), {16});
    b.op("aten::uniform_", B::args(w, -1.0, 1.0), w, 0);
    Tensor half = b.make("aten::_to_copy", B::args(w), {16}, DType::f16);
    Tensor c = b.constant({4});
    b.weight("w", w);
    b.weight("c", c, false);
    b.phase(Phase::forward);
    Tensor y = b.make("aten::empty_like", B::args(x), {8, 16});
    b.launch(
        {{x}, {Pointer{w.buffer, 4}}, {int64_t{32}}, {1.5}, {Descriptor{x, {2, 8}, "zero"}}, {half}, {y}},
        {2, 3, 1});
    Step launch{LaunchStep{0, {1, 1, 1}, {{y}}}, Phase::forward, 20};
    b.add(ChoiceStep{{{"A", {launch}}, {"B", {launch, launch}}}});
    Tensor z = b.make("aten::native_layer_norm", B::args(y, B::list({16}), w, w, 1e-5), {8, 16});
    Tensor v = b.make("aten::var.correction", B::args(z, B::list({1})), {8});
    b.make("aten::convolution",
           B::args(z, w, Value{}, B::list({1}), B::list({1}), B::list({1}), false, B::list({0}), 2), {8, 16});
    b.free(v);
    b.add(ReadStep{i, {1, 2, 3, 4, 5, 6, 7, 8}});
    b.plan.output = B::tensors({z, y});
    return b.plan;
}

/// Every value inside a JSON document, the document included.
void collect(Json& json, std::vector<Json*>& out) {
    out.push_back(&json);
    if (json.is_structured())
        for (Json& item : json) collect(item, out);
}

Json random_leaf(std::mt19937_64& random) {
    switch (random() % 14) {
        case 0:
            return nullptr;
        case 1:
            return true;
        case 2:
            return INT64_MAX;
        case 3:
            return INT64_MIN;
        case 4:
            return UINT64_MAX;
        case 5:
            return -1;
        case 6:
            return int64_t{1} << (random() % 63);
        case 7:
            return static_cast<int64_t>(random() % 9);
        case 8:
            return 1e308;
        case 9:
            return "aten::" + std::string(random() % 2 ? "copy_" : "view");
        case 10:
            return std::string(random() % 300, 'x');
        case 11:
            return Json::array({1, 2});
        case 12:
            return Json::object();
        default:
            return Json{{"tensor",
                         {{"buffer", random() % 8},
                          {"dtype", "f32"},
                          {"shape", {4}},
                          {"stride", {1}},
                          {"offset", random() % 40}}}};
    }
}

void mutate(Json& json, std::mt19937_64& random) {
    std::vector<Json*> nodes;
    collect(json, nodes);
    Json& node = *nodes[random() % nodes.size()];
    switch (random() % 5) {
        case 0:
            if (node.is_structured() && !node.empty()) {  // drop a part
                auto it = node.begin();
                std::advance(it, static_cast<int64_t>(random() % node.size()));
                node.erase(it);
                break;
            }
            [[fallthrough]];
        case 1:
            if (node.is_array() && !node.empty()) {  // repeat a part
                Json copy = node[random() % node.size()];
                node.push_back(std::move(copy));
                break;
            }
            [[fallthrough]];
        case 2:
            if (node.is_number_integer()) {
                node = static_cast<int64_t>(static_cast<uint64_t>(node.get<int64_t>()) + random() % 5 -
                                            2);  // wraps
                break;
            }
            [[fallthrough]];
        case 3: {  // another part in its place
            Json copy = *nodes[random() % nodes.size()];
            if (copy.dump().size() < 4000) {
                node = std::move(copy);
                break;
            }
            [[fallthrough]];
        }
        default:
            node = random_leaf(random);
    }
}

/// True where the plan was good enough to be used.
bool use(const Json& json) {
    Plan plan;
    try {
        plan = from_json_unchecked(json);
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()), "");
        return false;
    }
    EXPECT_EQ(to_json(from_json_unchecked(to_json(plan))), to_json(plan));
    if (auto finding = validate(plan)) {
        EXPECT_TRUE(finding->reason == "plan_invalid" || finding->reason == "compile_option_forbidden" ||
                    finding->reason == "grid_too_large")
            << finding->reason;
        return false;
    }
    check_policy(plan, {});
    launches_on_output_path(plan);
    moves_only(plan);
    uncomputed_outputs(plan);
    EXPECT_GE(cost(plan).bytes, 0);
    EXPECT_NE(describe(plan, false), "");
    EXPECT_GE(longest_reduction(plan), 1);
    link_weights(plan, plan);
    std::vector<std::string> rounding;
    absolute(promote(plan, rounding));
    return true;
}

TEST(PlanFuzz, MutilatedPlansAreRefusedOrWork) {
    Json whole = to_json(seed_plan());
    ASSERT_TRUE(use(whole));
    std::mt19937_64 random(20251121);
    int usable = 0;
    for (int round = 0; round < 3000; ++round) {
        Json json = whole;
        for (uint64_t k = 0; k < 1 + random() % 4; ++k) mutate(json, random);
        usable += use(json);
    }
    EXPECT_GT(usable, 100) << "the mutations are too coarse to reach what comes after validation";
    EXPECT_LT(usable, 2900) << "the mutations change nothing";
}

}  // namespace
}  // namespace tritonsmith::plan
