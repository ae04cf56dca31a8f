#include "plan/analysis/flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using B = Builder;

struct CalledModule : Builder {
    Tensor x = input({4}), zeros, known = constant({4}), out;
    CalledModule() {
        phase(Phase::init);
        zeros = make("aten::zeros", args(list({4})), {4});
        phase(Phase::forward);
        out = make("aten::empty_like", args(x), {4});
    }
};

TEST(CarriedBuffers, AreThereBeforeACallWhichWritesThem) {
    CalledModule b;
    b.op("aten::add.out", B::args(b.x, b.zeros), b.out);
    EXPECT_THAT(carried_buffers(b.plan, {}), IsEmpty()) << "zeros are read and not written";
    b.op("aten::add_.Tensor", B::args(b.zeros, b.x), b.zeros);
    b.op("aten::copy_", B::args(b.known, b.x), b.known);
    b.op("aten::copy_", B::args(b.x, b.zeros), b.x);
    EXPECT_THAT(carried_buffers(b.plan, {}), ElementsAre(b.known.buffer, b.zeros.buffer))
        << "inputs are filled again";
}

TEST(CarriedBuffers, OfALaunchAreThoseThatItMayWrite) {
    CalledModule b;
    b.launch(B::args(b.zeros, b.out));
    EXPECT_THAT(carried_buffers(b.plan, {}), ElementsAre(b.zeros.buffer)) << "of the kernel nothing is known";
    const ParameterEffect reads{.reads = true, .writes = false}, writes{.reads = false, .writes = true};
    EXPECT_THAT(carried_buffers(b.plan, {{reads, writes}}), IsEmpty());
    EXPECT_THAT(carried_buffers(b.plan, {{writes, reads}}), ElementsAre(b.zeros.buffer));
}

TEST(CarriedBuffers, OfABatchNormAreItsStatisticsInTrainingOnly) {
    const auto carried = [](const char* op, auto... flags) {
        Builder b;
        const Tensor x = b.input({4, 2}), mean = b.constant({2}), variance = b.constant({2});
        b.phase(Phase::forward);
        b.make(op, B::args(x, mean, mean, mean, variance, flags..., 0.1, 1e-5), {4, 2});
        return carried_buffers(b.plan, {}).size();
    };
    for (const char* op : {"aten::native_batch_norm", "aten::cudnn_batch_norm"}) {
        EXPECT_EQ(carried(op, true), 2U) << op;
        EXPECT_EQ(carried(op, false), 0U) << op;
    }
    EXPECT_EQ(carried("aten::_batch_norm_with_update"), 2U) << "it has no flag";
}

}  // namespace
}  // namespace tritonsmith::plan
