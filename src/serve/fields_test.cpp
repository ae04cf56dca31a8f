#include "serve/fields.h"

#include <gtest/gtest.h>

namespace tritonsmith::serve {
namespace {

/// The field that is complained about.
std::string wrong(const std::string& body, const std::function<void(Fields&)>& read) {
    try {
        Fields fields(body, 1000);
        read(fields);
        fields.refuse_others();
    } catch (const ApiError& error) {
        EXPECT_EQ(error.status, 400);
        return error.field.empty() ? "body" : error.field;
    }
    return "";
}

TEST(Fields, ReadAndCheck) {
    Fields fields(R"({"a":1,"b":2.5,"c":"x","d":true,"e":null})", 1000);
    EXPECT_EQ(fields.integer("a", 9, 0, 10), 1);
    EXPECT_EQ(fields.number("b", 9, 0, 10), 2.5);
    EXPECT_EQ(fields.number("a", 9, 0, 10), 1.0);
    EXPECT_EQ(fields.text("c", ""), "x");
    EXPECT_TRUE(fields.boolean("d", false));
    EXPECT_EQ(fields.integer("e", 9, 0, 10), 9);
    EXPECT_EQ(fields.integer("f", 9, 0, 10), 9);
    EXPECT_FALSE(fields.has("e"));
    EXPECT_NO_THROW(fields.refuse_others());
}

TEST(Fields, NameWhatIsWrong) {
    EXPECT_EQ(wrong(R"({"n":11})", [](Fields& f) { f.integer("n", 1, 1, 10); }), "n");
    EXPECT_EQ(wrong(R"({"n":1.0})", [](Fields& f) { f.integer("n", 1, 1, 10); }), "n");
    EXPECT_EQ(
        wrong(R"({"n":18446744073709551615})", [](Fields& f) { f.integer("n", 1, INT64_MIN, INT64_MAX); }),
        "n");
    EXPECT_EQ(wrong(R"({"n":"1"})", [](Fields& f) { f.number("n", 1, 1, 10); }), "n");
    EXPECT_EQ(wrong(R"({"n":1e400})", [](Fields& f) { f.number("n", 1, 1, 10); }), "body");
    EXPECT_EQ(wrong(R"({"n":1})", [](Fields& f) { f.boolean("n", false); }), "n");
    EXPECT_EQ(wrong(R"({"n":1})", [](Fields& f) { f.text("n", ""); }), "n");
    EXPECT_EQ(wrong(R"({"n":1,"typo":2})", [](Fields& f) { f.ignore("n"); }), "typo");
    EXPECT_EQ(wrong(R"({"tools":[1]})", [](Fields& f) { f.unsupported("tools"); }), "tools");
    EXPECT_EQ(wrong(R"({"tools":[]})", [](Fields& f) { f.unsupported("tools"); }), "");
    EXPECT_EQ(wrong(R"({"echo":false})", [](Fields& f) { f.unsupported("echo", Json::array({false})); }), "");
    EXPECT_EQ(wrong(R"({"echo":true})", [](Fields& f) { f.unsupported("echo", Json::array({false})); }),
              "echo");
    for (const char* body : {"", "[]", "{", "{\"a\":1,\"a\":2}", "\"\xff\"", "{\"a\":\"\xff\"}", "null"})
        EXPECT_EQ(wrong(body, [](Fields&) {}), "body") << body;
    EXPECT_EQ(
        wrong("{\"a\":" + std::string(100, '[') + std::string(100, ']') + "}", [](Fields& f) { f.any("a"); }),
        "body");
}

}  // namespace
}  // namespace tritonsmith::serve
