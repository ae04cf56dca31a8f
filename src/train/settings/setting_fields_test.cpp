#include "train/settings/setting_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith::train {
namespace {

using ::testing::HasSubstr;

template <class Function>
std::string error_of(const Function& function) {
    try {
        function();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(SettingFields, ResolveDefaultsAndValues) {
    SettingFields fields(Json::parse(R"({"steps": 10, "rate": 1, "name": "x", "inner": {"a": 2}})"),
                         "run.toml");
    EXPECT_EQ(fields.integer("steps", std::nullopt, 1, 100), 10);
    EXPECT_EQ(fields.number("rate", std::nullopt, 0, 1), 1.0);
    EXPECT_EQ(fields.number("floor", 0.1, 0, 1), 0.1);
    EXPECT_TRUE(fields.boolean("on", true));
    EXPECT_EQ(fields.text("name", std::nullopt), "x");
    EXPECT_EQ((fields.choice<int>("kind", "b", {{"a", 1}, {"b", 2}})), 2);
    SettingFields inner = fields.table("inner");
    EXPECT_EQ(inner.integer("a", 1, 0, 9), 2);
    fields.put("inner", inner.finish());
    EXPECT_EQ(fields.finish(),
              Json::parse(R"({"steps": 10, "rate": 1.0, "floor": 0.1, "on": true, "name": "x",
                                               "kind": "b", "inner": {"a": 2}})"));
}

TEST(SettingFields, ListsOfNumbersHaveARange) {
    SettingFields fields(Json::parse(R"({"some": [1, 2.5], "one": 3, "wrong": [1, 9], "mixed": [1, "x"]})"),
                         "run.toml");
    EXPECT_EQ(fields.numbers("some", {}, 0, 3), (std::vector{1, 2.5}));
    EXPECT_EQ(fields.numbers("other", {4}, 0, 9), std::vector<double>{4});
    EXPECT_THAT(error_of([&] { fields.numbers("one", {}, 0, 9); }), HasSubstr("list of numbers"));
    EXPECT_THAT(error_of([&] { fields.numbers("mixed", {}, 0, 9); }), HasSubstr("list of numbers"));
    EXPECT_THAT(error_of([&] { fields.numbers("wrong", {}, 0, 3); }), HasSubstr("from 0 to 3"));
}

TEST(SettingFields, ErrorsNameTheTableAndTheField) {
    SettingFields fields(Json::parse(R"({"steps": "many", "rate": 2, "kind": "c", "more": 1, "inner": 3})"),
                         "run.toml");
    EXPECT_THAT(error_of([&] { fields.integer("steps", 1, 1, 9); }),
                HasSubstr("run.toml: steps must be an integer"));
    EXPECT_THAT(error_of([&] { fields.number("rate", 1, 0, 1); }), HasSubstr("must be 0 to 1"));
    EXPECT_THAT(error_of([&] { fields.text("folder", std::nullopt); }), HasSubstr("folder is missing"));
    EXPECT_THAT(error_of([&] {
                    fields.choice<int>("kind", "a", {{"a", 1}, {"b", 2}});
                }),
                HasSubstr("one of a, b"));
    EXPECT_THAT(error_of([&] { fields.table("inner"); }), HasSubstr("[inner]: must be a table"));
    EXPECT_THAT(error_of([&] { fields.finish(); }), HasSubstr("more is unknown"));
}

}  // namespace
}  // namespace tritonsmith::train
