#include "data/synth/sampler.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/process/files.h"
#include "data/synth/task_writer.h"
#include "graph/card/signature.h"
#include "lint/tree.h"

namespace tritonsmith::data {
namespace {

struct Sampled {
    Sketch sketch;
    TaskFile file;
};

Sampled sampled(uint64_t number) {
    Random random(3, number);
    Sampled out{Sampler(random).sample(), {}};
    const Style style = Style::draw(random);
    out.file = write_task(out.sketch, style, random);
    return out;
}

TEST(Sampler, TheSameNumberGivesTheSameTask) {
    std::set<std::string> different;
    for (uint64_t number = 0; number < 40; ++number) {
        EXPECT_EQ(sampled(number).file.source, sampled(number).file.source);
        different.insert(sampled(number).file.source);
    }
    EXPECT_EQ(different.size(), 40U);
}

TEST(Sampler, EveryFamilyIsDrawn) {
    std::set<std::string> drawn, wanted;
    for (const Family& family : sampled_families()) wanted.insert(family.name);
    for (uint64_t number = 0; number < 1500; ++number) {
        Random random(4, number);
        for (const Step& step : Sampler(random).sample().steps) drawn.insert(step.family);
    }
    for (const std::string& family : wanted) EXPECT_TRUE(drawn.contains(family)) << family;
}

TEST(Sampler, BothInstancesAreTheSameProgram) {
    for (uint64_t number = 0; number < 100; ++number) {
        const Sampled one = sampled(number);
        const plan::Plan &now = one.sketch.eager.plans[0], &other = one.sketch.eager.plans[1];
        ASSERT_EQ(now.steps.size(), other.steps.size());
        for (size_t i = 0; i < now.steps.size(); ++i)
            EXPECT_EQ(std::get<plan::AtenStep>(now.steps[i].what).op,
                      std::get<plan::AtenStep>(other.steps[i].what).op);
        // No two sizes that have names of their own are the same number there.
        std::set<int64_t> numbers;
        for (const NamedSize& size : one.sketch.sizes)
            EXPECT_TRUE(numbers.insert(size.size.at[1]).second) << one.file.source;
    }
}

TEST(TaskWriter, TheTextIsPythonAndSaysWhatItReads) {
    for (uint64_t number = 0; number < 100; ++number) {
        const Sampled one = sampled(number);
        const lint::Tree tree(one.file.source);
        ASSERT_TRUE(tree.ok());
        EXPECT_FALSE(ts_node_has_error(tree.root())) << one.file.source;
        const graph::Signatures signatures = graph::signatures_of(one.file.source, one.file.entry);
        EXPECT_EQ(signatures.names.inputs, one.file.signatures.names.inputs) << one.file.source;
        const std::map<int, std::string>& read = signatures.names.lines;
        for (const auto& [line, name] : one.file.signatures.names.lines)
            EXPECT_EQ(read.contains(line) ? read.at(line) : "", name) << one.file.source;
        EXPECT_EQ(signatures.constructor.text(), one.file.signatures.constructor.text()) << one.file.source;
        EXPECT_EQ(signatures.forward.text(), one.file.signatures.forward.text()) << one.file.source;
        EXPECT_GE(signatures.constructor.parameters.size(), one.sketch.eager.plans[0].init_inputs.size())
            << one.file.source;
    }
}

TEST(Sampler, KnowsNoBenchmark) {
    std::string sources;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(TRITONSMITH_SOURCE_DIR) + "/src/data"))
        if (entry.is_regular_file()) sources += read_file(entry.path(), "source", 1 << 20);
    for (uint64_t number = 0; number < 100; ++number) sources += sampled(number).file.source;
    for (const char* suite : {"Kernel", "Triton", "kernel", "triton"})
        for (const char* word : {"Bench", "bench", "_bench", "Book"})
            EXPECT_EQ(sources.find(std::string(suite) + word), std::string::npos) << suite << word;
}

}  // namespace
}  // namespace tritonsmith::data
