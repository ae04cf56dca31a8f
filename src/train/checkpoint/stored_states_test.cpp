#include "train/checkpoint/stored_states.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/process/files.h"
#include "train/parallel/testing.h"

namespace tritonsmith::train {
namespace {

namespace fs = std::filesystem;

/// A matrix of 10 x 10 and a vector of 7, in parts of three processes.
void write_in_three(const fs::path& folder) {
    fs::create_directories(folder);
    run_ranks(3, [&](Communicator& communicator) {
        const int64_t rank = communicator.rank();
        const auto part = [&](int64_t size, int64_t all, const char* name) {
            const int64_t first = rank * size, count = std::min(size, all - first);
            return NamedState{name, at::arange(first, first + count, at::kFloat), first};
        };
        write_states(folder, {part(34, 100, "first.matrix"), part(3, 7, "first.vector")}, communicator);
    });
}

TEST(StoredStates, AreReadInAnyDivision) {
    const TemporaryFolder folder;
    write_in_three(folder.path());
    const at::Tensor whole = at::zeros({10, 10}), part = at::zeros({50}), vector = at::zeros({7});
    const StoredStates stored(folder.path());
    stored.copy_to({{"first.matrix", whole, 0}, {"first.vector", vector, 0}});
    stored.copy_to({{"first.matrix", part, 25}});
    EXPECT_TRUE(at::equal(whole, at::arange(100, at::kFloat).view({10, 10})));
    EXPECT_TRUE(at::equal(vector, at::arange(7, at::kFloat)));
    EXPECT_TRUE(at::equal(part, at::arange(25, 75, at::kFloat)));

    // And of one process, with whole tensors.
    const TemporaryFolder alone;
    write_states(alone.path(), {{"first.matrix", whole, 0}, {"first.vector", vector, 0}},
                 *single_communicator());
    part.zero_();
    StoredStates(alone.path()).copy_to({{"first.matrix", part, 25}});
    EXPECT_TRUE(at::equal(part, at::arange(25, 75, at::kFloat)));
}

void expect_refused(const fs::path& folder, const std::vector<NamedState>& states, const char* words) {
    try {
        StoredStates(folder).copy_to(states);
        ADD_FAILURE() << words;
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
    }
}

TEST(StoredStates, RefuseWhatIsNotTheirs) {
    const TemporaryFolder folder;
    write_in_three(folder.path());
    expect_refused(folder.path(), {{"first.matrix", at::zeros({101}), 0}}, "100 of 101");
    expect_refused(folder.path(), {{"first.other", at::zeros({1}), 0}}, "first.other");
    expect_refused(folder.path(), {{"first.vector", at::zeros({7}, at::kBFloat16), 0}}, "dtype");
    fs::remove(folder.path() / "optimizer-1-of-3.safetensors");
    expect_refused(folder.path(), {}, "optimizer-1-of-3");
    expect_refused(folder.path() / "nowhere", {}, "optimizer-0-of-1");
    const TemporaryFolder adamw;
    write_states(adamw.path(), {{"first.x", at::zeros({3}), 0}, {"second.x", at::zeros({3}), 0}},
                 *single_communicator());
    expect_refused(adamw.path(), {{"first.x", at::zeros({3}), 0}}, "second.x");
}

}  // namespace
}  // namespace tritonsmith::train
