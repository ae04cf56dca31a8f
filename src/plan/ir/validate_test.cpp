#include "plan/ir/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using testing::HasSubstr;

/// y = kernel(x, w) + a choice + a free: every kind of step in one valid plan.
Plan valid() {
    Builder b;
    Tensor x = b.input({4, 8});
    b.phase(Phase::init);
    Tensor w =
        b.make("aten::empty.memory_format", Builder::args(Builder::list({8})), {8});  // steps[0], buffer 1
    b.op("aten::uniform_", Builder::args(w, -1.0, 1.0), w, 0);                        // steps[1]
    b.weight("w", w);
    b.phase(Phase::forward);
    Tensor y = b.make("aten::empty_like", Builder::args(x), {4, 8});         // steps[2], buffer 2
    b.launch({{x}, {Pointer{w.buffer, 4}}, {int64_t{32}}, {y}}, {2, 1, 1});  // steps[3]
    Tensor scratch = b.fresh({4}), other = b.fresh({4});                     // buffers 3, 4
    Step make{AtenStep{"aten::empty.memory_format", {}, {}, {scratch}}, Phase::forward, 20};
    Step make_other{AtenStep{"aten::empty.memory_format", {}, {}, {other}}, Phase::forward, 20};
    Step run{LaunchStep{0, {1, 1, 1}, {{y}, {scratch}}}, Phase::forward, 21};
    Step run_other{LaunchStep{0, {1, 1, 1}, {{y}, {other}}}, Phase::forward, 21};
    b.plan.buffers[4].address = b.plan.buffers[3].address;  // one after the other, so this is no overlap
    b.add(ChoiceStep{{{"A", {make, run}}, {"B", {make_other, run_other}}}});  // steps[4]
    Tensor t = b.make("aten::clone", Builder::args(y), {4, 8});               // steps[5], buffer 5
    b.free(t);                                                                // steps[6]
    Tensor n = b.constant({2}, DType::i32);                                   // buffer 6
    b.add(ReadStep{n, {1, 2}});                                               // steps[7]
    b.launch({{Descriptor{x, {2, 8}, "zero"}}, {true}, {1.5}});               // steps[8]
    b.plan.output = {y};
    return b.plan;
}

template <typename Kind>
Kind& at(Plan& plan, size_t index) {
    return std::get<Kind>(plan.steps.at(index).what);
}
Tensor& tensor(Value& value) {
    return std::get<Tensor>(value.v);
}

TEST(Validate, AValidPlanPasses) {
    auto finding = validate(valid());
    EXPECT_FALSE(finding) << finding->message;
}

struct Forgery {
    const char* name;
    std::function<void(Plan&)> forge;
    const char* message;
    const char* reason = "plan_invalid";
};

class Forged : public testing::TestWithParam<Forgery> {};

TEST_P(Forged, IsRefused) {
    Plan plan = valid();
    GetParam().forge(plan);
    auto finding = validate(plan);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->reason, GetParam().reason);
    EXPECT_THAT(finding->message, HasSubstr(GetParam().message));
}

constexpr int64_t kHuge = INT64_MAX;

void set_option(Plan& plan, const char* name, Value value) {
    plan.kernels[0].options[name] = std::move(value);
}
AtenStep aten(const char* op, List args, Value result = {}) {
    return {op, std::move(args), {}, std::move(result)};
}
void insert(Plan& plan, decltype(Step::what) what, Phase phase = Phase::forward) {
    plan.steps.push_back({std::move(what), phase, 99});
}

const Forgery kForgeries[] = {
    // ids and sizes
    {"role", [](Plan& p) { p.role = "judge"; }, "role"},
    {"device", [](Plan& p) { p.device = "meta"; }, "device"},
    {"target", [](Plan& p) { p.target = "sm_90; rm"; }, "target"},
    {"buffer_id", [](Plan& p) { p.buffers[1].id = 0; }, "buffers[1]: id must be 1"},
    {"negative_bytes", [](Plan& p) { p.buffers[2].bytes = -1; }, "-1 bytes"},
    {"gigantic_bytes", [](Plan& p) { p.buffers[2].bytes = kHuge; }, "bytes"},
    {"address_wraps", [](Plan& p) { p.buffers[2].address = UINT64_MAX - 3; }, "address beyond"},
    {"constant_short", [](Plan& p) { p.buffers[6].data.pop_back(); }, "holds 7 bytes of data, must hold 8"},
    {"data_on_allocation", [](Plan& p) { p.buffers[2].data = {1}; }, "only constants have data"},
    {"addresses_overlap", [](Plan& p) { p.buffers[2].address = p.buffers[0].address + 8; },
     "overlap in addresses"},
    {"addresses_equal", [](Plan& p) { p.buffers[2].address = p.buffers[1].address; }, "overlap in addresses"},
    {"address_inside_the_next", [](Plan& p) { p.buffers[2].address = p.buffers[1].address - 1; },
     "overlap in addresses"},
    // tensors
    {"shape_wrong",
     [](Plan& p) {
         tensor(at<AtenStep>(p, 2).result).shape = {5, 8};
     },
     "past the end"},
    {"negative_size", [](Plan& p) { tensor(p.output).shape[0] = -4; }, "dimension of size -4"},
    {"gigantic_size", [](Plan& p) { tensor(p.output).shape[0] = kHuge; }, "dimension of size"},
    {"gigantic_product",
     [](Plan& p) {
         tensor(p.output) = {2, DType::f32, {1 << 24, 1 << 24, 1 << 24}, {0, 0, 0}, 0};
     },
     "2^47 elements"},
    {"negative_stride", [](Plan& p) { tensor(p.output).stride[0] = -8; }, "stride -8"},
    {"stride_overflows",
     [](Plan& p) {
         tensor(p.output) = {2, DType::f32, {1 << 30, 2}, {int64_t{1} << 46, 1}, 0};
     },
     "past the end"},
    {"stride_beyond", [](Plan& p) { tensor(p.output).stride[0] = 9; }, "past the end"},
    {"offset_past_end", [](Plan& p) { tensor(p.output).offset = 1; }, "past the end"},
    {"offset_overflows", [](Plan& p) { tensor(p.output).offset = kHuge; }, "past the end"},
    {"negative_offset", [](Plan& p) { tensor(p.output).offset = -1; }, "negative offset"},
    {"empty_past_end",
     [](Plan& p) {
         tensor(p.output) = {2, DType::f32, {0}, {1}, kHuge / 4};
     },
     "past the end"},
    {"wider_dtype", [](Plan& p) { tensor(p.output).dtype = DType::c128; }, "past the end"},
    {"rank_differs", [](Plan& p) { tensor(p.output).stride = {1}; }, "differ in length"},
    {"rank_65",
     [](Plan& p) {
         tensor(p.output) = {2, DType::f32, std::vector<int64_t>(65, 1), std::vector<int64_t>(65, 1), 0};
     },
     "rank 65"},
    {"no_such_buffer", [](Plan& p) { tensor(p.output).buffer = 7; }, "no buffer 7"},
    {"negative_buffer", [](Plan& p) { tensor(p.output).buffer = -1; }, "no buffer -1"},
    // life
    {"before_it_exists", [](Plan& p) { p.steps.erase(p.steps.begin() + 2); }, "before a step makes it"},
    {"after_free",
     [](Plan& p) {
         insert(p, aten("aten::add_.Tensor", {{Tensor{5, DType::f32, {4}, {1}, 0}}}, {}));
     },
     "after it was freed"},
    {"free_twice", [](Plan& p) { insert(p, FreeStep{5}); }, "after it was freed"},
    {"free_unborn",
     [](Plan& p) {
         p.steps.insert(p.steps.begin(), Step{FreeStep{2}, Phase::init, 1});
     },
     "before a step makes it"},
    {"free_input", [](Plan& p) { insert(p, FreeStep{0}); }, "frees input"},
    {"free_nothing", [](Plan& p) { insert(p, FreeStep{99}); }, "no buffer 99"},
    {"born_again",
     [](Plan& p) {
         insert(p, aten("aten::empty_like", {}, {Tensor{5, DType::f32, {4}, {1}, 0}}));
     },
     "again after it was freed"},
    {"output_freed", [](Plan& p) { insert(p, FreeStep{2}); }, "output: uses buffer 2 after it was freed"},
    {"choice_leaks",
     [](Plan& p) {
         tensor(p.output) = {3, DType::f32, {4}, {1}, 0};
     },
     "after it was freed"},
    {"choice_frees_outside",
     [](Plan& p) {
         at<ChoiceStep>(p, 4).alternatives[0].steps.push_back({FreeStep{2}, Phase::forward, 1});
     },
     "did not make"},
    // aliasing
    {"result_in_stranger",
     [](Plan& p) {
         at<AtenStep>(p, 2).result = {Tensor{1, DType::f32, {8}, {1}, 0}};
     },
     "neither new nor an argument"},
    {"result_in_input",
     [](Plan& p) {
         at<AtenStep>(p, 2).args.clear();
         at<AtenStep>(p, 2).result = {Tensor{0, DType::f32, {4, 8}, {8, 1}, 0}};
     },
     "neither new nor an argument"},
    {"factory_aliases",
     [](Plan& p) {
         at<AtenStep>(p, 2).result = {Tensor{0, DType::f32, {4, 8}, {8, 1}, 0}};
     },
     "makes new memory"},
    {"result_in_constant",
     [](Plan& p) {
         at<AtenStep>(p, 2).result = {Tensor{6, DType::f32, {2}, {1}, 0}};
     },
     "neither new nor an argument"},
    // operators
    {"op_name", [](Plan& p) { at<AtenStep>(p, 2).op = "os.system"; }, "not named like"},
    {"op_name_dots", [](Plan& p) { at<AtenStep>(p, 2).op = "aten::add.Tensor.out"; }, "not named like"},
    {"op_name_blank", [](Plan& p) { at<AtenStep>(p, 2).op = "aten::add Tensor"; }, "not named like"},
    {"op_pointer",
     [](Plan& p) {
         at<AtenStep>(p, 2).args.push_back({Pointer{0, 0}});
     },
     "bare pointer"},
    {"op_pointer_nested",
     [](Plan& p) {
         at<AtenStep>(p, 2).args.push_back({Sequence{{{Pointer{0, 0}}}, true}});
     },
     "bare pointer"},
    {"draws_out_of_order", [](Plan& p) { p.steps.insert(p.steps.begin() + 2, p.steps[1]); },
     "draw 0 is out of order"},
    {"draw_in_choice",
     [](Plan& p) { std::get<AtenStep>(at<ChoiceStep>(p, 4).alternatives[0].steps[0].what).draw = 0; },
     "inside a choice"},
    {"phases", [](Plan& p) { insert(p, aten("aten::zeros", {}), Phase::init); }, "after the call began"},
    {"candidate_inputs", [](Plan& p) { p.steps[0].phase = Phase::inputs; }, "makes no inputs"},
    // launches
    {"kernel_out_of_range", [](Plan& p) { at<LaunchStep>(p, 3).kernel = 1; }, "no kernel 1"},
    {"kernel_negative", [](Plan& p) { at<LaunchStep>(p, 3).kernel = -1; }, "no kernel -1"},
    {"grid_zero", [](Plan& p) { at<LaunchStep>(p, 3).grid[1] = 0; }, "grid dimension 1 is 0"},
    {"grid_negative", [](Plan& p) { at<LaunchStep>(p, 3).grid[0] = -1; }, "grid dimension 0 is -1"},
    {"grid_x_over", [](Plan& p) { at<LaunchStep>(p, 3).grid[0] = int64_t{1} << 31; }, "grid dimension 0",
     "grid_too_large"},
    {"grid_z_over", [](Plan& p) { at<LaunchStep>(p, 3).grid[2] = 65536; }, "grid dimension 2",
     "grid_too_large"},
    {"grid_of_billions",
     [](Plan& p) {
         at<LaunchStep>(p, 3).grid = {int64_t{1} << 30, 2048, 1};
     },
     "does not end", "grid_too_large"},
    {"pointer_past_end",
     [](Plan& p) {
         at<LaunchStep>(p, 3).args[1] = {Pointer{1, 33}};
     },
     "a pointer at byte 33"},
    {"pointer_negative",
     [](Plan& p) {
         at<LaunchStep>(p, 3).args[1] = {Pointer{1, -1}};
     },
     "a pointer at byte -1"},
    {"pointer_nowhere",
     [](Plan& p) {
         at<LaunchStep>(p, 3).args[1] = {Pointer{77, 0}};
     },
     "no buffer 77"},
    {"argument_text", [](Plan& p) { at<LaunchStep>(p, 3).args[1] = {std::string("x")}; },
     "a launch argument"},
    {"argument_null", [](Plan& p) { at<LaunchStep>(p, 3).args[1] = {}; }, "a launch argument"},
    {"argument_list", [](Plan& p) { at<LaunchStep>(p, 3).args[1] = {Sequence{}}; }, "a launch argument"},
    {"descriptor_block", [](Plan& p) { std::get<Descriptor>(at<LaunchStep>(p, 8).args[0].v).block = {8}; },
     "another rank"},
    {"descriptor_block_zero",
     [](Plan& p) { std::get<Descriptor>(at<LaunchStep>(p, 8).args[0].v).block[0] = 0; }, "block of size 0"},
    {"descriptor_padding",
     [](Plan& p) { std::get<Descriptor>(at<LaunchStep>(p, 8).args[0].v).padding = "one"; }, "padding"},
    {"descriptor_stride",
     [](Plan& p) {
         std::get<Descriptor>(at<LaunchStep>(p, 8).args[0].v).base.stride = {1, 4};
     },
     "last stride"},
    {"choice_in_choice", [](Plan& p) { at<ChoiceStep>(p, 4).alternatives[0].steps.push_back(p.steps[4]); },
     "a choice inside"},
    {"choice_empty", [](Plan& p) { at<ChoiceStep>(p, 4).alternatives.clear(); }, "without alternatives"},
    {"read_of_floats", [](Plan& p) { at<ReadStep>(p, 7).tensor.dtype = DType::f32; }, "not integers"},
    {"read_of_another_size", [](Plan& p) { at<ReadStep>(p, 7).values = {1}; }, "host read has 1 values"},
    {"read_value_too_large", [](Plan& p) { at<ReadStep>(p, 7).values[0] = int64_t{1} << 40; },
     "does not fit i32"},
    // kernels
    {"kernel_nameless", [](Plan& p) { p.kernels[0].name.clear(); }, "has no name"},
    {"kernel_textless", [](Plan& p) { p.kernels[0].ttir.clear(); }, "has no TTIR"},
    // weights, inputs
    {"weight_twice", [](Plan& p) { p.weights.push_back(p.weights[0]); }, "not unique"},
    {"weight_past_end", [](Plan& p) { p.weights[0].tensor.shape = {9}; }, "past the end"},
    {"weight_is_input",
     [](Plan& p) {
         p.weights[0].tensor = {0, DType::f32, {8}, {1}, 0};
     },
     "in an input's buffer"},
    {"input_not_input",
     [](Plan& p) {
         p.inputs.push_back({Tensor{2, DType::f32, {4, 8}, {8, 1}, 0}});
     },
     "not of kind input"},
    {"input_of_nobody", [](Plan& p) { p.inputs.clear(); }, "belongs to no input"},
    {"init_input_past_end",
     [](Plan& p) {
         p.init_inputs.push_back({Tensor{0, DType::f32, {400}, {1}, 0}});
     },
     "init_inputs"},
    {"output_pointer",
     [](Plan& p) {
         p.output = {Pointer{0, 0}};
     },
     "bare pointer"},
    // options
    {"warps_3", [](Plan& p) { set_option(p, "num_warps", {int64_t{3}}); }, "num_warps = 3",
     "compile_option_forbidden"},
    {"warps_64", [](Plan& p) { set_option(p, "num_warps", {int64_t{64}}); }, "num_warps = 64",
     "compile_option_forbidden"},
    {"warps_0", [](Plan& p) { set_option(p, "num_warps", {int64_t{0}}); }, "num_warps = 0",
     "compile_option_forbidden"},
    {"warps_true", [](Plan& p) { set_option(p, "num_warps", {true}); }, "num_warps = true",
     "compile_option_forbidden"},
    {"ctas_32", [](Plan& p) { set_option(p, "num_ctas", {int64_t{32}}); }, "num_ctas",
     "compile_option_forbidden"},
    {"stages_negative", [](Plan& p) { set_option(p, "num_stages", {int64_t{-1}}); }, "num_stages",
     "compile_option_forbidden"},
    {"stages_many", [](Plan& p) { set_option(p, "num_stages", {int64_t{1000}}); }, "num_stages",
     "compile_option_forbidden"},
    {"maxnreg_256", [](Plan& p) { set_option(p, "maxnreg", {int64_t{256}}); }, "maxnreg",
     "compile_option_forbidden"},
    {"fusion_number", [](Plan& p) { set_option(p, "enable_fp_fusion", {int64_t{1}}); }, "enable_fp_fusion",
     "compile_option_forbidden"},
    {"ir_override", [](Plan& p) { set_option(p, "ir_override", {std::string("/tmp/x.ptx")}); }, "ir_override",
     "compile_option_forbidden"},
    {"ptx_options", [](Plan& p) { set_option(p, "ptx_options", {std::string("-O0")}); }, "ptx_options",
     "compile_option_forbidden"},
    {"ptx_version", [](Plan& p) { set_option(p, "ptx_version", {int64_t{70}}); }, "ptx_version",
     "compile_option_forbidden"},
    {"extern_libs",
     [](Plan& p) {
         set_option(
             p, "extern_libs",
             {Sequence{{{Sequence{{{std::string("evil")}, {std::string("/tmp/e.bc")}}, true}}}, true}});
     },
     "extern_libs", "compile_option_forbidden"},
    {"libdevice_elsewhere",
     [](Plan& p) {
         set_option(p, "extern_libs", {Dict{{{"libdevice", {std::string("/tmp/libdevice.10.bc")}}}}});
     },
     "extern_libs", "compile_option_forbidden"},
    {"arch", [](Plan& p) { set_option(p, "arch", {std::string("sm80")}); }, "arch",
     "compile_option_forbidden"},
    {"sanitize", [](Plan& p) { set_option(p, "sanitize_overflow", {false}); }, "sanitize_overflow",
     "compile_option_forbidden"},
    {"reflect", [](Plan& p) { set_option(p, "enable_reflect_ftz", {false}); }, "enable_reflect_ftz",
     "compile_option_forbidden"},
    {"warp_size", [](Plan& p) { set_option(p, "warp_size", {int64_t{64}}); }, "warp_size",
     "compile_option_forbidden"},
    {"unknown_option", [](Plan& p) { set_option(p, "fast_and_wrong", {true}); }, "fast_and_wrong",
     "compile_option_forbidden"},
};

INSTANTIATE_TEST_SUITE_P(Plan, Forged, testing::ValuesIn(kForgeries),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Validate, EveryDefaultOfTritonPasses) {
    auto texts = [](std::vector<std::string> items) {
        Sequence sequence{{}, true};
        for (auto& item : items) sequence.items.push_back({item});
        return Value{sequence};
    };
    Plan plan = valid();
    plan.kernels[0].options = {
        {"num_warps", {int64_t{8}}},
        {"num_ctas", {int64_t{2}}},
        {"num_stages", {int64_t{0}}},
        {"maxnreg", {int64_t{255}}},
        {"enable_fp_fusion", {false}},
        {"launch_cooperative_grid", {true}},
        {"launch_pdl", {true}},
        {"warp_size", {int64_t{32}}},
        {"ptx_version", {}},
        {"ptx_options", {}},
        {"ir_override", {}},
        {"enable_reflect_ftz", {true}},
        {"debug", {false}},
        {"sanitize_overflow", {true}},
        {"instrumentation_mode", {std::string()}},
        {"backend_name", {std::string("cuda")}},
        {"arch", {std::string("sm90")}},
        {"default_dot_input_precision", {std::string("tf32")}},
        {"allowed_dot_input_precisions", texts({"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"})},
        {"supported_fp8_dtypes", texts({"fp8e4b15", "fp8e4nv", "fp8e5"})},
        {"deprecated_fp8_dot_operand_dtypes", texts({"fp8e4b15"})},
        {"max_num_imprecise_acc_default", {int64_t{1} << 30}},
        {"extern_libs",
         {Sequence{{texts({"libdevice", "/venv/lib/triton/backends/nvidia/lib/libdevice.10.bc"})}, true}}}};
    auto finding = validate(plan);
    EXPECT_FALSE(finding) << finding->message;
    plan.target = "sm_80";  // there fp8e4nv is not supported, so the same tuple is a choice
    EXPECT_TRUE(validate(plan));
}

TEST(Validate, HonestOddities) {
    Plan plan = valid();
    tensor(plan.output) = {2, DType::f32, {4, 0}, {8, 1}, 32};  // an empty slice at the very end
    EXPECT_FALSE(validate(plan));
    tensor(plan.output) = {2, DType::f32, {1000000, 4, 8}, {0, 8, 1}, 0};  // a broadcast view
    EXPECT_FALSE(validate(plan));
    tensor(plan.output) = {2, DType::c64, {4, 4}, {4, 1}, 0};  // the same bytes as complex numbers
    EXPECT_FALSE(validate(plan));
    plan = valid();
    plan.buffers[5].address = plan.buffers[3].address;  // memory used again after its owner died
    EXPECT_FALSE(validate(plan));
    for (Buffer& buffer : plan.buffers) buffer.address = 0;  // addresses not known
    EXPECT_FALSE(validate(plan));
}

TEST(Validate, TheLineIsTheStepsOwn) {
    Plan plan = valid();
    at<LaunchStep>(plan, 3).grid[0] = 0;
    auto finding = validate(plan);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->line, plan.steps[3].line);
    EXPECT_EQ(finding->evidence.at("where"), "steps[3]");
}

}  // namespace
}  // namespace tritonsmith::plan
