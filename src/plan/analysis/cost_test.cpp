#include "plan/analysis/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/analysis/describe.h"
#include "plan/ir/build.h"
#include "plan/policy/policy.h"

namespace tritonsmith::plan {
namespace {

using testing::HasSubstr;
using B = Builder;

double flops(const std::string& op, List args, std::vector<int64_t> result) {
    B b("reference");
    for (Value& value : args)
        if (auto* tensor = std::get_if<Tensor>(&value.v)) *tensor = b.input(tensor->shape, tensor->dtype);
    b.make(op, std::move(args), std::move(result));
    return cost(b.plan).flops;
}
Tensor of(std::vector<int64_t> shape) {
    return B::contiguous(0, DType::f32, std::move(shape));
}

TEST(Cost, BytesPeakAndTraffic) {
    B b("reference");
    b.phase(Phase::inputs);
    Tensor x = b.make("aten::rand", B::args(B::list({1024})), {1024}, DType::f32, 0);
    b.plan.inputs = B::args(x, x);  // counted once
    b.phase(Phase::init);
    Tensor w = b.make("aten::ones", B::args(B::list({256})), {256});
    b.weight("w", w);
    b.phase(Phase::forward);
    Tensor a = b.make("aten::mul.Tensor", B::args(x, x), {1024});
    Tensor c = b.make("aten::relu", B::args(a), {1024});
    b.free(a);
    Tensor d = b.make("aten::relu", B::args(c), {1024});
    b.free(c);
    b.plan.output = {d};
    Cost k = cost(b.plan);
    EXPECT_EQ(k.bytes, 4096 + 1024 + 4096);
    EXPECT_EQ(k.peak_bytes, 1024 + 3 * 4096);
    EXPECT_EQ(k.traffic, 4096 * (3 + 2 + 2));
    EXPECT_EQ(k.flops, 3 * 1024);
}

TEST(Cost, FlopsOfTheLargeOperators) {
    EXPECT_EQ(flops("aten::mm", B::args(of({4, 100}), of({100, 5})), {4, 5}), 2 * 4 * 5 * 100);
    EXPECT_EQ(flops("aten::addmm", B::args(of({5}), of({4, 100}), of({100, 5})), {4, 5}), 2 * 4 * 5 * 100);
    EXPECT_EQ(flops("aten::bmm", B::args(of({2, 4, 30}), of({2, 30, 5})), {2, 4, 5}), 2 * 2 * 4 * 5 * 30);
    EXPECT_EQ(flops("aten::convolution",
                    B::args(of({1, 8, 9, 9}), of({16, 4, 3, 3}), Value{}, B::list({1}), B::list({1}),
                            B::list({1}), false, B::list({0}), 2),
                    {1, 16, 9, 9}),
              2.0 * 16 * 81 * 36);
    EXPECT_EQ(flops("aten::_scaled_dot_product_flash_attention",
                    B::args(of({1, 2, 9, 64}), of({1, 2, 300, 64}), of({1, 2, 300, 64})), {1, 2, 9, 64}),
              4.0 * 2 * 9 * 64 * 300);
    EXPECT_EQ(flops("aten::sum", B::args(of({1000})), {}), 1000);
    EXPECT_EQ(flops("aten::view", B::args(of({1000})), {1000}), 0);
}

TEST(Cost, HostileSizesDoNotOverflow) {
    B b("reference");
    Tensor x = b.input({1});
    b.plan.buffers[0].bytes = int64_t{1} << 47;
    x.shape = {int64_t{1} << 44};
    for (int i = 0; i < 200; ++i) {
        Tensor y = b.fresh({1});
        b.plan.buffers.back().bytes = int64_t{1} << 47;
        y.shape = x.shape;
        List many;
        for (int k = 0; k < 2000; ++k) many.push_back({x});
        b.op("aten::cat", {{Sequence{many}}}, y);
    }
    Cost k = cost(b.plan);
    EXPECT_EQ(k.traffic, INT64_MAX);
    EXPECT_GT(k.peak_bytes, int64_t{1} << 50);
    PolicyReport report = check_policy(b.plan, {});
    EXPECT_EQ(report.host_bytes, INT64_MAX);
}

TEST(Describe, WhatAPersonWantsToSee) {
    B b;
    b.plan.kernels[0].name = "add_kernel";
    b.plan.kernels[0].ttir =
        "module {\n  tt.func public @add_kernel(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} "
        "loc(\"a\"), %y_ptr: !tt.ptr<f32>, %n: i32) {";
    Tensor x = b.input({4, 8});
    b.plan.constants = {{"N", 8}};
    b.phase(Phase::init);
    Tensor w = b.make("aten::empty.memory_format", B::args(B::list({8})), {8});
    b.op("aten::normal_", B::args(w, 0.0, 1.0), w, 3);
    b.weight("linear.weight", w);
    b.weight("mean", w, false);
    b.phase(Phase::forward);
    Tensor turned = x;
    turned.shape = {8, 3};
    turned.stride = {1, 8};
    turned.offset = 8;
    b.op("aten::t", B::args(x), turned);
    int line = b.line();
    b.launch({{x}, {Pointer{w.buffer, 16}}, {int64_t{32}}}, {2, 3, 1});
    Step launch{LaunchStep{0, {1, 1, 1}, {{x}, {x}, {int64_t{1}}}}, Phase::forward, 50};
    b.add(ChoiceStep{{{"BLOCK: 64", {launch}}, {"BLOCK: 128", {launch}}}});
    b.free(w);
    b.plan.output = {x};
    b.plan.warnings = {"odd\nthing"};
    std::string text = describe(b.plan, false);
    for (const std::string& part :
         {std::string("plan of a candidate on cuda sm_90"), std::string("N = 8"),
          std::string("    0  b0 f32[4,8]\n"), std::string("b1 f32[8]  linear.weight\n"),
          std::string("mean  (buffer)"), std::string("k0  add_kernel  num_warps=4"), std::string("draw 3"),
          std::string("-> b0 f32[8,3] (1,8)@8\n"),
          "line " + std::to_string(line) +
              "   launch add_kernel[2,3](x_ptr=b0 f32[4,8], y_ptr=&b1+16B, n=32)  k0",
          std::string("one of 2 configurations"), std::string("- BLOCK: 128"), std::string("free b1"),
          std::string("output  b0 f32[4,8]"), std::string("warning: odd thing\n")})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, testing::Not(HasSubstr("tt.func")));
    EXPECT_THAT(describe(b.plan, true), HasSubstr("tt.func public @add_kernel"));
}

}  // namespace
}  // namespace tritonsmith::plan
