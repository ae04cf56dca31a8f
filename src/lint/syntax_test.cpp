#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/lint.h"

namespace tritonsmith::lint {
namespace {

Diagnostic first_error(std::string_view source) {
    Report report = lint(source);
    EXPECT_FALSE(report.parses) << source;
    for (const Diagnostic& diagnostic : report.diagnostics)
        if (diagnostic.rule == "syntax_error") return diagnostic;
    ADD_FAILURE() << "no syntax_error in " << source;
    return {};
}

struct Broken {
    const char* source;
    int line, column;
};

class BrokenText : public testing::TestWithParam<Broken> {};

TEST_P(BrokenText, IsFoundAtItsPlace) {
    Diagnostic error = first_error(GetParam().source);
    EXPECT_EQ(error.line, GetParam().line) << error.message;
    EXPECT_EQ(error.column, GetParam().column) << error.message;
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, BrokenText,
    testing::Values(
        Broken{"x = 1\ny = (1,\n", 2, 1},          // a bracket that never closes
        Broken{"def f(x)\n    return x\n", 1, 1},  // no colon
        Broken{"x = 1\nx = = 2\n", 2, 5}, Broken{"for i in range(3):\npass\n", 1, 19},  // an empty body
        Broken{"x = 1\n  y = 2\n", 2, 3},                   // indented for no reason
        Broken{"if x:\n        a = 1\n    b = 2\n", 3, 5},  // dedent to a level that was never opened
        Broken{"if x:\n\ta = 1\n        b = 2\n", 3, 9},    // tab and spaces in one block
        Broken{"print 'x'\n", 1, 1},                        // Python 2
        Broken{"exec 'x'\n", 1, 1}, Broken{"x = 1\nreturn x\n", 2, 1}, Broken{"x = 1 y = 2\n", 1, 5},
        Broken{"a.in(1)\n", 1, 1}, Broken{"def f(import):\n    pass\n", 1, 7},
        Broken{"s = 'never closed\nx = 1\n", 1, 5}, Broken{"@\ndef f():\n    pass\n", 1, 1}));

TEST(Syntax, ReadsWhatPythonReads) {
    for (const char* source : {"",
                               "\n\n",
                               "# a comment",
                               "x = 1; y = 2\n",
                               "if x: a = 1; b = 2\n",
                               "\xEF\xBB\xBFx = 1\n",
                               "x = 1\r\ny = 2\r\n",
                               "def f(a, /, b, *, c): return (yield)\n",
                               "match x:\n    case [1, *rest]:\n        pass\n",
                               "class A[T]: pass\n",
                               "print('x')\nmatch = type = 3\n",
                               "x = f'{a!r:>{w}} {b=}'\n",
                               "async def f():\n    await g()\n",
                               "try:\n    pass\nexcept* E:\n    pass\n",
                               "x = \\\n    1\n",
                               "if a:\n    pass\n\n  # a comment anywhere\nelse:\n    pass\n",
                               "def f():\n\treturn 1\n",
                               "s = '''\nreturn\n  print 1\n'''\n",
                               "lambda: (yield)\n",
                               "\f\nx = 1\n"}) {
        Report report = lint(source);
        EXPECT_TRUE(report.parses) << source << ": "
                                   << (report.diagnostics.empty() ? "" : report.diagnostics[0].message);
    }
}

TEST(Syntax, NulBytesAreRefused) {
    EXPECT_EQ(first_error(std::string_view("x = 1\ny = '\0'\n", 14)).line, 2);
}

TEST(Syntax, BrokenTextSaysNothingElse) {
    Report report = lint(
        "import torch\nclass ModelNew:\n    def forward(self, a, b):\n        return torch.matmul(a, b\n");
    EXPECT_FALSE(report.parses);
    EXPECT_FALSE(report.syntax);
    EXPECT_FALSE(report.functional);
    EXPECT_THAT(report.diagnostics, testing::Each(testing::Field(&Diagnostic::rule, "syntax_error")));
}

TEST(Syntax, ManyErrorsAreCutShort) {
    std::string source;
    for (int i = 0; i < 1000; ++i) source += "x = = 1\n";
    EXPECT_LE(lint(source).diagnostics.size(), 20u);
}

}  // namespace
}  // namespace tritonsmith::lint
