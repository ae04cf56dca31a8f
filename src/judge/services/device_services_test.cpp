#include "judge/services/device_services.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "run/worker/sessions/session_testing.h"

namespace tritonsmith::judge {
namespace {

using run::testing::reason_of;
using run::testing::since;
using run::testing::workers;

const std::string kProgram = std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker";
using Lease = std::unique_ptr<DeviceServices::CandidateLease>;

class Devices : public ::testing::Test {
  protected:
    Lease lease(bool alone = false, const void* task = nullptr) {
        return std::make_unique<DeviceServices::CandidateLease>(services, alone, task);
    }
    std::future<Lease> wanted(bool alone, const void* task = nullptr) {
        return std::async(std::launch::async, [this, alone, task] { return lease(alone, task); });
    }
    static bool waits(const std::future<Lease>& wanted) {
        return wanted.wait_for(std::chrono::milliseconds(200)) == std::future_status::timeout;
    }

    const std::vector<pid_t> others = workers();
    DeviceServices services{kProgram, "cpu"};
    /// The reference's first, then those for candidates in the order in which they are lent.
    const std::vector<pid_t> processes = since(others);
};

TEST_F(Devices, TellOfTheDeviceOnce) {
    EXPECT_EQ(services.info()["name"], "the CPU");
    EXPECT_EQ(&services.info(), &services.info());
    const cuda::DeviceLock::Shared at_work(services.lock());
}

TEST_F(Devices, SoManyCandidatesAreRunAtATime) {
    std::vector<Lease> places;
    std::set<run::DeviceWorker*> workers;
    for (int i = 0; i < DeviceServices::kPlaces; ++i) {
        places.push_back(lease());
        workers.insert(places.back()->operator->());
    }
    EXPECT_EQ(workers.size(), places.size()) << "each has a worker of its own";
    std::future<Lease> another = wanted(false);
    EXPECT_TRUE(waits(another));
    places.front().reset();
    EXPECT_NE(another.get(), nullptr);
}

TEST_F(Devices, WhoeverIsAloneWaitsForAllAndKeepsTheOthersOut) {
    Lease first = lease(), second = lease();
    std::future<Lease> large = wanted(true);
    EXPECT_TRUE(waits(large));
    first.reset();
    EXPECT_TRUE(waits(large)) << "one is still at work";
    second.reset();
    Lease alone = large.get();
    std::future<Lease> next = wanted(false);
    EXPECT_TRUE(waits(next));
    alone.reset();
    EXPECT_NE(next.get(), nullptr);
}

TEST_F(Devices, CandidatesOfTheTaskWhoseReferenceIsThereComeFirst) {
    const int one = 1, other = 2;
    Lease first = lease(true, &one);
    std::future<Lease> of_the_other = wanted(true, &other);
    EXPECT_TRUE(waits(of_the_other));
    std::future<Lease> of_the_one = wanted(true, &one);
    EXPECT_TRUE(waits(of_the_one));
    first.reset();
    Lease second = of_the_one.get();
    EXPECT_TRUE(waits(of_the_other)) << "it came before, but its reference would have to be opened";
    second.reset();
    EXPECT_NE(of_the_other.get(), nullptr);
}

TEST_F(Devices, AWorkerThatServedWellServesAgain) {
    run::DeviceWorker* worker = lease()->operator->();
    EXPECT_EQ(lease()->operator->(), worker);
}

TEST_F(Devices, AnotherTakesOverWhereOneDied) {
    ASSERT_EQ(processes.size(), 3U) << "one for references, one for candidates, and one to take over";
    run::DeviceWorker* dead = nullptr;
    {
        Lease lent = lease();
        dead = lent->operator->();
        ASSERT_EQ(reason_of((*lent)->device()), "none");
        ::kill(processes[1], SIGKILL);
        ASSERT_EQ(reason_of((*lent)->device()), "worker_died");
        EXPECT_EQ(reason_of((*lent)->device()), "none") << "started again";
    }
    Lease first = lease(), second = lease();
    EXPECT_NE(first->operator->(), dead) << "it may not be ready yet";
    EXPECT_EQ((*first)->generation(), 1);
    first.reset();
    second.reset();
    DeviceServices::ReferenceLease reference(services);
    EXPECT_EQ(reference->generation(), 1) << "the reference's process was not touched";
}

TEST_F(Devices, TimingsOfManyFollowEachOtherBeforeOthersWork) {
    const std::vector<Lease> places = [&] {
        std::vector<Lease> out;
        for (int i = 0; i < 3; ++i) out.push_back(lease());
        return out;
    }();
    std::mutex mutex;
    std::string order;
    std::atomic<int> timing = 0;
    const auto note = [&](char what) {
        std::lock_guard lock(mutex);
        order += what;
    };
    std::optional<cuda::DeviceLock::Shared> at_work(std::in_place, services.lock());
    std::vector<std::future<void>> all;
    for (int i = 0; i < 3; ++i)
        all.push_back(std::async(std::launch::async, [&] {
            const DeviceServices::TimingTurn alone(services);
            EXPECT_EQ(++timing, 1) << "one at a time";
            note('t');
            --timing;
        }));
    std::this_thread::sleep_for(4 * DeviceServices::TimingTurn::kGathering);
    all.push_back(std::async(std::launch::async, [&] {
        const cuda::DeviceLock::Shared newcomer(services.lock());
        note('w');
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(order, "") << "somebody is at work";
    at_work.reset();
    for (auto& one : all) one.get();
    EXPECT_EQ(order, "tttw");
    // Nobody is left alone with it.
    const cuda::DeviceLock::Exclusive free(services.lock());
}

TEST(DeviceServices, AWorkerThatCannotBeStartedIsTheMachinesFault) {
    EXPECT_THROW(DeviceServices("/nonexistent/worker", "cpu"), MachineError);
    DeviceServices dying("/bin/false", "cpu");
    EXPECT_THROW(dying.info(), MachineError);
}

}  // namespace
}  // namespace tritonsmith::judge
