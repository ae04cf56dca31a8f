/// Text that nobody printed: the parser gives a module or a ParseError, and nothing else. Run under ASan too.
#include <gtest/gtest.h>

#include <random>

#include "ttir/parse/module_equal_testing.h"
#include "ttir/parse/parser.h"
#include "ttir/parse/printer.h"

namespace tritonsmith::ttir {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kMutations = 4000;
constexpr size_t kStep = 7;
#else
constexpr int kMutations = 30000;
constexpr size_t kStep = 1;
#endif

/// True if the text is a module; then its printed form must be one too, and the same.
bool survives(const std::string& text) {
    Module module;
    try {
        module = parse(text);
    } catch (const ParseError& error) {
        EXPECT_GT(error.line, 0);
        EXPECT_GT(error.column, 0);
        return false;
    }
    EXPECT_EQ(difference(module, parse(print(module))), "") << text;
    return true;
}

TEST(Hostile, TruncatedAnywhere) {
    for (const char* name :
         {"softmax_sm90.ttir", "early_return_sm80.ttir", "while_loops_sm90.ttir", "scaled_dot_sm100.ttir"}) {
        std::string text = read_testdata(name);
        int accepted = 0;
        for (size_t length = 0; length < text.size(); length += kStep)
            accepted += survives(text.substr(0, length));
        EXPECT_LT(accepted, 3) << name;  // only what lacks nothing but white space or unused aliases
    }
}

TEST(Hostile, RandomMutations) {
    std::mt19937 random(20250101);
    std::vector<std::string> texts;
    for (const std::string& name : testdata_names()) texts.push_back(read_testdata(name));
    const std::string alphabet = "%#^@!<>(){}[],:=-\"0129axi\\ \n";
    int accepted = 0;
    for (int i = 0; i < kMutations; ++i) {
        std::string text = texts[random() % texts.size()];
        for (unsigned k = 0, count = 1 + random() % 3; k < count; ++k) {
            size_t at = random() % text.size(), length = 1 + random() % 12;
            switch (random() % 5) {
                case 0:
                    text.erase(at, length);
                    break;
                case 1:
                    text.insert(at, 1, alphabet[random() % alphabet.size()]);
                    break;
                case 2:
                    text[at] = alphabet[random() % alphabet.size()];
                    break;
                case 3:
                    text.insert(at, text.substr(random() % text.size(), length * 4));
                    break;
                default: {  // a whole line elsewhere
                    size_t begin = text.find('\n', at), end = text.find('\n', begin + 1);
                    if (end == std::string::npos) break;
                    std::string line = text.substr(begin, end - begin);
                    text.erase(begin, line.size());
                    size_t to = text.find('\n', random() % text.size());
                    if (to != std::string::npos) text.insert(to, line);
                }
            }
        }
        accepted += survives(text);
    }
    EXPECT_GT(accepted, 0);
}

TEST(Hostile, DeepNesting) {
    auto nested = [](int depth) {
        std::string text = "tt.func public @k(%c: i1) {\n";
        for (int i = 0; i < depth; ++i) text += "scf.if %c {\n";
        for (int i = 0; i < depth; ++i) text += "}\n";
        return text + "tt.return }";
    };
    EXPECT_TRUE(survives(nested(50)));
    EXPECT_FALSE(survives(nested(65)));
    EXPECT_FALSE(survives(nested(200000)));
    auto repeated = [](const std::string& what, int count) {
        std::string out;
        for (int i = 0; i < count; ++i) out += what;
        return out;
    };
    std::string start = "tt.func public @k(%c: i1) {\n";
    EXPECT_FALSE(survives(repeated("module {", 100000)));
    EXPECT_FALSE(survives(repeated("\"builtin.module\"() ({", 100000)));
    EXPECT_FALSE(survives("tt.func public @k(%x: " + repeated("!tt.ptr<", 100000)));
    EXPECT_FALSE(survives("tt.func public @k(%x: " + repeated("tensor<1x", 100000)));
    EXPECT_FALSE(survives("tt.func public @k(%x: tensor<" + repeated("1x", 100000) + "f32>) { tt.return }"));
    EXPECT_FALSE(survives(start + "%x = arith.constant dense<" + repeated("[", 100000)));
    EXPECT_FALSE(survives(start + "%x = arith.constant dense<" + repeated("[", 100) + "1" +
                          repeated("]", 100) + "> : tensor<1xi32>"));
    EXPECT_FALSE(survives(start + "\"a.b\"() {x = " + repeated("[", 100000)));
    EXPECT_FALSE(survives(start + "tt.return loc(" + repeated("callsite(", 100000)));
    EXPECT_FALSE(survives(start + "tt.return loc(" + repeated("fused[", 100000)));
    EXPECT_FALSE(survives(start + repeated("\"a.b\"() ({", 100000)));
}

TEST(Hostile, LargeNumbers) {
    for (const char* number : {"99999999999999999999999", "-99999999999999999999", "0xFFFFFFFFFFFFFFFFFFFF",
                               "18446744073709551616", "1e400", "2.0e999999999999"}) {
        std::string text = number;
        survives("tt.func public @k() { %x = arith.constant " + text + " : i64\n tt.return }");
        survives("tt.func public @k() { %x = arith.constant " + text + " : f32\n tt.return }");
        survives("tt.func public @k(%x: tensor<" + text + "xf32>) { tt.return }");
        survives("tt.func public @k(%x: !tt.ptr<f32, " + text + ">) { tt.return }");
        survives("tt.func public @k() { %x:" + text + " = arith.constant 1 : i32\n tt.return }");
        survives("tt.func public @k(%x: i32) { %y = arith.addi %x#" + text + ", %x : i32\n tt.return }");
        survives("tt.func public @k() { %x = tt.make_range {end = " + text +
                 " : i32, start = -5 : i32} : tensor<4xi32>\n tt.return }");
        survives("tt.func public @k() { tt.return loc(\"a\":" + text + ":1) }");
    }
    EXPECT_TRUE(
        survives("tt.func public @k() { %x = arith.constant 18446744073709551615 : i64\n tt.return }"));
    EXPECT_TRUE(survives("tt.func public @k() { %x = arith.constant 2.0e999 : f32\n tt.return }"));
}

TEST(Hostile, Limits) {
    std::string many = "tt.func public @k(%x: i32) {\n";
    for (int i = 0; i < 200000; ++i)
        many += "%a" + std::to_string(i) +
                ":9 = \"a.b\"(%x) : (i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32)\n";
    EXPECT_FALSE(survives(many.substr(0, size_t{15} << 20)));
    EXPECT_FALSE(survives(std::string((size_t{16} << 20) + 1, ' ')));
    std::string blocks = "tt.func public @k() {\n cf.br ^b0\n";
    for (int i = 0; i < 5000; ++i)
        blocks += "^b" + std::to_string(i) + ":\n cf.br ^b" + std::to_string(i + 1) + "\n";
    EXPECT_FALSE(survives(blocks + "^b5000:\n tt.return }"));
    std::string chain = "tt.func public @k() {\n cf.br ^b0\n";
    for (int i = 0; i < 4000; ++i)
        chain += "^b" + std::to_string(i) + ":\n cf.br ^b" + std::to_string(i + 1) + "\n";
    EXPECT_TRUE(survives(chain + "^b4000:\n tt.return }"));
}

/// What costs much memory for each character.
TEST(Hostile, DenseText) {
    auto repeated = [](const std::string& what, size_t bytes) {
        std::string out;
        while (out.size() < bytes) out += what;
        return out;
    };
    constexpr size_t kBytes = size_t{15} << 20;
    std::string start = "tt.func public @k(%c: i1) {\n";
    EXPECT_FALSE(
        survives(start + "\"a.b\"() {x = [" + repeated("1,", kBytes) + "1]} : () -> ()\ntt.return }"));
    EXPECT_FALSE(survives(start + "\"a.b\"(" + repeated("%c,", kBytes) + "%c) : () -> ()\ntt.return }"));
    EXPECT_FALSE(survives(start + "\"a.b\"() : (" + repeated("i1,", kBytes) + "i1) -> ()\ntt.return }"));
    EXPECT_FALSE(survives(start + "tt.return loc(fused[" + repeated("unknown,", kBytes) + "unknown]) }"));
    EXPECT_FALSE(survives(start + "cf.switch %c : i1, [ default: ^b" + repeated(", 0: ^b", kBytes) +
                          "]\n^b:\ntt.return }"));
}

TEST(Hostile, OddBytes) {
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
        std::string text(random() % 200, '\0');
        for (char& c : text) c = static_cast<char>(random());
        EXPECT_FALSE(survives(text));
    }
}

}  // namespace
}  // namespace tritonsmith::ttir
