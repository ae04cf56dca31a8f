#include "train/settings/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith::train {
namespace {

TEST(Toml, ReadsTablesArraysAndValues) {
    const Json json = parse_toml(R"(# a run
title = "a \"b\" \u00e9\n"  # comment
path = 'C:\x'
whole = 1_000
hex = 0xff
negative = -3
real = 6.5e-4
more = 1e-5
on = true
list = [1, 2,
        3,]  # with a comment
text = """
two
lines"""

[optimizer]
name = "adamw"
betas = [0.9, 0.95]
inner.deep = 1

[data.mix]
"quoted key" = {a = 1, b.c = "x"}

[[data.sources]]
path = "one"
[[data.sources]]
path = "two"
[data.sources.more]
weight = 2
)",
                                 "run.toml");
    EXPECT_EQ(json, Json::parse(R"({
        "title": "a \"b\" é\n", "path": "C:\\x", "whole": 1000, "hex": 255, "negative": -3, "real": 6.5e-4,
        "more": 1e-5, "on": true, "list": [1, 2, 3], "text": "two\nlines",
        "optimizer": {"name": "adamw", "betas": [0.9, 0.95], "inner": {"deep": 1}},
        "data": {"mix": {"quoted key": {"a": 1, "b": {"c": "x"}}},
                 "sources": [{"path": "one"}, {"path": "two", "more": {"weight": 2}}]}})"));
    EXPECT_TRUE(json["whole"].is_number_integer());
    EXPECT_TRUE(json["more"].is_number_float());
}

TEST(Toml, ErrorsNameTheLine) {
    const auto error_of = [](const char* text) -> std::string {
        try {
            parse_toml(text, "run.toml");
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    using ::testing::StartsWith;
    EXPECT_EQ(error_of("a = 1\n"), "");
    EXPECT_THAT(error_of("a = 1\nb = adamw\n"), StartsWith("run.toml:2: "));
    EXPECT_THAT(error_of("a = 1\na = 2\n"), StartsWith("run.toml:2: "));
    EXPECT_THAT(error_of("[a]\n[a]\n"), StartsWith("run.toml:2: "));
    EXPECT_THAT(error_of("a = 1 b = 2"), StartsWith("run.toml:1: "));
    EXPECT_THAT(error_of("a = \"x\nb = 1"), StartsWith("run.toml:1: "));
    EXPECT_THAT(error_of("b = 1\na = 2026-01-01"),
                ::testing::AllOf(StartsWith("run.toml:2: "), ::testing::HasSubstr("dates")));
    EXPECT_THAT(error_of("a = [1, inf]"), ::testing::HasSubstr("run.toml:1: a number must be finite"));
    EXPECT_THAT(error_of("a = 1\n[a.b]\n"), StartsWith("run.toml:2: "));
    for (const char* wrong :
         {"a = [1, 2", "= 1", "a = 1__0", "a = 01", "a = \"\\ud800\"", "a = 99999999999999999999"})
        EXPECT_THAT(error_of(wrong), StartsWith("run.toml:1: ")) << wrong;
    EXPECT_THAT(error_of(("a = " + std::string(1000, '[')).c_str()), StartsWith("run.toml:1: "));
}

TEST(Toml, AssignmentsChangeADocument) {
    Json json = parse_toml("[optimizer]\nrate = 1e-5\n", "run.toml");
    set_toml(json, "optimizer.rate=2e-4");
    set_toml(json, "data.path=pairs/shard-*.zst");
    set_toml(json, "data.parts = [1, 2]");
    EXPECT_EQ(
        json,
        Json::parse(
            R"({"optimizer": {"rate": 2e-4}, "data": {"path": "pairs/shard-*.zst", "parts": [1, 2]}})"));
    EXPECT_THROW(set_toml(json, "optimizer.rate.x=1"), InputError);
    EXPECT_THROW(set_toml(json, "optimizer"), InputError);
    set_toml(json, "a=1\nb=2");
    EXPECT_EQ(json["a"], "1\nb=2") << "one assignment, and nothing beside it";
    set_toml(json, "run.\"a b\"=no value");
    EXPECT_EQ(json["run"]["a b"], "no value");
}

}  // namespace
}  // namespace tritonsmith::train
