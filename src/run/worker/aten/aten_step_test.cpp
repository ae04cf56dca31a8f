#include "run/worker/aten/aten_step.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <gtest/gtest.h>

#include <cstring>

#include "aten/catalogue.h"
#include "run/plan_builder_testing.h"
#include "run/worker/aten/aten_allowlist.h"
#include "run/worker/aten/aten_equivalents.h"
#include "run/worker/exec/draw_step.h"
#include "run/worker/memory/host_memory.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

using plan::BufferKind;
using plan::DType;
using testing::integers;
using testing::PlanBuilder;
using testing::sequence;
using testing::symbol;
using testing::value;

constexpr int64_t kLimit = int64_t{1} << 30;

/// Plan and memory of one test; inputs are drawn.
struct Bench : PlanBuilder {
    std::unique_ptr<Memory> memory;

    plan::Tensor drawn(std::vector<int64_t> shape, DType dtype = DType::f32) {
        plan::Tensor made = tensor(std::move(shape), dtype);
        to_draw.push_back(made);
        return made;
    }
    void start() {
        memory = std::make_unique<HostMemory>(plan, kLimit, 1);
        for (const plan::Tensor& made : to_draw) {
            memory->allocate(made.buffer, made.dtype);
            draw_into(memory->view(made),
                      {{5, 1, static_cast<uint32_t>(made.buffer)}, {Law::normal, 0, 1, 0, 1}});
            memory->mark_written(made);
        }
    }
    std::optional<Finding> run(size_t step = 0) {
        return run_aten(std::get<plan::AtenStep>(plan.steps[step].what), *memory,
                        {.check_initialised = true});
    }
    at::Tensor view(const plan::Tensor& made) { return memory->view(made); }
    std::string reason_of(size_t step = 0) {
        try {
            run(step);
            return "none";
        } catch (const StepError& error) {
            return error.reason;
        }
    }

    std::vector<plan::Tensor> to_draw;
};

TEST(AtenStep, FunctionalResultsEqualDirectCalls) {
    Bench bench;
    plan::Tensor x = bench.drawn({3, 5}), y = bench.drawn({5}), out = bench.tensor({3, 5}),
                 act = bench.tensor({3, 5});
    bench.forward("aten::add.Tensor", {value(x), value(y)}, value(out)).kwargs = {{"alpha", {2.0}}};
    bench.forward("aten::gelu", {value(out)}, value(act)).kwargs = {{"approximate", {std::string("tanh")}}};
    bench.start();
    EXPECT_FALSE(bench.run(0));
    EXPECT_FALSE(bench.run(1));
    EXPECT_TRUE(bench.view(out).equal(bench.view(x).add(bench.view(y), 2)));
    EXPECT_TRUE(bench.view(act).equal(at::gelu(bench.view(out), "tanh")));
}

TEST(AtenStep, InPlaceAndViewsShareMemory) {
    Bench bench;
    plan::Tensor x = bench.drawn({4, 6});
    plan::Tensor turned = x;
    turned.shape = {6, 4};
    turned.stride = {1, 6};
    plan::Tensor row{x.buffer, DType::f32, {4}, {6}, 2};
    bench.forward("aten::t", {value(x)}, value(turned));
    bench.forward("aten::select.int", {value(turned), {int64_t{0}}, {int64_t{2}}}, value(row));
    bench.forward("aten::mul_.Scalar", {value(row), {0.0}}, value(row));
    bench.start();
    for (size_t i = 0; i < 3; ++i) EXPECT_FALSE(bench.run(i));
    EXPECT_EQ(bench.view(x).select(1, 2).abs().sum().item<float>(), 0);
    EXPECT_NE(bench.view(x).select(1, 1).abs().sum().item<float>(), 0);
}

TEST(AtenStep, ListsOfResults) {
    Bench bench;
    plan::Tensor x = bench.drawn({4, 6});
    plan::Tensor left{x.buffer, DType::f32, {4, 3}, {6, 1}, 0},
        right{x.buffer, DType::f32, {4, 3}, {6, 1}, 3};
    plan::Tensor values = bench.tensor({4}), indices = bench.tensor({4}, DType::i64);
    bench.forward("aten::split.Tensor", {value(x), {int64_t{3}}, {int64_t{1}}},
                  sequence({value(left), value(right)}));
    bench.forward("aten::max.dim", {value(x), {int64_t{1}}}, sequence({value(values), value(indices)}));
    bench.start();
    EXPECT_FALSE(bench.run(0));
    EXPECT_FALSE(bench.run(1));
    EXPECT_TRUE(bench.view(values).equal(bench.view(x).amax(1)));
    EXPECT_TRUE(bench.view(indices).equal(bench.view(x).argmax(1)));
}

TEST(AtenStep, StridedResultsLieAsDeclared) {
    Bench bench;
    plan::Tensor x = bench.drawn({2, 3, 4, 4}), out = bench.tensor({2, 3, 4, 4});
    out.stride = {48, 1, 12, 3};  // channels last
    bench.forward("aten::relu", {value(x)}, value(out));
    bench.start();
    EXPECT_FALSE(bench.run());
    EXPECT_TRUE(bench.view(out).equal(bench.view(x).relu()));
}

TEST(AtenStep, CudaOperatorsRunAsTheirEquivalents) {
    Bench bench;
    plan::Tensor x = bench.drawn({2, 3, 5, 5}), w = bench.drawn({3}), b = bench.drawn({3}),
                 mean = bench.drawn({3}), var = bench.drawn({3}), out = bench.tensor({2, 3, 5, 5}),
                 save = bench.tensor({3}), invstd = bench.tensor({3}),
                 reserve = bench.tensor({16}, DType::u8);
    bench.forward("aten::cudnn_batch_norm",
                  {value(x), value(w), value(b), value(mean), value(var), {true}, {0.1}, {1e-5}},
                  sequence({value(out), value(save), value(invstd), value(reserve)}));
    plan::Tensor q = bench.drawn({1, 2, 7, 8}), k = bench.drawn({1, 2, 7, 8}), v = bench.drawn({1, 2, 7, 8}),
                 o = bench.tensor({1, 2, 7, 8}), sums = bench.tensor({1, 2, 7}),
                 seed = bench.tensor({}, DType::i64), offset = bench.tensor({}, DType::i64);
    o.stride = {112, 8, 16, 1};
    bench.forward("aten::_scaled_dot_product_efficient_attention",
                  {value(q), value(k), value(v), {}, {true}, {0.0}, {true}},
                  sequence({value(o), value(sums), value(seed), value(offset)}));
    plan::Tensor filter = bench.drawn({4, 3, 3, 3}), conv = bench.tensor({2, 4, 5, 5});
    bench.forward("aten::cudnn_convolution",
                  {value(x),
                   value(filter),
                   integers({1, 1}),
                   integers({1, 1}),
                   integers({1, 1}),
                   {int64_t{1}},
                   {false},
                   {false},
                   {true}},
                  value(conv));
    bench.start();
    at::Tensor running = bench.view(mean).clone(), variance = bench.view(var).clone();
    for (size_t i = 0; i < 3; ++i) EXPECT_FALSE(bench.run(i));
    auto expected = at::native_batch_norm(bench.view(x), bench.view(w), bench.view(b), running, variance,
                                          true, 0.1, 1e-5);
    EXPECT_TRUE(bench.view(out).equal(std::get<0>(expected)));
    EXPECT_TRUE(bench.view(mean).equal(running)) << "running statistics are updated in place";
    at::Tensor attention = at::scaled_dot_product_attention(bench.view(q), bench.view(k), bench.view(v),
                                                            std::nullopt, 0.0, true);
    EXPECT_TRUE(bench.view(o).allclose(attention, 1e-5, 1e-6));
    EXPECT_TRUE(bench.view(conv).equal(at::convolution(bench.view(x), bench.view(filter), std::nullopt,
                                                       {1, 1}, {1, 1}, {1, 1}, false, {0, 0}, 1)));
}

TEST(AtenStep, GroupedQueriesShareTheirHeads) {
    Bench bench;
    plan::Tensor q = bench.drawn({2, 4, 7, 8}), k = bench.drawn({2, 2, 7, 8}), v = bench.drawn({2, 2, 7, 8}),
                 o = bench.tensor({2, 4, 7, 8}), sums = bench.tensor({2, 4, 7});
    bench.forward("aten::_scaled_dot_product_flash_attention_for_cpu",
                  {value(q), value(k), value(v), {0.0}, {true}}, sequence({value(o), value(sums)}));
    bench.start();
    ASSERT_FALSE(bench.run(0));
    at::Tensor expected =
        at::scaled_dot_product_attention(bench.view(q), bench.view(k), bench.view(v), std::nullopt, 0.0, true,
                                         std::nullopt, /*enable_gqa=*/true);
    EXPECT_TRUE(bench.view(o).allclose(expected, 1e-5, 1e-6));
}

TEST(AtenStep, EmptyMemoryIsPoisonedAndUnwritten) {
    Bench bench;
    plan::Tensor x = bench.tensor({64, 64}), out = bench.tensor({64, 64});
    bench.forward("aten::empty.memory_format", {integers({64, 64})}, value(x));
    bench.forward("aten::relu", {value(x)}, value(out));
    bench.start();
    EXPECT_FALSE(bench.run(0));
    EXPECT_EQ(bench.memory->unwritten(x).count, 4096);
    at::Tensor seen = bench.view(x);
    EXPECT_GT(seen.isnan().sum().item<int64_t>(), 500);
    EXPECT_GT(seen.isfinite().sum().item<int64_t>(), 2000);
    EXPECT_GT(seen.lt(0).sum().item<int64_t>(), 1000);
    HostMemory other(bench.plan, kLimit, 2);
    other.allocate(x.buffer, DType::f32);
    EXPECT_NE(std::memcmp(other.view(x).data_ptr(), seen.data_ptr(), 4096), 0)
        << "each run has another pattern";
    std::optional<Finding> finding = bench.run(1);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->reason, "uninitialised_read");
}

TEST(AtenStep, CopiesCarryWhatIsWritten) {
    Bench bench;
    plan::Tensor x = bench.tensor({4, 4}), y = bench.tensor({4, 4}), z = bench.tensor({4, 4});
    plan::Tensor top{x.buffer, DType::f32, {2, 4}, {4, 1}, 0};
    bench.forward("aten::empty.memory_format", {integers({4, 4})}, value(x));
    bench.forward("aten::fill_.Scalar", {value(top), {1.0}}, value(top));
    bench.forward("aten::clone", {value(x)}, value(y));
    bench.forward("aten::empty_like", {value(x)}, value(z));
    bench.forward("aten::copy_", {value(z), value(y)}, value(z));
    bench.start();
    for (size_t i = 0; i < 5; ++i) EXPECT_FALSE(bench.run(i)) << i;
    EXPECT_EQ(bench.memory->unwritten(z).count, 8);
    EXPECT_EQ(bench.memory->unwritten(z).first, 8);
    EXPECT_EQ(bench.memory->unwritten(top).count, 0);
}

TEST(AtenStep, ForgedPlansAreErrors) {
    struct Forged {
        const char* what;
        const char* reason;
        std::function<void(Bench&, plan::Tensor)> make;
    };
    const Forged cases[] = {
        {"opens a file", "aten_not_allowed",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::from_file", {{std::string("/etc/passwd")}}, value(x));
         }},
        {"changes a storage", "aten_not_allowed",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::resize_", {value(x), integers({1 << 20})}, value(x));
         }},
        {"replaces a storage", "aten_not_allowed",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::set_.source_Tensor", {value(x), value(x)}, value(x));
         }},
        {"draws from torch", "aten_not_allowed",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::multinomial", {value(x), {int64_t{1}}}, value(x));
         }},
        {"does not exist", "aten_not_allowed",
         [](Bench& b, plan::Tensor x) { b.forward("aten::launch_missiles", {value(x)}, value(x)); }},
        {"wrong shape", "plan_invalid",
         [](Bench& b, plan::Tensor x) { b.forward("aten::relu", {value(x)}, value(b.tensor({9}))); }},
        {"wrong dtype", "plan_invalid",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::relu", {value(x)}, value(b.tensor({8}, DType::f64)));
         }},
        {"fresh result into an input", "plan_invalid",
         [](Bench& b, plan::Tensor x) { b.forward("aten::relu", {value(x)}, value(x)); }},
        {"view elsewhere", "plan_invalid",
         [](Bench& b, plan::Tensor x) {
             plan::Tensor half{x.buffer, DType::f32, {4}, {1}, 4};
             b.forward("aten::slice.Tensor", {value(x), {int64_t{0}}, {int64_t{0}}, {int64_t{4}}},
                       value(half));
         }},
        {"view outside its buffer", "plan_invalid",
         [](Bench& b, plan::Tensor x) {
             plan::Tensor far{x.buffer, DType::f32, {8}, {int64_t{1} << 60}, 0};
             b.forward("aten::relu", {value(far)}, value(b.tensor({8})));
         }},
        {"as_strided outside its buffer", "aten_error",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::as_strided", {value(x), integers({100}), integers({1})}, value(x));
         }},
        {"missing buffer", "plan_invalid",
         [](Bench& b, plan::Tensor) {
             b.forward("aten::relu", {{plan::Tensor{77, DType::f32, {8}, {1}, 0}}}, value(b.tensor({8})));
         }},
        {"dead buffer", "plan_invalid",
         [](Bench& b, plan::Tensor) {
             b.forward("aten::relu", {value(b.tensor({8}))}, value(b.tensor({8})));
         }},
        {"overlapping result", "plan_invalid",
         [](Bench& b, plan::Tensor x) {
             plan::Tensor out = b.tensor({8});
             out.stride = {0};
             b.forward("aten::relu", {value(x)}, value(out));
         }},
        {"index out of range", "aten_error",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::select.int", {value(x), {int64_t{0}}, {int64_t{99}}}, value(b.tensor({})));
         }},
        {"too large", "out_of_memory",
         [](Bench& b, plan::Tensor) {
             plan::Tensor huge = b.tensor({int64_t{1} << 34}, DType::u8);
             b.forward("aten::empty.memory_format", {integers({int64_t{1} << 34})}, value(huge));
         }},
        {"missing kernel", "unsupported_operation",
         [](Bench& b, plan::Tensor x) {
             b.forward("aten::bitwise_and.Tensor", {value(x), value(x)}, value(b.tensor({8})));
         }},
    };
    for (const Forged& forged : cases) {
        Bench bench;
        plan::Tensor x = bench.drawn({8});
        forged.make(bench, x);
        bench.start();
        EXPECT_EQ(bench.reason_of(), forged.reason) << forged.what;
    }
}

TEST(AtenStep, OutVariantsCannotResize) {
    Bench bench;
    plan::Tensor x = bench.drawn({8}), out = bench.drawn({4});
    bench.forward("aten::add.out", {value(x), value(x)}, value(out)).kwargs = {{"out", value(out)}};
    bench.start();
    EXPECT_NE(bench.reason_of(), "none");
}

TEST(AtenAllowlist, NamesPureOperatorsOnly) {
    for (const char* op : {"aten::add.Tensor", "aten::convolution", "aten::_softmax",
                           "aten::native_layer_norm", "aten::lstm.input", "aten::sum.dim_IntList",
                           "aten::copy_", "aten::empty.memory_format", "aten::index.Tensor"})
        EXPECT_TRUE(aten_allowed(op)) << op;
    for (const char* op :
         {"aten::add", "aten::from_file", "aten::resize_", "aten::set_", "aten::uniform_", "aten::rand",
          "aten::record_stream", "aten::save", "prim::print", "aten::_local_scalar_dense", ""})
        EXPECT_FALSE(aten_allowed(op)) << op;
    Bench bench;
    plan::AtenStep attention;
    attention.op = "aten::scaled_dot_product_attention";
    attention.args = {{}, {}, {}, {}, {0.5}};
    EXPECT_NE(objection_to_arguments(attention), "");
    attention.args[4].v = 0.0;
    EXPECT_EQ(objection_to_arguments(attention), "");
}

TEST(DrawStep, DrawsByCounterIntoAnyLayout) {
    Bench bench;
    plan::Tensor plain = bench.tensor({4, 6}), turned = bench.tensor({4, 6});
    turned.stride = {1, 4};
    bench.aten(plan::Phase::inputs, "aten::randn", {integers({4, 6})}, value(plain), 3);
    bench.aten(plan::Phase::inputs, "aten::randn", {integers({4, 6})}, value(turned), 3);
    bench.start();
    for (const plan::Step& step : bench.plan.steps)
        run_draw(std::get<plan::AtenStep>(step.what), draw_key(9, step.phase, 3), {}, {}, *bench.memory);
    EXPECT_TRUE(bench.view(plain).equal(bench.view(turned)))
        << "element index is row-major, whatever the strides";
    EXPECT_EQ(bench.memory->unwritten(plain).count, 0);
}

TEST(DrawStep, LawsWithTensorsAndDropout) {
    Bench bench;
    plan::Tensor p = bench.constant<float>({3}, DType::f32, {0, 0.5, 1}), hits = bench.tensor({3});
    plan::Tensor x = bench.drawn({1000}), out = bench.tensor({1000}), mask = bench.tensor({1000}, DType::b1);
    bench.aten(plan::Phase::forward, "aten::bernoulli", {value(p)}, value(hits), 0);
    bench.aten(plan::Phase::forward, "aten::native_dropout", {value(x), {0.25}, {true}},
               sequence({value(out), value(mask)}), 1);
    bench.start();
    for (size_t i = 0; i < 2; ++i)
        run_draw(std::get<plan::AtenStep>(bench.plan.steps[i].what), {1, 1, static_cast<uint32_t>(i)}, {}, {},
                 *bench.memory);
    EXPECT_EQ(bench.view(hits)[0].item<float>(), 0);
    EXPECT_EQ(bench.view(hits)[2].item<float>(), 1);
    EXPECT_NEAR(bench.view(mask).sum().item<int64_t>(), 750, 60);
    EXPECT_TRUE(bench.view(out).allclose(bench.view(x) * bench.view(mask) / 0.75f));
    plan::AtenStep poisson;
    poisson.op = "aten::poisson";
    poisson.draw = 0;
    poisson.result = value(x);
    EXPECT_THROW(run_draw(poisson, {}, {}, {}, *bench.memory), StepError);
}

TEST(AtenEquivalents, AreThoseOfTheCatalogue) {
    for (std::string_view name : aten::names())
        EXPECT_EQ(find_equivalent("aten::" + std::string(name)) != nullptr,
                  aten::is(name, aten::Trait::equivalent))
            << name;
}

}  // namespace
}  // namespace tritonsmith::run
