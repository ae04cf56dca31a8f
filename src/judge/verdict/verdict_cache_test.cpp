#include "judge/verdict/verdict_cache.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/process/files.h"

namespace tritonsmith::judge {
namespace {

const Json kAccepted = {{"status", "accepted"}, {"reason", nullptr}};

Json rejected(const char* reason) {
    return {{"status", "rejected"}, {"reason", reason}};
}

TEST(VerdictCache, KeepsWhatLastsFromOneProcessToTheNext) {
    TemporaryFolder folder;
    const std::string file = folder.path() / "deep" / "verdicts.sqlite";
    {
        VerdictCache cache(file);
        EXPECT_FALSE(cache.find("a"));
        cache.keep("a", kAccepted);
        cache.keep("b", rejected("race"));
        cache.keep("c", rejected("trace_timeout"));
        cache.keep("d", {{"status", "unjudgeable"}, {"reason", "task_error"}});
    }
    VerdictCache cache(file);
    EXPECT_EQ(cache.find("a"), kAccepted);
    EXPECT_EQ(cache.find("b"), rejected("race"));
    EXPECT_FALSE(cache.find("c")) << "another time it may end";
    EXPECT_FALSE(cache.find("d"));
    EXPECT_FALSE(cache.find("e"));
}

TEST(VerdictCache, ADamagedFileMeansNoCache) {
    TemporaryFolder folder;
    const std::string file = folder.path() / "verdicts.sqlite";
    std::ofstream(file) << std::string(5000, 'x');
    VerdictCache cache(file);
    cache.keep("a", kAccepted);
    EXPECT_FALSE(cache.find("a"));
    std::string text = read_file(file, "cache", 1 << 20);
    EXPECT_EQ(text, std::string(5000, 'x')) << "what is not ours is left alone";
}

TEST(VerdictCache, ThreadsShareIt) {
    TemporaryFolder folder;
    VerdictCache one(folder.path() / "verdicts.sqlite"), other(folder.path() / "verdicts.sqlite");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) (t % 2 ? one : other).keep(std::to_string(t * 50 + i), kAccepted);
        });
    for (std::thread& thread : threads) thread.join();
    for (int i = 0; i < 200; ++i) EXPECT_TRUE(one.find(std::to_string(i))) << i;
}

TEST(VerdictCache, TheKeyHoldsAllThatDecides) {
    task::Task task;
    task.source = "class Model: pass";
    Options options;
    const std::string key = verdict_key(task, "candidate", options, "judge");
    EXPECT_EQ(verdict_key(task, "candidate", options, "judge"), key);
    EXPECT_NE(verdict_key(task, "candidate ", options, "judge"), key);
    EXPECT_NE(verdict_key(task, "candidate", options, "judge 2"), key);
    options.relaxed = true;
    EXPECT_NE(verdict_key(task, "candidate", options, "judge"), key);
    options = {};
    options.target = "sm_80";
    EXPECT_NE(verdict_key(task, "candidate", options, "judge"), key);
    options = {};
    options.tolerance.low = 0.5;
    EXPECT_NE(verdict_key(task, "candidate", options, "judge"), key);
    options = {};
    options.seed = 1;
    EXPECT_NE(verdict_key(task, "candidate", options, "judge"), key);
    task.entry = "Other";
    EXPECT_NE(verdict_key(task, "candidate", {}, "judge"), key);
}

}  // namespace
}  // namespace tritonsmith::judge
