#include "lint/arena.h"

#include <gtest/gtest.h>
#include <tree_sitter/api.h>

#include <string>
#include <thread>
#include <vector>

#include "lint/lint.h"
#include "lint/tree.h"

namespace tritonsmith::lint {
namespace {

std::string program(int functions) {
    std::string text;
    for (int i = 0; i < functions; ++i)
        text += "def f" + std::to_string(i) +
                "(x, y=(1, [2, {3: 'four'}])):\n    return x + y[0] if x else None\n";
    return text;
}

std::string written(const Tree& tree) {
    char* text = ts_node_string(tree.root());
    std::string copy = text;
    if (!ArenaScope::holds_everything()) free(text);
    return copy;
}

TEST(Arena, HoldsATreeAndWhatIsAskedOfIt) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "sanitizers want malloc";
#endif
    EXPECT_FALSE(ArenaScope::holds_everything());
    std::string text = program(3);
    {
        Tree tree(text);
        EXPECT_TRUE(ArenaScope::holds_everything());
        EXPECT_EQ(named_children(tree.root()), 3U);
    }
    EXPECT_FALSE(ArenaScope::holds_everything());
}

TEST(Arena, TreesOneAfterTheOtherAreTheSame) {
    std::string text = program(20), first;
    for (int i = 0; i < 5; ++i) {
        Tree tree(text);
        std::string now = written(tree);
        if (i == 0) first = now;
        EXPECT_EQ(now, first);
        // Others in between leave other bytes behind.
        std::string other = program(100 + i);
        EXPECT_NE(written(Tree(other)), first);
        EXPECT_EQ(written(tree), first) << "an inner tree took the outer one's memory";
    }
}

TEST(Arena, GivesBackWhatALargeTextTook) {
    std::string large = program(1500);  // more than what is kept between two parses
    { EXPECT_TRUE(Tree(large).ok()); }
    std::string small = program(1);
    Tree tree(small);
    EXPECT_EQ(named_children(tree.root()), 1U);
}

TEST(Arena, EachThreadHasItsOwn) {
    std::string text = program(50), expected;
    {
        Tree tree(text);
        expected = written(tree);
    }
    std::vector<std::string> found(4);
    std::vector<std::thread> threads;
    for (std::string& one : found)
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) {
                Tree tree(text);
                one = written(tree);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : found) EXPECT_EQ(one, expected);
}

TEST(Arena, TreeSitterWorksWithoutOne) {
    std::string text = program(5);
    TSParser* parser = ts_parser_new();
    EXPECT_FALSE(ArenaScope::holds_everything());
    lint(text);  // in between, on the same thread
    ts_parser_delete(parser);
}

}  // namespace
}  // namespace tritonsmith::lint
