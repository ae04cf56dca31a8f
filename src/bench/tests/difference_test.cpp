#include "bench/tests/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "run/client/pack_writer.h"

namespace tritonsmith::bench {
namespace {

struct Value {
    std::string place;
    std::vector<int64_t> shape;
    std::vector<float> elements;
};

judge::ProgramResult result_of(const std::vector<Value>& values,
                               const std::map<std::string, std::string>& texts = {}) {
    run::PackWriter writer;
    for (const Value& one : values) writer.add(one.place, plan::DType::f32, one.shape);
    writer.map();
    for (size_t i = 0; i < values.size(); ++i)
        std::memcpy(writer.data(i), values[i].elements.data(), 4 * values[i].elements.size());
    judge::ProgramResult out;
    const Json index = writer.index();
    out.values = run::Pack(writer.seal().release(), index);
    out.texts = texts;
    return out;
}

std::string told(const std::vector<Value>& golden, const std::vector<Value>& found) {
    return difference(result_of(golden), result_of(found)).value_or("");
}

TEST(Difference, IsRelativeToElementAndTensor) {
    // The root mean square of 10, 10, 10 and 0 is 8.7: what is zero there may be 0.087.
    const std::vector<Value> golden = {{"r", {4}, {10, 10, 10, 0}}};
    EXPECT_EQ(told(golden, {{"r", {4}, {10.09F, 9.91F, 10, 0.08F}}}), "");
    EXPECT_THAT(told(golden, {{"r", {4}, {10.2F, 10, 10, 0.1F}}}),
                testing::HasSubstr("r: 2 of 4 elements differ, element 0 is 10.2"));
}

TEST(Difference, NotANumberEqualsItself) {
    const std::vector<Value> golden = {{"r", {3}, {NAN, INFINITY, 1}}};
    EXPECT_EQ(told(golden, golden), "");
    EXPECT_NE(told(golden, {{"r", {3}, {1, INFINITY, 1}}}), "");
    EXPECT_NE(told(golden, {{"r", {3}, {NAN, -INFINITY, 1}}}), "");
    EXPECT_NE(told(golden, {{"r", {3}, {NAN, INFINITY, NAN}}}), "");
}

TEST(Difference, PlacesAndShapesAreTheSame) {
    const std::vector<Value> golden = {{"a", {2}, {1, 2}}, {"b", {1}, {3}}};
    EXPECT_THAT(told(golden, {golden[0]}), testing::HasSubstr("no value for b"));
    EXPECT_THAT(told({golden[0]}, golden), testing::HasSubstr("more values"));
    EXPECT_THAT(told({golden[0]}, {{"a", {1, 2}, {1, 2}}}), testing::HasSubstr("shape"));
    EXPECT_EQ(difference(result_of({}, {{"t", "x"}}), result_of({}, {{"t", "x"}})), std::nullopt);
    EXPECT_NE(difference(result_of({}, {{"t", "x"}}), result_of({}, {{"t", "y"}})), std::nullopt);
    EXPECT_NE(difference(result_of({}), result_of({}, {{"t", "y"}})), std::nullopt);
}

}  // namespace
}  // namespace tritonsmith::bench
