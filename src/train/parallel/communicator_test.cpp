#include "train/parallel/communicator.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "train/parallel/testing.h"

namespace tritonsmith::train {
namespace {

/// Values that differ between ranks.
at::Tensor of_rank(int rank, int64_t size, at::ScalarType dtype = at::kFloat) {
    return (at::arange(size, at::kFloat) * 0.37 + rank).sin().to(dtype);
}

TEST(Communicator, SumsInTheOrderOfTheRanks) {
    constexpr int64_t size = 300'000;  // more than a socket holds
    for (const int count : {2, 3})
        for (const auto dtype : {at::kFloat, at::kBFloat16}) {
            at::Tensor expected = of_rank(0, size, dtype).to(at::kFloat).clone();
            for (int rank = 1; rank < count; ++rank) expected.add_(of_rank(rank, size, dtype));
            expected = expected.to(dtype);
            run_ranks(count, [&](Communicator& communicator) {
                at::Tensor tensor = of_rank(communicator.rank(), size, dtype);
                communicator.all_reduce(tensor);
                EXPECT_TRUE(at::equal(tensor, expected));
                at::Tensor part = at::empty({size / count}, dtype);
                communicator.reduce_scatter(part, of_rank(communicator.rank(), size, dtype));
                EXPECT_TRUE(at::equal(part, expected.chunk(count)[static_cast<size_t>(communicator.rank())]));
                at::Tensor whole = at::empty({size}, dtype);
                communicator.all_gather(whole, part);
                EXPECT_TRUE(at::equal(whole, expected));
            });
        }
}

TEST(Communicator, BroadcastsFromAnyRank) {
    run_ranks(3, [&](Communicator& communicator) {
        for (int from = 0; from < 3; ++from) {
            at::Tensor tensor = of_rank(communicator.rank(), 100);
            communicator.broadcast(tensor, from);
            EXPECT_TRUE(at::equal(tensor, of_rank(from, 100)));
            communicator.barrier();
        }
    });
}

TEST(Communicator, DoesWhatWasStartedBeforeItIsWaitedFor) {
    constexpr int64_t size = 1000;
    for (const int count : {2, 3})
        run_ranks(count, [&](Communicator& communicator) {
            const int64_t own = size * communicator.rank();
            const at::Tensor values = of_rank(communicator.rank(), size * count),
                             part = values.narrow(0, own, size);
            at::Tensor sum = at::empty({size}), whole = at::empty({size * count});
            const auto scattered = communicator.start_reduce_scatter(sum, values);
            const auto gathered = communicator.start_all_gather(whole, part);
            scattered->wait();
            gathered->wait();
            at::Tensor sums = at::zeros({size}), all = at::empty({size * count});
            for (int rank = 0; rank < count; ++rank) {
                const at::Tensor theirs = of_rank(rank, size * count);
                sums.add_(theirs.narrow(0, own, size));
                all.narrow(0, size * rank, size).copy_(theirs.narrow(0, size * rank, size));
            }
            EXPECT_TRUE(at::equal(sum, sums));
            EXPECT_TRUE(at::equal(whole, all));
        });
}

TEST(Communicator, NamesTheRankThatIsMissing) {
    run_ranks(
        2,
        [&](Communicator& communicator) {
            if (communicator.rank() == 1) return;  // and closes its connection
            at::Tensor tensor = of_rank(0, 10);
            try {
                communicator.all_reduce(tensor);
                ADD_FAILURE();
            } catch (const MachineError& error) {
                EXPECT_THAT(error.what(), ::testing::HasSubstr("all_reduce"));
                EXPECT_THAT(error.what(), ::testing::HasSubstr("rank 1"));
            }
        },
        std::chrono::seconds(5));
}

TEST(Communicator, OfOneProcessChangesNothing) {
    const auto communicator = single_communicator();
    at::Tensor tensor = of_rank(0, 10), part = at::empty({10});
    communicator->all_reduce(tensor);
    communicator->reduce_scatter(part, tensor);
    EXPECT_TRUE(at::equal(part, of_rank(0, 10)));
    EXPECT_EQ(communicator->count(), 1);
}

}  // namespace
}  // namespace tritonsmith::train
