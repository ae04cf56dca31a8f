// Texts made to break a parser: they may be judged wrongly, but nothing may crash, hang or read out of bounds
// (the asan preset runs these too).
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "lint/lint.h"

namespace tritonsmith::lint {
namespace {

std::vector<std::string> examples() {
    std::vector<std::string> texts;
    for (const char* folder : {"examples/kernels", "examples/wrong", "examples/unjudgeable"})
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(TRITONSMITH_SOURCE_DIR) / folder)) {
            if (!entry.is_regular_file()) continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            texts.push_back(text.str());
        }
    return texts;
}

void survives(std::string_view text) {
    auto begin = std::chrono::steady_clock::now();
    Report report = lint(text, {.normal_form = true});
    EXPECT_LE(report.functional, report.syntax);
    EXPECT_LE(report.syntax, report.parses && report.is_triton);
    for (const Diagnostic& diagnostic : report.diagnostics) EXPECT_GE(diagnostic.line, 1) << diagnostic.rule;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

std::string repeat(std::string_view piece, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += piece;
    return text;
}

TEST(Hostile, MutatedPrograms) {
    std::mt19937 random(7);
    auto pick = [&](size_t below) { return std::uniform_int_distribution<size_t>(0, below - 1)(random); };
    const std::vector<std::string> texts = examples();
    const std::string_view pieces[] = {"(",
                                       ")",
                                       "[",
                                       "]",
                                       "{",
                                       "}",
                                       ":",
                                       ",",
                                       "@",
                                       "=",
                                       "\n",
                                       "    ",
                                       "\t",
                                       "\"",
                                       "'''",
                                       "#",
                                       "\\",
                                       "lambda ",
                                       "def ",
                                       "class ",
                                       "getattr(",
                                       "import ",
                                       "from . import ",
                                       "self.",
                                       "ModelNew",
                                       std::string_view("\0", 1),
                                       "\xff",
                                       "\xe2\x80",
                                       "f'{",
                                       "*",
                                       "**"};
    for (int round = 0; round < 1500; ++round) {
        std::string text = texts[pick(texts.size())];
        for (size_t change = 1 + pick(4); change-- > 0 && !text.empty();) {
            size_t at = pick(text.size());
            switch (pick(5)) {
                case 0:
                    text.erase(at, 1 + pick(20));
                    break;
                case 1:
                    text.insert(at, pieces[pick(std::size(pieces))]);
                    break;
                case 2:
                    text[at] = static_cast<char>(pick(256));
                    break;
                case 3:
                    text.resize(at);
                    break;
                case 4: {
                    const std::string& other = texts[pick(texts.size())];
                    text.insert(at, other.substr(pick(other.size()), 200));
                    break;
                }
            }
        }
        survives(text);
    }
}

TEST(Hostile, DeepNesting) {
    for (std::string_view piece : {"(", "[", "{", "f(", "a[", "not ", "-", "lambda: ", "a.b(", "x if ",
                                   "self.a = ", "getattr(", "@", "f'{", "a = b = "})
        survives(repeat(piece, 20000));
    survives(repeat("(", 20000) + repeat(")", 20000));
    survives("x = " + repeat("a.", 50000) + "b\n");
    survives("x = 1" + repeat(" + 1", 50000) + "\n");
    std::string blocks;
    for (size_t depth = 0; depth < 300; ++depth) blocks += repeat(" ", depth) + "if x:\n";
    survives(blocks + repeat(" ", 300) + "pass\n");
    std::string scopes;
    for (size_t depth = 0; depth < 300; ++depth)
        scopes += repeat(" ", depth) + "def f" + std::to_string(depth) + "(a):\n";
    survives(scopes + repeat(" ", 300) + "return a @ a\n");
}

TEST(Hostile, LongTexts) {
    survives(repeat("x = torch.matmul(a, b)\n", 20000));
    survives(repeat("a = b\nb = a\n", 5000) + "a(1)\n");
    survives("import a" + repeat(", a as b", 20000) + "\n");
    survives("'''" + repeat("x", 1 << 20));
    survives(std::string(10000, '\0'));
    survives(repeat("\xff", 10000));
    std::string classes;
    for (int i = 0; i < 500; ++i)
        classes += "class C" + std::to_string(i) + "(C" + std::to_string((i + 1) % 500) + "):\n    pass\n";
    survives(classes + "class ModelNew(C0):\n    pass\n");
}

TEST(Hostile, AliasesThatGoInCircles) {
    survives("a = b\nb = a\ndef f(x):\n    a(x)\n    b.c(x)\n");
    survives(
        "class ModelNew(ModelNew):\n    def forward(self, x):\n        self.a = self.a()\n        "
        "self.a(x)\n");
    survives("a = a.b.c\na.d()\n");
    survives(
        "def f(x):\n    g(x)\ndef g(x):\n    f(x)\nclass ModelNew:\n    def forward(self, x):\n        "
        "f(x)\n");
}

TEST(Hostile, ThreadsHaveTheirOwnParsers) {
    const std::vector<std::string> texts = examples();
    std::vector<std::string> forms;
    for (const std::string& text : texts) forms.push_back(lint(text, {.normal_form = true}).normal_form);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (size_t i = 0; i < texts.size(); ++i)
                EXPECT_EQ(lint(texts[i], {.normal_form = true}).normal_form, forms[i]);
        });
}

}  // namespace
}  // namespace tritonsmith::lint
