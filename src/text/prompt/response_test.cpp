#include "text/prompt/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/tokenizer/testing.h"

namespace tritonsmith::text {
namespace {

const std::string kernel = "import triton\n\n@triton.jit\ndef kernel(x):\n    pass";

std::string fenced(const std::string& code, const std::string& language = "python") {
    return "```" + language + "\n" + code + "\n```\n";
}

void expect_code(const std::string& text, const std::string& code) {
    const Response response = parse_response(text);
    EXPECT_EQ(response.code, code) << text;
    EXPECT_EQ(text.substr(static_cast<size_t>(response.code_bytes.begin),
                          static_cast<size_t>(response.code_bytes.end - response.code_bytes.begin)),
              code);
    if (!code.empty()) {
        EXPECT_LT(response.plan_bytes.end, response.code_bytes.begin);
    }
}

TEST(Response, TheLastProgramIsTheCode) {
    expect_code("I will tile.\n" + fenced(kernel), kernel);
    expect_code(fenced("import os") + "Better:\n" + fenced(kernel) + "Done.", kernel);
    expect_code(fenced(kernel) + "Run it:\n" + fenced("python run.py", "bash"), kernel);
    expect_code(fenced(kernel) + fenced("x = 1"), kernel);
    expect_code(fenced(kernel, ""), kernel);
    expect_code(fenced(kernel, "Python title=\"a\""), kernel);
    expect_code("~~~py\n" + kernel + "\n~~~", kernel);
    expect_code("````python\n" + kernel + "\n```\n````", kernel + "\n```");
    expect_code("no code at all", "");
    expect_code("", "");
    expect_code("inline ```import os``` is no block\n```import os``` neither\n", "");
}

TEST(Response, ReasoningIsPlanWhateverItHolds) {
    const std::string text =
        "<think>\nFirst " + fenced("import wrong") + "</think>\n\nHere:\n" + fenced(kernel);
    expect_code(text, kernel);
    EXPECT_EQ(parse_response(text).plan_bytes.begin, 0);
    expect_code("<think>" + fenced("import wrong") + "</think>I cannot.", "");
    const Response open = parse_response("<think>" + fenced(kernel));
    EXPECT_TRUE(open.truncated);
    EXPECT_TRUE(open.code.empty());
}

TEST(Response, CutOffAnswersAreMarked) {
    const Response response = parse_response("Plan.\n```python\n" + kernel);
    EXPECT_TRUE(response.truncated);
    EXPECT_EQ(response.code, kernel);
    EXPECT_FALSE(parse_response(fenced(kernel)).truncated);
    EXPECT_TRUE(parse_response("```python").truncated);
}

TEST(Response, EachTokenHasAtMostOneClass) {
    const SmallTokenizer small;
    const std::string text = "Pl\xC3\xA4n.\n" + fenced(kernel) + "Done.<end>";
    const std::vector<Token> tokens = small.tokenizer.encode(text);
    const std::string shown = small.tokenizer.decode(tokens, true);
    const Response response = parse_response(shown);
    const ResponseTokens spans = token_spans(response, small.tokenizer, tokens);
    EXPECT_EQ(spans.plan.begin, 0);
    EXPECT_LE(spans.plan.end, spans.code.begin);
    EXPECT_LT(spans.code.end, static_cast<int>(tokens.size()));
    // The vocabulary is one of single bytes but for one merge, so the spans are exact.
    const auto part = [&](Span span) {
        return small.tokenizer.decode(std::span(tokens).subspan(static_cast<size_t>(span.begin),
                                                                static_cast<size_t>(span.end - span.begin)));
    };
    EXPECT_EQ(part(spans.code), kernel);
    EXPECT_EQ(part(spans.plan), "Pl\xC3\xA4n.\n");
}

TEST(Response, ReplacedBytesDoNotShiftTheSpans) {
    const SmallTokenizer small;
    std::vector<Token> tokens = small.tokenizer.encode("ab ");
    tokens.push_back(0xFF);
    tokens.push_back(0xE6);
    tokens.push_back(0xBC);                    // a character's beginning alone: one U+FFFD for two tokens
    const size_t before = tokens.size() + 10;  // "\n```python\n", in which "th" is one
    for (const Token token : small.tokenizer.encode("\n```python\n" + kernel + "\n```"))
        tokens.push_back(token);
    const Response response = parse_response(small.tokenizer.decode(tokens));
    EXPECT_EQ(response.code, kernel);
    const ResponseTokens spans = token_spans(response, small.tokenizer, tokens);
    EXPECT_EQ(spans.code.begin, static_cast<int>(before));
}

}  // namespace
}  // namespace tritonsmith::text
