#include "engine/device_turns.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "base/process/files.h"

namespace tritonsmith::engine {
namespace {

class Counting : public Executor {
  public:
    explicit Counting(std::atomic<int>& runs) : runs_(runs) {}
    int blocks() const override { return 3; }
    int block_size() const override { return 16; }
    std::vector<std::vector<Draw>> run(const std::vector<Segment>& segments) override {
        ++runs_;
        return std::vector<std::vector<Draw>>(segments.size());
    }
    void copy_block(int, int) override {}

  private:
    std::atomic<int>& runs_;
};

TEST(DeviceTurns, StepsWaitForAnExclusiveLock) {
    const TemporaryFolder folder;
    ::setenv("XDG_RUNTIME_DIR", folder.path().c_str(), 1);
    const std::string uuid = "GPU-test";
    std::atomic<int> runs = 0;
    DeviceTurns turns(std::make_unique<Counting>(runs), uuid);
    EXPECT_EQ(turns.blocks(), 3);
    EXPECT_EQ(turns.run({Segment{}, Segment{}}).size(), 2U);
    EXPECT_EQ(runs, 1);

    const cuda::DeviceLock lock(uuid);
    std::optional<cuda::DeviceLock::Exclusive> alone(std::in_place, lock);
    std::thread step([&] { turns.run({}); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(runs, 1) << "a step ran during a timing";
    alone.reset();
    step.join();
    EXPECT_EQ(runs, 2);
    ::unsetenv("XDG_RUNTIME_DIR");
}

}  // namespace
}  // namespace tritonsmith::engine
