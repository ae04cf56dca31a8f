#include "judge/task/input_set.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "base/process/process.h"

namespace tritonsmith::judge {
namespace {

run::Pack pack(const std::map<std::string, std::vector<float>>& tensors) {
    Json index = Json::array();
    std::string bytes;
    for (const auto& [name, values] : tensors) {
        index.push_back(
            {{"name", name}, {"dtype", "f32"}, {"shape", {values.size()}}, {"offset", bytes.size()}});
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
        bytes.resize((bytes.size() + 63) / 64 * 64);
    }
    Fd file = memory_file("test", static_cast<int64_t>(bytes.size()));
    EXPECT_EQ(::pwrite(file.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    return run::Pack(file.release(), index);
}

InputSet set_of(const std::vector<float>& input, const std::vector<float>& output) {
    InputSet set;
    set.inputs = pack({{"input/0", input}});
    Elements values{plan::DType::f32, {static_cast<int64_t>(output.size())}, {output.begin(), output.end()}};
    Elements oracle = values;
    oracle.dtype = plan::DType::f64;
    set.expected.push_back(make_expected({"output/0", oracle, values, {}, {}}, {}));
    return set;
}

std::vector<InputSet> two(InputSet a, InputSet b) {
    std::vector<InputSet> sets;
    sets.push_back(std::move(a));
    sets.push_back(std::move(b));
    return sets;
}

std::string accepts(const std::vector<InputSet>& sets) {
    const std::optional<Finding> finding = find_degeneracy(sets);
    return finding ? finding->evidence["accepts"].get<std::string>() : "";
}

TEST(InputSet, AnswerWithinTheBoundIsRight) {
    const InputSet set = set_of({1, 2}, {3, 5});
    EXPECT_FALSE(check_answer(set, pack({{"output/0", {3, 5}}})).finding);
    const Answer wrong = check_answer(set, pack({{"output/0", {3, 6}}}));
    ASSERT_TRUE(wrong.finding);
    EXPECT_EQ(wrong.finding->reason, "wrong_result");
    EXPECT_EQ(wrong.finding->evidence["index"], Json({1}));
    EXPECT_EQ(wrong.finding->output, "output/0");
}

TEST(InputSet, AnswersDifferBeyondTheBoundOnly) {
    const InputSet set = set_of({1, 2}, {3, 5});
    auto answer = [](float a, float b) { return pack({{"output/0", {a, b}}}); };
    EXPECT_FALSE(differ(set, answer(3, 5), answer(3, 5)));
    EXPECT_FALSE(differ(set, answer(3, 5), answer(3, 5.0000005F)));
    EXPECT_TRUE(differ(set, answer(3, 5), answer(5, 3)));
    // Both may be wrong: what counts is the distance, relative to what they are.
    EXPECT_FALSE(differ(set, answer(30000, 50000), answer(30000, 50000.004F)));
    EXPECT_TRUE(differ(set, answer(30000, 50000), answer(50000, 30000)));
    EXPECT_TRUE(differ(set, answer(3, NAN), answer(3, 5)));
    EXPECT_FALSE(differ(set, answer(3, NAN), answer(3, NAN)));
    EXPECT_TRUE(differ(set, answer(3, 5), pack({{"output/1", {3, 5}}})));
}

TEST(InputSet, AMissingOutputIsWrong) {
    EXPECT_TRUE(check_answer(set_of({1}, {3}), pack({{"output/1", {3}}})).finding);
}

TEST(Degeneracy, OrdinaryTasksPass) {
    EXPECT_EQ(accepts(two(set_of({1, 2}, {3, 5}), set_of({-1, -2}, {-1, 7}))), "");
}

TEST(Degeneracy, Zeros) {
    EXPECT_EQ(accepts(two(set_of({1, 2}, {0, 0}), set_of({3, 4}, {0, 0}))), "zeros");
}

TEST(Degeneracy, OneConstantForAllInputs) {
    EXPECT_EQ(accepts(two(set_of({1, 2}, {7, 7}), set_of({3, 4}, {7, 7}))),
              "a constant (the mean of its output)");
}

TEST(Degeneracy, AScalarThatDependsOnTheInputIsFine) {
    EXPECT_EQ(accepts(two(set_of({1, 2}, {3}), set_of({3, 4}, {7}))), "");
}

TEST(Degeneracy, CopyOfAnInput) {
    EXPECT_EQ(accepts(two(set_of({1, 2}, {1, 2}), set_of({3, 4}, {3, 4}))), "a copy of input/0");
    // A ReLU of positive numbers is no copy once signs are flipped.
    EXPECT_EQ(accepts(two(set_of({1, 2}, {1, 2}), set_of({-3, 4}, {0, 4}))), "");
}

TEST(Degeneracy, OutputsThatDoNotDependOnTheInputs) {
    EXPECT_EQ(accepts(two(set_of({1, 2}, {5, -7}), set_of({3, 4}, {5, -7}))),
              "the outputs that belong to other inputs");
}

TEST(Degeneracy, InputsThatAreForgottenUnderTheSameWeights) {
    std::vector<InputSet> sets = two(set_of({1, 2}, {5, -7}), set_of({3, 4}, {5.0000001F, -7}));
    sets.push_back(set_of({1, 2}, {9, 1}));
    sets.back().weights_seed = 1;
    sets[1].expected[0].oracle.values[0] = 5.0000001;
    EXPECT_EQ(accepts(std::move(sets)), "the outputs that belong to other inputs");
    sets = two(set_of({1, 2}, {5, -7}), set_of({3, 4}, {5, -7}));
    sets.push_back(set_of({1, 2}, {9, 1}));
    sets.back().weights_seed = 1;
    EXPECT_EQ(accepts(std::move(sets)), "") << "its weights are what it is about";
}

}  // namespace
}  // namespace tritonsmith::judge
