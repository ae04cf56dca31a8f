#include <gtest/gtest.h>

#include <set>

#include "data/synth/pair.h"
#include "graph/card/signature.h"

/// What a model must read and cannot remember: names, constructors, and that solutions keep them.
namespace tritonsmith::data {
namespace {

std::vector<Pair> pairs(int operators, uint64_t count) {
    std::vector<Pair> out;
    for (uint64_t number = 0; number < count; ++number) {
        auto made = make_pair(number, {.seed = 17, .schedules = 1, .operators = operators});
        if (auto* pair = std::get_if<Pair>(&made)) out.push_back(std::move(*pair));
    }
    return out;
}

TEST(Variety, NamesAreNotATable) {
    std::set<std::string> inputs, constructors, entries;
    const std::vector<Pair> all = pairs(3, 300);
    for (const Pair& pair : all) {
        const graph::Signatures task = graph::signatures_of(pair.source, pair.entry);
        inputs.insert(task.names.inputs.begin(), task.names.inputs.end());
        constructors.insert(task.constructor.text());
        entries.insert(pair.entry);
    }
    EXPECT_GT(inputs.size(), all.size() / 2);
    EXPECT_GT(constructors.size(), all.size() / 2);
    EXPECT_GT(entries.size(), all.size() / 10);
}

TEST(Variety, ConstructorsTakeAllKindsOfValues) {
    std::set<std::string> kinds;
    for (const Pair& pair : pairs(3, 400))
        for (const graph::Parameter& one :
             graph::signatures_of(pair.source, pair.entry).constructor.parameters) {
            const std::string& value = one.fallback;
            kinds.insert(value.empty()                                    ? "none"
                         : value == "True" || value == "False"            ? "flag"
                         : value[0] == '('                                ? "tuple"
                         : value.find_first_of(".e") != std::string::npos ? "float"
                                                                          : "int");
        }
    EXPECT_EQ(kinds.size(), 5U);
}

TEST(Variety, SolutionsKeepTheSignatures) {
    for (const Pair& pair : pairs(6, 200)) {
        const graph::Signatures task = graph::signatures_of(pair.source, pair.entry);
        const graph::Signatures solution = graph::signatures_of(pair.solutions[0].code, "ModelNew");
        EXPECT_EQ(solution.constructor.text(), task.constructor.text()) << pair.source;
        EXPECT_EQ(solution.forward.text(), task.forward.text()) << pair.source;
    }
}

}  // namespace
}  // namespace tritonsmith::data
