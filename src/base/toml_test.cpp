#include "base/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith {
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
    EXPECT_THAT(error_of("a = 1\nb = adamw\n"), ::testing::HasSubstr("run.toml:2: \"adamw\" is no value"));
    EXPECT_THAT(error_of("a = 1\na = 2\n"), ::testing::HasSubstr("run.toml:2: a is there twice"));
    EXPECT_THAT(error_of("[a]\n[a]\n"), ::testing::HasSubstr("twice"));
    EXPECT_THAT(error_of("a = 1 b = 2"), ::testing::HasSubstr("one assignment a line"));
    EXPECT_THAT(error_of("a = \"x\nb = 1"), ::testing::HasSubstr("does not end"));
    EXPECT_THAT(error_of("a = 2026-01-01"), ::testing::HasSubstr("dates"));
    EXPECT_THAT(error_of("a = 1\n[a.b]\n"), ::testing::HasSubstr("no table"));
    EXPECT_THAT(error_of("a = [1, 2"), ::testing::HasSubstr("run.toml:1"));
    EXPECT_THAT(error_of("= 1"), ::testing::HasSubstr("a key was expected"));
    EXPECT_THAT(error_of("a = 1__0"), ::testing::HasSubstr("no value"));
    EXPECT_THAT(error_of("a = 01"), ::testing::HasSubstr("no value"));
    EXPECT_THAT(error_of(("a = " + std::string(1000, '[')).c_str()), ::testing::HasSubstr("deeply"));
    EXPECT_THAT(error_of("a = \"\\ud800\""), ::testing::HasSubstr("hexadecimal"));
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
}

}  // namespace
}  // namespace tritonsmith
