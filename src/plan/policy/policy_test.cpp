#include "plan/policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/analysis/liveness.h"
#include "plan/analysis/reference.h"
#include "plan/ir/build.h"
#include "plan/ir/validate.h"

namespace tritonsmith::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using B = Builder;

std::vector<std::string> reasons(const Plan& plan, const PolicyOptions& options = {}) {
    if (auto wrong = validate(plan)) return {"invalid: " + wrong->message};
    std::vector<std::string> out;
    for (const Finding& finding : check_policy(plan, options).findings) out.push_back(finding.reason);
    return out;
}
std::string first_message(const Plan& plan) {
    PolicyReport report = check_policy(plan, {});
    return report.findings.empty() ? "" : report.findings[0].message;
}

/// x, w → kernel → y.
struct Simple : B {
    Tensor x = input({64, 64}), w, y;
    Simple() {
        phase(Phase::init);
        w = make("aten::empty.memory_format", args(list({64})), {64});
        op("aten::uniform_", args(w, -1.0, 1.0), w, 0);
        weight("w", w);
        phase(Phase::forward);
    }
    Tensor launched(const Tensor& from) {
        Tensor out = make("aten::empty_like", args(from), from.shape);
        launch(args(from, w, out));
        return out;
    }
};

TEST(Policy, AnHonestPlanPasses) {
    Simple b;
    b.plan.output = {b.launched(b.x)};
    EXPECT_THAT(reasons(b.plan), IsEmpty());
    PolicyReport report = check_policy(b.plan, {});
    EXPECT_EQ(report.launches, 1);
    EXPECT_EQ(report.host_steps, 0);
    EXPECT_EQ(report.launch_bytes, 4 * (64 * 64 * 2 + 64));
}

TEST(Policy, AKernelInPlaceOnACopyMovesAsMuchAsTheCopy) {
    B b;
    Tensor x = b.input({64}), copy = b.make("aten::clone", B::args(x), {64});
    b.launch(B::args(copy));
    b.plan.output = {copy};
    PolicyOptions options;
    options.effects = {{{true, true}}};
    EXPECT_THAT(reasons(b.plan, options), IsEmpty());
    EXPECT_EQ(check_policy(b.plan, options).launch_bytes, 2 * 64 * 4);
    options.effects = {{{false, true}}};
    EXPECT_THAT(reasons(b.plan, options), IsEmpty()) << "one copy of an input does not count";
}

TEST(Policy, NoLaunch) {
    Simple b;
    b.plan.output = {b.make("aten::mul.Tensor", B::args(b.x, b.x), {64, 64})};
    EXPECT_THAT(reasons(b.plan), ElementsAre("no_triton_launch", "host_compute", "output_not_from_kernel"));
}

TEST(Policy, ComputeBeforeAndAfterTheLaunchIsNamed) {
    Simple after;
    Tensor y = after.launched(after.x);
    int line = after.line();
    after.plan.output = {after.make("aten::add.Tensor", B::args(y, after.w), {64, 64})};
    EXPECT_THAT(reasons(after.plan), ElementsAre("host_compute"));
    PolicyReport report = check_policy(after.plan, {});
    EXPECT_EQ(report.findings[0].message,
              "aten.add.Tensor at line " + std::to_string(line) + " computes in PyTorch");
    EXPECT_EQ(report.findings[0].line, line);

    Simple before;
    Tensor z = before.make("aten::mm", B::args(before.x, before.x), {64, 64});
    before.plan.output = {before.launched(z)};
    EXPECT_THAT(reasons(before.plan), ElementsAre("host_compute"));

    Simple in_place;
    y = in_place.launched(in_place.x);
    in_place.op("aten::add_.Tensor", B::args(y, in_place.w), y);
    in_place.plan.output = {y};
    EXPECT_THAT(reasons(in_place.plan), ElementsAre("host_compute"));
}

TEST(Policy, AKernelBesideTheWorkDoesNotHelp) {
    Simple b;
    Tensor y = b.make("aten::mm", B::args(b.x, b.x), {64, 64});
    Tensor dummy = b.launched(b.x);
    b.plan.output = {y};
    EXPECT_THAT(reasons(b.plan), ElementsAre("host_compute", "output_not_from_kernel"));
}

TEST(Policy, AnOutputThatIsAnInputDoesNotFlowFromAKernel) {
    Simple b;
    b.launched(b.x);
    b.plan.output = {
        b.op("aten::view", B::args(b.x, B::list({4096})), B::contiguous(b.x.buffer, DType::f32, {4096}))};
    PolicyOptions known;
    known.effects = {{{true, false}, {true, false}, {false, true}}};
    EXPECT_THAT(reasons(b.plan, known), ElementsAre("output_not_from_kernel"));
    EXPECT_THAT(reasons(b.plan), IsEmpty()) << "without its TTIR the kernel may have written x";
    known.exempt_outputs = {true};
    EXPECT_THAT(reasons(b.plan, known), IsEmpty());
}

TEST(Policy, WhatAKernelOnlyReadsIsNotItsResult) {
    Simple b;
    Tensor y = b.make("aten::zeros_like", B::args(b.x), {64, 64}),
           z = b.make("aten::empty_like", B::args(b.x), {64, 64});
    b.launch(B::args(b.x, y, z));
    b.plan.output = B::tensors({y, z});
    PolicyOptions known;
    known.effects = {{{true, false}, {true, false}, {false, true}}};
    ASSERT_THAT(reasons(b.plan, known), ElementsAre("output_not_from_kernel"));
    EXPECT_THAT(check_policy(b.plan, known).findings[0].message, HasSubstr("output 0"));
    EXPECT_THAT(check_policy(b.plan, known).findings[0].message, HasSubstr("constants or nothing"));
}

TEST(Policy, AWeightOrConstantAsOutput) {
    Simple b;
    b.launched(b.x);
    Tensor zeros = b.make("aten::zeros", B::args(B::list({4})), {4});
    b.plan.output = B::tensors({zeros});
    EXPECT_THAT(first_message(b.plan), HasSubstr("holds constants or nothing"));
}

/// Host steps that honest code has around its launches.
TEST(Policy, HonestHostStepsPass) {
    Simple b;
    Tensor flat =
        b.op("aten::view", B::args(b.x, B::list({4096})), B::contiguous(b.x.buffer, DType::f32, {4096}));
    Tensor turned = flat;
    turned.shape = {64, 64};
    turned.stride = {1, 64};
    b.op("aten::t", B::args(b.x), turned);
    Tensor solid = b.make("aten::clone", B::args(turned), {64, 64});
    Tensor half = b.make("aten::_to_copy", B::args(b.w), {64}, DType::f16);
    Tensor sum = b.make("aten::zeros", B::args(B::list({64})), {64});
    Tensor out = b.make("aten::empty_strided", B::args(B::list({64, 64}), B::list({64, 1})), {64, 64});
    Tensor filled = b.make("aten::new_full", B::args(b.x, B::list({8}), 1.5), {8});
    b.op("aten::fill_.Scalar", B::args(filled, 3.0), filled);
    Tensor lookup = b.make("aten::arange", B::args(64), {64}, DType::i64);
    Tensor squares =
        b.make("aten::mul.Tensor", B::args(lookup, lookup), {64}, DType::i64);  // from constants alone
    b.launch(B::args(b.x, solid, half, sum, out, squares));
    Tensor single = b.make("aten::_to_copy", B::args(out), {64, 64}, DType::f64);
    b.op("aten::detach", B::args(single), single);
    Tensor row = single;
    row.shape = {64};
    row.stride = {1};
    b.op("aten::select.int", B::args(single, 0, 0), row);
    b.plan.output = {single};
    b.launch(B::args(b.x, b.x, b.x, b.x, b.x, b.x));  // enough bytes in kernels to outweigh the copies
    b.launch(B::args(b.x, b.x, b.x, b.x, b.x, b.x));
    EXPECT_THAT(reasons(b.plan), IsEmpty()) << first_message(b.plan);
    EXPECT_GT(check_policy(b.plan, {}).host_steps, 0);
}

TEST(Policy, CastsOfOtherTypesAndConjugateViewsCompute) {
    Simple cast;
    Tensor ints = cast.make("aten::_to_copy", B::args(cast.x), {64, 64}, DType::i8);
    cast.plan.output = {cast.launched(ints)};
    EXPECT_THAT(reasons(cast.plan), ElementsAre("host_compute"));

    for (DType to : {DType::i32, DType::u8, DType::b1, DType::f16}) {
        Simple whole;
        Tensor ids = whole.input({64, 64}, DType::i64);
        whole.plan.output = {whole.launched(whole.make("aten::_to_copy", B::args(ids), {64, 64}, to))};
        EXPECT_THAT(reasons(whole.plan), IsEmpty()) << dtype_name(to);
    }

    Simple conj;
    Tensor z = conj.input({64}, DType::c64);
    conj.op("aten::_conj", B::args(z), z);
    conj.plan.output = {conj.launched(conj.x)};
    EXPECT_THAT(reasons(conj.plan), ElementsAre("host_compute"));

    Simple overlap;
    Tensor y = overlap.launched(overlap.x);
    Tensor low = y, high = y;
    low.shape = high.shape = {32, 64};
    high.offset = 64;
    overlap.op("aten::copy_", B::args(low, high), low);
    overlap.plan.output = {y};
    EXPECT_THAT(reasons(overlap.plan), ElementsAre("host_compute"));
}

TEST(Policy, CatAndIndexCompute) {
    for (const char* op :
         {"aten::cat", "aten::index_select", "aten::flip", "aten::where.self", "aten::masked_fill.Scalar"}) {
        Simple b;
        Tensor y = b.launched(b.x);
        b.plan.output = {b.make(op, {B::tensors({y, y}), {int64_t{0}}}, {128, 64})};
        EXPECT_THAT(reasons(b.plan), ElementsAre("host_compute")) << op;
    }
}

TEST(Policy, CopiesThatOutweighTheKernels) {
    Simple b;
    Tensor copy = b.make("aten::clone", B::args(b.x), {64, 64});
    for (int i = 0; i < 2; ++i) copy = b.make("aten::clone", B::args(copy), {64, 64});
    b.plan.output = {b.launched(copy)};
    EXPECT_THAT(reasons(b.plan), ElementsAre("host_compute"));
    EXPECT_THAT(first_message(b.plan), HasSubstr("more than the"));
}

TEST(Policy, OneCopyOfAnInputMayOutweighTheKernels) {
    Simple b;
    Tensor cache = b.input({1024, 64});
    b.make("aten::clone", B::args(cache), {1024, 64});
    b.plan.output = {b.launched(b.x)};
    EXPECT_THAT(reasons(b.plan), IsEmpty());
    b.make("aten::clone", B::args(cache), {1024, 64});
    EXPECT_THAT(reasons(b.plan), ElementsAre("host_compute"));
}

TEST(Policy, ATableOfAddressesIsToldAsItself) {
    Simple b;
    Tensor table = b.fresh({2}, DType::i64, BufferKind::constant);
    Buffer& constant = b.plan.buffers[static_cast<size_t>(table.buffer)];
    const uint64_t address = uint64_t{0x200000000000} + 64;
    b.plan.buffers[static_cast<size_t>(b.x.buffer)].address = address;
    std::memcpy(constant.data.data(), &address, sizeof address);
    Tensor there = b.make("aten::_to_copy", B::args(table), {2}, DType::i64);
    b.plan.output = {b.launched(there)};
    EXPECT_THAT(reasons(b.plan).front(), "int_to_ptr");
    EXPECT_THAT(first_message(b.plan), HasSubstr("data_ptr()"));
}

TEST(Policy, ASumOverPartialResultsIsNamed) {
    Simple b;
    Tensor parts = b.launched(b.x);
    b.plan.output = {b.make("aten::sum.dim_IntList", {B::value(parts), B::list({0})}, {64})};
    EXPECT_THAT(reasons(b.plan), ElementsAre("host_compute"));
    EXPECT_THAT(first_message(b.plan), HasSubstr("split-K"));
}

TEST(Policy, WhereMovingIsTheTaskCopiesAreForbidden) {
    Simple b;
    Tensor solid = b.make("aten::clone", B::args(b.x), {64, 64});
    b.plan.output = {b.launched(solid)};
    EXPECT_THAT(reasons(b.plan), IsEmpty());
    PolicyOptions moving;
    moving.reference_moves_only = true;
    EXPECT_THAT(reasons(b.plan, moving), ElementsAre("host_compute"));
}

TEST(Policy, OperatorsOutsideAten) {
    for (const char* op :
         {"aten::from_file", "mylib::fused_everything", "aten::set_.source_Tensor", "quantized::linear"}) {
        Simple b;
        Tensor y = b.launched(b.x);
        b.op(op, B::args(y), y);
        b.plan.output = {y};
        EXPECT_THAT(reasons(b.plan), ElementsAre("aten_not_allowed")) << op;
        PolicyOptions relaxed;
        relaxed.relaxed = true;
        EXPECT_THAT(reasons(b.plan, relaxed), ElementsAre("aten_not_allowed")) << op;
    }
}

TEST(Policy, RelaxedReportsInsteadOfRefusing) {
    Simple b;
    Tensor y = b.launched(b.x);
    b.plan.output = {b.make("aten::add.Tensor", B::args(y, b.w), {64, 64})};
    PolicyOptions relaxed;
    relaxed.relaxed = true;
    PolicyReport report = check_policy(b.plan, relaxed);
    EXPECT_THAT(report.findings, IsEmpty());
    ASSERT_FALSE(report.notes.empty());
    EXPECT_THAT(report.notes.back().message, HasSubstr("aten.add.Tensor at line"));

    Simple none;
    none.plan.output = {none.make("aten::mul.Tensor", B::args(none.x, none.x), {64, 64})};
    EXPECT_THAT(reasons(none.plan, relaxed), ElementsAre("no_triton_launch"));
}

// ---- module construction

TEST(Policy, WeightsAreInitialisedFreely) {
    B b;
    Tensor x = b.input({16, 16});
    b.phase(Phase::init);
    Tensor raw = b.make("aten::randn", B::args(B::list({16, 16})), {16, 16}, DType::f32, 0);
    Tensor scaled = b.make("aten::mul.Tensor", B::args(raw, 0.02), {16, 16});
    b.weight("w", scaled);
    // orthogonal_: qr of a draw, copied into the parameter
    Tensor seed = b.make("aten::randn", B::args(B::list({16, 16})), {16, 16}, DType::f32, 1);
    Tensor q = b.make("aten::linalg_qr", B::args(seed), {16, 16});
    Tensor v = b.make("aten::empty.memory_format", B::args(B::list({16, 16})), {16, 16});
    b.op("aten::copy_", B::args(v, q), v);
    b.weight("v", v);
    // trunc_normal_ in place
    Tensor t = b.make("aten::empty.memory_format", B::args(B::list({16})), {16});
    b.op("aten::uniform_", B::args(t, -1.0, 1.0), t, 2);
    b.op("aten::erfinv_", B::args(t), t);
    b.op("aten::mul_.Tensor", B::args(t, 0.5), t);
    b.weight("t", t);
    // a plain tensor that is drawn and scaled
    Tensor plain = b.make("aten::randn", B::args(B::list({16})), {16}, DType::f32, 3);
    Tensor plain_scaled = b.make("aten::mul.Tensor", B::args(plain, 0.1), {16});
    b.phase(Phase::forward);
    Tensor y = b.make("aten::empty_like", B::args(x), {16, 16});
    b.launch(B::args(x, scaled, v, t, plain_scaled, y));
    b.plan.output = {y};
    EXPECT_THAT(reasons(b.plan), IsEmpty()) << first_message(b.plan);
}

TEST(Policy, FoldingWeightsAtConstructionIsCompute) {
    Simple b;
    b.phase(Phase::init);
    std::vector<Step> forward;
    Tensor folded = b.make("aten::mul.Tensor", B::args(b.w, b.w), {64});
    b.phase(Phase::forward);
    Tensor y = b.make("aten::empty_like", B::args(b.x), {64, 64});
    b.launch(B::args(b.x, folded, y));
    b.plan.output = {y};
    EXPECT_THAT(reasons(b.plan), ElementsAre("host_compute"));

    // Weights of a layer that is thrown away: the product of two draws that no parameter holds.
    B drawn;
    Tensor x = drawn.input({16, 16});
    drawn.phase(Phase::init);
    Tensor first = drawn.make("aten::randn", B::args(B::list({16, 16})), {16, 16}, DType::f32, 0);
    Tensor second = drawn.make("aten::randn", B::args(B::list({16, 16})), {16, 16}, DType::f32, 1);
    Tensor product = drawn.make("aten::mm", B::args(first, second), {16, 16});
    drawn.phase(Phase::forward);
    y = drawn.make("aten::empty_like", B::args(x), {16, 16});
    drawn.launch(B::args(x, product, y));
    drawn.plan.output = {y};
    EXPECT_THAT(reasons(drawn.plan), ElementsAre("host_compute"));
}

TEST(Policy, LayoutCopiesOfWeightsPass) {
    Simple b;
    b.phase(Phase::init);
    Tensor packed = b.make("aten::clone", B::args(b.w), {64});
    Tensor half = b.make("aten::_to_copy", B::args(packed), {64}, DType::bf16);
    b.phase(Phase::forward);
    Tensor y = b.make("aten::empty_like", B::args(b.x), {64, 64});
    b.launch(B::args(b.x, half, y));
    b.plan.output = {y};
    EXPECT_THAT(reasons(b.plan), IsEmpty());
    EXPECT_GT(check_policy(b.plan, {}).host_bytes, 0) << "construction is replayed in the timed region";
}

TEST(Policy, RunningStatisticsMayBeKeptWhereNoOutputSeesThem) {
    Simple b;
    Tensor count = b.constant({}, DType::i64), mean = b.constant({64});
    b.weight("num_batches_tracked", count, false);
    b.weight("running_mean", mean, false);
    b.op("aten::add_.Tensor", B::args(count, 1), count);
    Tensor y = b.launched(b.x);
    b.op("aten::mul_.Tensor", B::args(mean, 0.9), mean);
    b.plan.output = {y};
    EXPECT_THAT(reasons(b.plan), IsEmpty()) << first_message(b.plan);

    Simple seen;  // the mean is then used
    mean = seen.constant({64});
    seen.weight("running_mean", mean, false);
    seen.op("aten::mul_.Tensor", B::args(mean, 0.9), mean);
    y = seen.make("aten::empty_like", B::args(seen.x), {64, 64});
    seen.launch(B::args(seen.x, mean, y));
    seen.plan.output = {y};
    EXPECT_THAT(reasons(seen.plan), ElementsAre("host_compute"));
}

TEST(Policy, EveryAlternativeOfAChoiceObeys) {
    Simple b;
    Tensor y = b.make("aten::empty_like", B::args(b.x), {64, 64});
    Step launch{LaunchStep{0, {1, 1, 1}, B::args(b.x, b.w, y)}, Phase::forward, 40};
    Step compute{AtenStep{"aten::mul_.Tensor", B::args(y, b.x), {}, {y}}, Phase::forward, 41};
    b.add(ChoiceStep{{{"A", {launch}}, {"B", {launch}}}});
    b.plan.output = {y};
    EXPECT_THAT(reasons(b.plan), IsEmpty());
    EXPECT_EQ(check_policy(b.plan, {}).launches, 1);
    std::get<ChoiceStep>(b.plan.steps.back().what).alternatives[1].steps.push_back(compute);
    EXPECT_THAT(reasons(b.plan), ElementsAre("host_compute"));
    EXPECT_EQ(check_policy(b.plan, {}).findings[0].line, 41);
}

// ---- references

TEST(Policy, MovesOnly) {
    B moving("reference");
    moving.phase(Phase::inputs);
    Tensor x = moving.make("aten::rand", B::args(B::list({4, 4})), {4, 4});
    moving.phase(Phase::forward);
    moving.plan.output = {moving.make("aten::cat", {B::tensors({x, x})}, {8, 4})};
    EXPECT_TRUE(moves_only(moving.plan));
    moving.plan.output = {moving.make("aten::relu", B::args(x), {4, 4})};
    EXPECT_FALSE(moves_only(moving.plan));
}

TEST(Policy, UncomputedOutputs) {
    B b("reference");
    Tensor x = b.input({4, 4});
    Tensor y = b.make("aten::relu", B::args(x), {4, 4});
    Tensor view = b.op("aten::view", B::args(x, B::list({16})), B::contiguous(x.buffer, DType::f32, {16}));
    b.plan.output = B::tensors({y, view, x});
    EXPECT_EQ(uncomputed_outputs(b.plan), (std::vector<bool>{false, true, true}));
}

TEST(Policy, AnOutputThatNothingOfTheInputsReaches) {
    Simple b;
    Tensor y = b.make("aten::empty_like", B::args(b.x), {64, 64});
    b.launch(B::args(b.x, y));  // takes x, and does not read it
    b.plan.output = {y};
    PolicyOptions options;
    options.effects = {{{false, false}, {false, true}}};
    EXPECT_THAT(reasons(b.plan, options), ElementsAre("output_ignores_inputs"));
    options.relaxed = true;
    EXPECT_THAT(reasons(b.plan, options), ElementsAre("output_ignores_inputs"));
    options.constant_outputs = {true};
    EXPECT_THAT(reasons(b.plan, options), IsEmpty()) << "the reference's output is a constant as well";
    options = {};
    options.effects = {{{true, false}, {false, true}}};
    EXPECT_THAT(reasons(b.plan, options), IsEmpty());
}

TEST(Policy, AWeightOrAValueReadOnTheHostIsEnough) {
    Simple weight;
    Tensor y = weight.make("aten::empty_like", B::args(weight.x), {64, 64});
    weight.launch(B::args(weight.w, y));
    weight.plan.output = {y};
    PolicyOptions options;
    options.effects = {{{true, false}, {false, true}}};
    EXPECT_THAT(reasons(weight.plan, options), IsEmpty());

    Simple told;
    Tensor lengths = told.input({2}, DType::i64);
    told.add(ReadStep{lengths, {3, 5}});
    y = told.make("aten::empty_like", B::args(told.x), {64, 64});
    told.launch(B::args(told.x, y));
    told.plan.output = {y};
    options.effects = {{{false, false}, {false, true}}};
    EXPECT_THAT(reasons(told.plan, options), IsEmpty());
}

TEST(Policy, ConstantOutputsOfAReference) {
    B b("reference");
    Tensor x = b.input({4, 4});
    Tensor table = b.make("aten::arange", B::args(4), {4});
    Tensor shifted = b.make("aten::add.Tensor", B::args(table, 1.0), {4});
    Tensor y = b.make("aten::add.Tensor", B::args(x, shifted), {4, 4});
    Tensor noise = b.fresh({4});
    b.op("aten::rand", B::args(B::list({4})), noise, 0);
    b.plan.output = B::tensors({y, shifted, noise, x});
    EXPECT_EQ(constant_outputs(b.plan), (std::vector<bool>{false, true, false, false}));
}

// ---- launches on the path

TEST(Path, OnlyLaunchesThatReachAnOutputCount) {
    Simple b;
    Tensor dead = b.make("aten::empty_like", B::args(b.x), {64, 64});
    Tensor early = b.make("aten::empty_like", B::args(b.x), {64, 64});
    Tensor y = b.make("aten::empty_like", B::args(b.x), {64, 64});
    KernelEffects effects{{{true, false}, {false, true}}};
    b.launch(B::args(b.x, dead));   // launch 0: nobody looks
    b.launch(B::args(b.x, early));  // launch 1
    b.launch(B::args(early, y));    // launch 2
    Tensor copy = b.make("aten::clone", B::args(y), {64, 64});
    b.launch(B::args(b.x, y));  // launch 3: after the copy was taken
    b.plan.output = {copy};
    EXPECT_THAT(launches_on_output_path(b.plan, effects), ElementsAre(1, 2));
    EXPECT_THAT(launches_on_output_path(b.plan), ElementsAre(0, 1, 2)) << "launch 0 might write x";
}

TEST(Path, BytesThatAreReplacedDoNotCount) {
    Simple b;
    Tensor y = b.make("aten::empty_like", B::args(b.x), {64, 64});
    KernelEffects effects{{{true, false}, {false, true}}};
    b.launch(B::args(b.x, y));
    b.op("aten::zero_", B::args(y), y);
    b.launch(B::args(b.x, y));
    b.plan.output = {y};
    EXPECT_THAT(launches_on_output_path(b.plan, effects), ElementsAre(1));
}

TEST(Path, SlicesAreToldApart) {
    Simple b;
    Tensor y = b.make("aten::empty_like", B::args(b.x), {64, 64}),
           t = b.make("aten::empty_like", B::args(b.x), {64, 64});
    KernelEffects effects{{{true, false}, {false, true}}};
    b.launch(B::args(b.x, t));
    Tensor low = y, high = y;
    low.shape = high.shape = {32, 64};
    high.offset = 32 * 64;
    Tensor from = t;
    from.shape = {32, 64};
    b.op("aten::copy_", B::args(high, from), high);
    b.plan.output = {low};
    EXPECT_THAT(launches_on_output_path(b.plan, effects), IsEmpty());
    b.plan.output = {high};
    EXPECT_THAT(launches_on_output_path(b.plan, effects), ElementsAre(0));
}

}  // namespace
}  // namespace tritonsmith::plan
