#include <gtest/gtest.h>

#include <map>

#include "data/synth/pair.h"
#include "data/synth/sampler.h"

/// The share of what is hard to write among short programs, and what is written for it.
namespace tritonsmith::data {
namespace {

constexpr uint64_t kSeed = 23;

/// What the pair of this number is made of.
Sketch sketch_of(uint64_t number, int operators) {
    Random random(kSeed, number);
    return Sampler(random, operators).sample();
}

const plan::AtenStep* first_of(const Sketch& sketch, const std::string& op) {
    for (const plan::Step& step : sketch.eager.plans[0].steps)
        if (const auto* aten = std::get_if<plan::AtenStep>(&step.what))
            if (aten->op == op) return aten;
    return nullptr;
}

TEST(Classes, SinglesHaveLayersOfAllKinds) {
    constexpr uint64_t kCount = 1500;
    int convolutions = 0, other = 0, transposed = 0;
    std::map<std::string, int> families;
    for (uint64_t number = 0; number < kCount; ++number) {
        const Sketch sketch = sketch_of(number, 1);
        for (const Step& step : sketch.steps) ++families[step.family];
        const plan::AtenStep* step = first_of(sketch, "aten::convolution");
        if (!step) continue;
        ++convolutions;
        const bool turned = std::get<bool>(step->args[6].v),
                   planar = std::get<plan::Tensor>(step->args[0].v).shape.size() == 4;
        transposed += turned;
        other += turned || !planar || std::get<int64_t>(step->args[8].v) > 1;
    }
    EXPECT_GT(convolutions, kCount / 10);
    EXPECT_GT(transposed, convolutions / 6);
    EXPECT_GT(other, convolutions / 2);
    for (const auto& [family, least] : std::map<std::string, int>{{"pooling", 60},
                                                                  {"loss", 60},
                                                                  {"argument", 45},
                                                                  {"scan", 15},
                                                                  {"arg_reduction", 20},
                                                                  {"sort", 4}})
        EXPECT_GT(families[family], least) << family;
}

TEST(Classes, LongRowsAreReadInLoops) {
    int seen = 0;
    for (uint64_t number = 0; number < 900; ++number) {
        const Sketch sketch = sketch_of(number, 1);
        if (sketch.theme != "m" || sketch.inputs.empty()) continue;
        const Shape& shape = sketch.variables[0].tensor.shape;
        if (shape.size() != 2 || shape[1].now() <= 65536) continue;
        const auto made = make_pair(number, {.seed = kSeed, .schedules = 2, .operators = 1});
        const auto* pair = std::get_if<Pair>(&made);
        if (!pair) continue;
        ++seen;
        for (const Solution& one : pair->solutions) {
            const bool whole = one.code.find("next_power_of_2(features") != std::string::npos;
            EXPECT_FALSE(whole) << one.code;
        }
        // One program for each row comes before several that share it.
        EXPECT_EQ(pair->solutions[0].code.find("PROGRAMS"), std::string::npos) << pair->solutions[0].code;
    }
    EXPECT_GT(seen, 20);
}

TEST(Classes, NumbersOfForwardAreNoTensors) {
    int seen = 0;
    for (uint64_t number = 0; number < 700; ++number) {
        const Sketch sketch = sketch_of(number, 1);
        const bool any = std::any_of(sketch.inputs.begin(), sketch.inputs.end(),
                                     [](const InputTensor& input) { return input.maker.empty(); });
        if (!any) continue;
        const auto made = make_pair(number, {.seed = kSeed, .schedules = 1, .operators = 1});
        const auto* pair = std::get_if<Pair>(&made);
        if (!pair) continue;
        ++seen;
        size_t tensors = 0;
        for (const InputTensor& input : sketch.inputs) tensors += !input.maker.empty();
        const std::string& code = pair->solutions[0].code;
        size_t copied = 0;
        for (size_t at = code.find(".contiguous()"); at != std::string::npos;
             at = code.find(".contiguous()", at + 1))
            ++copied;
        EXPECT_EQ(copied, tensors) << code;
    }
    EXPECT_GT(seen, 15);
}

}  // namespace
}  // namespace tritonsmith::data
