#include "base/json.h"

#include <gtest/gtest.h>

namespace tritonsmith {
namespace {

TEST(UntrustedJson, ReadsOrdinaryValues) {
    auto json = parse_untrusted_json(R"({"a":[1,2.5,"x\"[",null,true],"b":{"c":-7}})");
    ASSERT_TRUE(json);
    EXPECT_EQ((*json)["a"][2], "x\"[");
    EXPECT_EQ((*json)["b"]["c"], -7);
}

TEST(UntrustedJson, RefusesWhatIsNotOneValue) {
    for (const char* text : {"", "{", "{} {}", "[1,]", "nul", "{\"a\":1,\"a\":2}", "\"\xff\"", "1e999",
                             "{'a':1}", "{\"a\":{\"b\":1,\"b\":1}}", "[NaN]", "]", "\"\\"}) {
        EXPECT_FALSE(parse_untrusted_json(text)) << text;
    }
}

TEST(UntrustedJson, DepthIsBounded) {
    const std::string deep(200'000, '[');
    EXPECT_FALSE(parse_untrusted_json(deep));
    EXPECT_FALSE(parse_untrusted_json(deep + std::string(200'000, ']')));
    const std::string fine(256, '[');
    EXPECT_TRUE(parse_untrusted_json(fine + std::string(256, ']')));
}

TEST(UntrustedJson, NumberOfValuesIsBounded) {
    std::string many = "[0";
    for (int i = 0; i < 1000; ++i) many += ",[]";
    many += "]";
    EXPECT_TRUE(parse_untrusted_json(many));
    EXPECT_FALSE(parse_untrusted_json(many, {.bytes = 1 << 20, .depth = 10, .values = 999}));
    EXPECT_FALSE(parse_untrusted_json(many, {.bytes = 100, .depth = 10, .values = 9999}));
}

TEST(UntrustedJson, SameKeyInDifferentObjectsIsFine) {
    EXPECT_TRUE(parse_untrusted_json(R"([{"a":{"a":1}},{"a":2}])"));
}

}  // namespace
}  // namespace tritonsmith
