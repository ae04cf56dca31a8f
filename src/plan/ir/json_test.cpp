#include "plan/ir/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tritonsmith::plan {
namespace {

using testing::HasSubstr;

Json sample() {
    return Json::parse(R"({"version":1,"role":"candidate","device":"cuda","target":"sm_90",
 "buffers":[{"id":0,"kind":"input","bytes":128,"address":139637976727552,"line":0},
            {"id":1,"kind":"constant","bytes":4,"address":0,"line":0,"data":"AACAPw=="},
            {"id":2,"kind":"allocation","bytes":128,"address":139637976728064,"line":14}],
 "kernels":[{"name":"add_kernel","ttir":"module {}","options":{"num_warps":4,"num_stages":3,"num_ctas":1},"line":5}],
 "steps":[
  {"kind":"aten","phase":"init","line":3,"op":"aten::clone","args":[{"tensor":{"buffer":1,"dtype":"f32","shape":[],"stride":[],"offset":0}}],
   "kwargs":{"memory_format":null},"result":null,"draw":2},
  {"kind":"aten","phase":"forward","line":14,"op":"aten::empty_like","args":[],"kwargs":{"dtype":{"dtype":"f32"},"pin_memory":false},
   "result":{"tensor":{"buffer":2,"dtype":"f32","shape":[4,8],"stride":[8,1],"offset":0}}},
  {"kind":"launch","phase":"forward","line":15,"kernel":0,"grid":[4,1,1],"args":[{"pointer":{"buffer":0,"offset":64}},7,1.0,
   {"descriptor":{"base":{"buffer":0,"dtype":"f32","shape":[4,8],"stride":[8,1],"offset":0},"block":[4,8],"padding":"nan"}}]},
  {"kind":"choice","phase":"forward","line":16,"alternatives":[{"config":"BLOCK: 128","steps":[
    {"kind":"launch","phase":"forward","line":16,"kernel":0,"grid":[1,1,1],"args":[]}]}]},
  {"kind":"read","phase":"forward","line":17,"tensor":{"buffer":0,"dtype":"i64","shape":[2],"stride":[1],"offset":0},"values":[3,-4]},
  {"kind":"free","phase":"forward","line":18,"buffer":0}],
 "weights":[{"name":"linear.weight","tensor":{"buffer":1,"dtype":"f32","shape":[1],"stride":[1],"offset":0},"parameter":true,"persistent":true}],
 "inputs":[{"tensor":{"buffer":0,"dtype":"f32","shape":[4,8],"stride":[8,1],"offset":0}},3,{"tuple":[1,[2]]},{"dict":[["a",true]]}],
 "init_inputs":["text",{"complex":[1.0,{"float":"nan"}]},{"float":"-inf"},{"device":"cuda"},{"layout":"strided"},
                {"memory_format":"contiguous_format"},{"generator":"default"}],
 "constants":{"N":4096,"shape[1]":3},"output":{"tensor":{"buffer":2,"dtype":"f32","shape":[4,8],"stride":[8,1],"offset":0}},
 "warnings":["w"]})");
}

std::string error_of(const Json& json) {
    try {
        from_json_unchecked(json);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(PlanJson, SurvivesARoundTrip) {
    Json json = sample();
    Plan plan = from_json_unchecked(json);
    Json again = to_json(plan);
    json["steps"][0]["kwargs"]["memory_format"] = nullptr;
    json["steps"][1].erase("draw");
    EXPECT_EQ(again["buffers"], json["buffers"]);
    EXPECT_EQ(again["kernels"], json["kernels"]);
    EXPECT_EQ(again["inputs"], json["inputs"]);
    EXPECT_EQ(again["init_inputs"], json["init_inputs"]);
    EXPECT_EQ(again["weights"], json["weights"]);
    EXPECT_EQ(again["constants"], json["constants"]);
    EXPECT_EQ(again["output"], json["output"]);
    EXPECT_EQ(to_json(from_json_unchecked(again)), again);
    for (int i : {0, 1, 2, 3, 4, 5}) EXPECT_EQ(again["steps"][i]["kind"], json["steps"][i]["kind"]);
    EXPECT_EQ(again["steps"][2], json["steps"][2]);
    EXPECT_EQ(again["steps"][4], json["steps"][4]);
}

TEST(PlanJson, IntegersAndFloatsStayApart) {
    Plan plan = from_json_unchecked(sample());
    const auto& launch = std::get<LaunchStep>(plan.steps[2].what);
    EXPECT_EQ(std::get<int64_t>(launch.args[1].v), 7);
    EXPECT_EQ(std::get<double>(launch.args[2].v), 1.0);
    EXPECT_EQ(to_json(Value{1.0}).dump(), "1.0");
    EXPECT_EQ(to_json(Value{int64_t{1}}).dump(), "1");
    EXPECT_TRUE(std::isnan(std::get<std::complex<double>>(plan.init_inputs[1].v).imag()));
    EXPECT_EQ(std::get<double>(plan.init_inputs[2].v), -HUGE_VAL);
}

TEST(PlanJson, ConstantsAreDecoded) {
    Plan plan = from_json_unchecked(sample());
    EXPECT_EQ(plan.buffers[1].data, (std::vector<uint8_t>{0, 0, 0x80, 0x3f}));
    EXPECT_EQ(plan.buffers[0].address, 139637976727552u);
}

TEST(PlanJson, EveryDtypeHasItsNameAndSize) {
    for (int i = 0; i <= static_cast<int>(DType::c128); ++i) {
        auto dtype = static_cast<DType>(i);
        EXPECT_EQ(dtype_from_name(dtype_name(dtype)), dtype);
    }
    EXPECT_STREQ(dtype_name(DType::f8e5m2fnuz), "f8e5m2fnuz");
    EXPECT_EQ(element_size(DType::bf16), 2);
    EXPECT_EQ(element_size(DType::c128), 16);
    EXPECT_EQ(element_size(DType::b1), 1);
    EXPECT_FALSE(dtype_from_name("float32"));
}

TEST(PlanJson, TensorsAreFoundDepthFirst) {
    Value value = value_from_json(
        Json::parse(
            R"({"dict":[["a",[{"tensor":{"buffer":5,"dtype":"f32","shape":[],"stride":[],"offset":0}}]],
        ["b",{"tuple":[{"tensor":{"buffer":3,"dtype":"f32","shape":[],"stride":[],"offset":0}}]}]]})"),
        "v");
    auto tensors = tensors_in(value);
    ASSERT_EQ(tensors.size(), 2u);
    EXPECT_EQ(tensors[0].buffer, 5);
    EXPECT_EQ(tensors[1].buffer, 3);
}

struct Bad {
    const char* path;
    Json value;
    const char* error;
};

class Refused : public testing::TestWithParam<Bad> {};

TEST_P(Refused, NamesTheField) {
    Json json = sample();
    json[Json::json_pointer(GetParam().path)] = GetParam().value;
    EXPECT_THAT(error_of(json), HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    PlanJson, Refused,
    testing::Values(
        Bad{"/version", 2, "version: must be between 1 and 1"},
        Bad{"/version", "1", "version: must be an integer"}, Bad{"/extra", 1, "unknown key \"extra\""},
        Bad{"/buffers/0/kind", "heap", "buffers[0].kind"},
        Bad{"/buffers/0/bytes", 1.5, "buffers[0].bytes: must be an integer, found number"},
        Bad{"/buffers/0/bytes", 18446744073709551615u, "buffers[0].bytes: integer beyond 64 bits"},
        Bad{"/buffers/0/address", -1, "buffers[0].address"}, Bad{"/buffers/0/id", -1, "buffers[0].id"},
        Bad{"/buffers/0/id", 100001, "buffers[0].id"},
        Bad{"/buffers/1/data", "###=", "buffers[1].data: is not base64"},
        Bad{"/buffers/0/more", 1, "buffers[0]: unknown key"}, Bad{"/buffers", 3, "buffers: must be a list"},
        Bad{"/kernels/0/ttir", Json::array(), "kernels[0].ttir: must be a string"},
        Bad{"/kernels/0/options", Json::array(), "kernels[0].options: must be an object"},
        Bad{"/steps/0/kind", "sleep", "steps[0].kind: unknown kind of step \"sleep\""},
        Bad{"/steps/0/phase", "later", "steps[0].phase"}, Bad{"/steps/0/line", -3, "steps[0].line"},
        Bad{"/steps/0/args/0/tensor/dtype", "f33", "steps[0].args[0].tensor.dtype: unknown dtype"},
        Bad{"/steps/0/args/0/tensor/shape", Json::array({1}),
            "steps[0].args[0].tensor.stride: has 0 items, shape has 1"},
        Bad{"/steps/0/args/0", Json{{"tonsor", 1}}, "steps[0].args[0]: unknown kind of value \"tonsor\""},
        Bad{"/steps/0/args/0", Json{{"dtype", "f32"}, {"device", "cuda"}}, "one key"},
        Bad{"/steps/0/args/0", Json{{"float", "infinity"}}, "steps[0].args[0].float"},
        Bad{"/steps/0/args/0", Json{{"complex", {1}}}, "steps[0].args[0].complex"},
        Bad{"/steps/2/grid", Json::array({1, 1}), "steps[2].grid: must have 3 items"},
        Bad{"/steps/2/grid/1", "x", "steps[2].grid[1]"}, Bad{"/steps/2/kernel", -1, "steps[2].kernel"},
        Bad{"/steps/2/op", "aten::add", "steps[2]: unknown key \"op\""},
        Bad{"/steps/3/alternatives/0/steps/0/args", 3,
            "steps[3].alternatives[0].steps[0].args: must be a list"},
        Bad{"/weights/0/parameter", 1, "weights[0].parameter"}, Bad{"/constants/N", "many", "constants.N"},
        Bad{"/warnings/0", 1, "warnings[0]"},
        Bad{"/inputs/3/dict/0", Json::array({1}), "inputs[3].dict[0]"}));

TEST(PlanJson, MissingFieldsAreNamed) {
    Json json = sample();
    json["buffers"][0].erase("bytes");
    EXPECT_THAT(error_of(json), HasSubstr("buffers[0]: missing \"bytes\""));
    EXPECT_THAT(error_of(Json::array()), HasSubstr("must be an object"));
}

TEST(PlanJson, LimitsHold) {
    Json json = sample();
    Json deep = 1;
    for (int i = 0; i < 17; ++i) deep = Json::array({deep});
    json["inputs"][1] = deep;
    EXPECT_THAT(error_of(json), HasSubstr("nested deeper"));

    json = sample();
    json["inputs"][0]["tensor"]["shape"] = std::vector<int>(65, 1);
    json["inputs"][0]["tensor"]["stride"] = std::vector<int>(65, 1);
    EXPECT_THAT(error_of(json), HasSubstr("inputs[0].tensor.shape: more than 64 items"));

    json = sample();
    json["kernels"][0]["ttir"] = std::string((16 << 20) + 1, ' ');
    EXPECT_THAT(error_of(json), HasSubstr("kernels[0].ttir: longer than"));

    json = sample();
    Json free_step = json["steps"][5];
    Json many = Json::array();
    for (int i = 0; i < 60000; ++i) many.push_back(free_step);
    json["steps"][3]["alternatives"] =
        Json::array({Json{{"config", ""}, {"steps", many}}, Json{{"config", ""}, {"steps", many}}});
    EXPECT_THAT(error_of(json), HasSubstr("more than 100000 steps"));

    json = sample();
    Json choice = json["steps"][3];
    for (int i = 0; i < 3; ++i) choice["alternatives"][0]["steps"] = Json::array({choice});
    json["steps"][3] = choice;
    EXPECT_THAT(error_of(json), HasSubstr("choices inside choices"));
}

}  // namespace
}  // namespace tritonsmith::plan
