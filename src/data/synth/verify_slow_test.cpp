#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/process/files.h"
#include "data/synth/run.h"
#include "data/synth/verify.h"

namespace tritonsmith::data {
namespace {

class Verification : public ::testing::Test {
  protected:
    TemporaryFolder cache;
    RunOptions run;
    std::atomic<bool> stopped = false;
    std::atomic<int> judged = 0;

    Verification() {
        run.count = 3;
        run.pairs.seed = 5;
        run.pairs.operators = 2;
        run.pairs.schedules = 1;
    }

    void verify(std::vector<Pair>& pairs, Tally& tally, const std::string& worker = "") {
        VerifyOptions options;
        options.paths = judge::find_paths();
        options.paths.cache = cache.path().string();
        if (!worker.empty()) options.paths.worker = worker;
        options.judge.seed = 1;
        options.jobs = 2;
        Verifier(options).verify(
            pairs, tally, [&] { ++judged; }, stopped);
    }
};

TEST_F(Verification, WhatIsRightStays) {
    Tally tally;
    std::vector<Pair> pairs = make_shard(run, 0, tally);
    const size_t made = pairs.size();
    ASSERT_GT(made, 0U);
    pairs[0].solutions[0].code = "import torch\n";
    verify(pairs, tally);
    EXPECT_EQ(pairs.size(), made - 1);
    EXPECT_EQ(judged, static_cast<int>(made));
    EXPECT_EQ(tally.dropped["rejected: no_triton_kernel"], 1);
}

TEST_F(Verification, AMachineThatCannotJudgeEndsIt) {
    Tally tally;
    std::vector<Pair> pairs = make_shard(run, 0, tally);
    // As the loader ends a program one of whose libraries is missing.
    const std::string worker = (cache.path() / "worker").string();
    write_file(worker, "#!/bin/sh\nexit 127\n");
    std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
    try {
        verify(pairs, tally, worker);
        FAIL() << "nothing was judged: " << tally.json().dump();
    } catch (const MachineError& error) {
        EXPECT_NE(std::string(error.what()).find("could not be judged: "), std::string::npos) << error.what();
    }
    EXPECT_TRUE(tally.dropped.empty()) << "nothing is known of what was not judged";
}

}  // namespace
}  // namespace tritonsmith::data
