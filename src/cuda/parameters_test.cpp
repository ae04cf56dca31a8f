#include "cuda/parameters.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "base/process/files.h"
#include "ttir/parse/parser.h"

namespace tritonsmith::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kSources = TRITONSMITH_SOURCE_DIR;

uint64_t address_of(int buffer) {
    return 0x7f0000000000 + 0x1000 * static_cast<uint64_t>(buffer);
}

/// Without a device there is no driver to encode the map: its address stands for it.
CUtensorMap address_for_map(const TensorMapRequest& request) {
    CUtensorMap map{};
    map.opaque[0] = request.address;
    return map;
}

template <typename T>
T read(const Parameters& parameters, size_t i) {
    T value{};
    EXPECT_EQ(parameters.size(i), sizeof value) << "parameter " << i;
    std::memcpy(&value, parameters.bytes(i), sizeof value);
    return value;
}

plan::Value value(auto v) {
    return {v};
}

plan::Tensor tensor(int buffer, int64_t offset = 0) {
    plan::Tensor result;
    result.buffer = buffer;
    result.offset = offset;
    return result;
}

Parameters packed(const std::string& signature, plan::List args, const Json& meta = {}) {
    plan::LaunchStep launch;
    launch.args = std::move(args);
    const ttir::Module module = ttir::parse("module {\n  tt.func public @k(" + signature +
                                            ") attributes {noinline = false} {\n    tt.return\n  }\n}\n");
    return pack(launch, module, meta, address_of, address_for_map);
}

std::string refusal(const std::string& signature, plan::List args, const Json& meta = {}) {
    try {
        packed(signature, std::move(args), meta);
        return "none";
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Parameters, PointersAreAddressesInBytes) {
    const Parameters p = packed("%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %d: i64",
                                {value(tensor(1, 3)), value(plan::Pointer{2, 5}), value(plan::Pointer{-1, 0}),
                                 value(plan::Pointer{2, 8})});
    EXPECT_EQ(read<uint64_t>(p, 0), address_of(1) + 12);
    EXPECT_EQ(read<uint64_t>(p, 1), address_of(2) + 5);
    EXPECT_EQ(read<uint64_t>(p, 2), 0U);
    EXPECT_EQ(read<uint64_t>(p, 3), address_of(2) + 8);
}

TEST(Parameters, IntegersHaveTheirWidth) {
    const Parameters p = packed("%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: i32, %g: i1",
                                {value(true), value(int64_t{-2}), value(int64_t{-3}), value(int64_t{-4}),
                                 value(int64_t{-5}), value(int64_t{4294967295}), value(int64_t{-1})});
    EXPECT_EQ(read<uint8_t>(p, 0), 1);
    EXPECT_EQ(read<int8_t>(p, 1), -2);
    EXPECT_EQ(read<int16_t>(p, 2), -3);
    EXPECT_EQ(read<int32_t>(p, 3), -4);
    EXPECT_EQ(read<int64_t>(p, 4), -5);
    EXPECT_EQ(read<uint32_t>(p, 5), 4294967295U);
    EXPECT_EQ(read<uint8_t>(p, 6), 1);
}

TEST(Parameters, FloatsAreRoundedToNearestEven) {
    const Parameters p =
        packed("%a: f16, %b: bf16, %c: f32, %d: f64, %e: bf16",
               {value(2049.0), value(1.01171875), value(0.1), value(0.1), value(1.00390625)});
    EXPECT_EQ(read<uint16_t>(p, 0), 0x6800);  // 2049 lies between 2048 and 2050
    EXPECT_EQ(read<uint16_t>(p, 1), 0x3f82);  // halfway: to the even one
    EXPECT_EQ(read<float>(p, 2), 0.1F);
    EXPECT_EQ(read<double>(p, 3), 0.1);
    EXPECT_EQ(read<uint16_t>(p, 4), 0x3f80);
}

plan::Descriptor described_example() {
    plan::Descriptor descriptor;
    descriptor.base = tensor(1, 4);
    descriptor.base.dtype = plan::DType::f16;
    descriptor.base.shape = {64, 32};
    descriptor.base.stride = {32, 1};
    descriptor.block = {32, 32};
    return descriptor;
}

Json described_meta(bool fp4_padded) {
    return Json::array({{{"swizzle", 2},
                         {"elem_size", 2},
                         {"elem_type", 6},
                         {"block_size", {32, 32}},
                         {"fp4_padded", fp4_padded}}});
}

const char* kDescribed = "%x: !tt.tensordesc<tensor<32x32xf16>>, %r: i32, %c: i32, %sr: i64, %sc: i64";

TEST(Parameters, DescriptorsAreMapsByValueBesideTheirSizes) {
    for (const bool padded : {false, true}) {
        const Parameters p = packed(kDescribed,
                                    {value(described_example()), value(int64_t{64}), value(int64_t{32}),
                                     value(int64_t{32}), value(int64_t{1})},
                                    described_meta(padded));
        EXPECT_EQ(read<CUtensorMap>(p, 0).opaque[0], address_of(1) + 8);
        EXPECT_EQ(read<int32_t>(p, 1), 64);
        EXPECT_EQ(read<int32_t>(p, 2), padded ? 64 : 32);
        EXPECT_EQ(read<int64_t>(p, 3), 32);
        EXPECT_EQ(read<int64_t>(p, 4), 1);
    }
}

TEST(Parameters, LieAlignedAndStayWhereTheyAre) {
    Parameters p = packed(kDescribed,
                          {value(described_example()), value(int64_t{64}), value(int64_t{32}),
                           value(int64_t{32}), value(int64_t{1})},
                          described_meta(false));
    const std::vector<void*> addresses = p.addresses();
    Parameters moved = std::move(p);
    EXPECT_EQ(moved.addresses(), addresses);
    for (void* address : addresses) EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % 64, 0U);
}

TEST(Parameters, RefusalsNameTheArgument) {
    EXPECT_THAT(refusal("%a: i32, %b: i32", {value(int64_t{1})}), HasSubstr("2 parameters and is given 1"));
    EXPECT_THAT(refusal("%a: i32, %b: i32", {value(int64_t{1}), value(int64_t{1} << 32)}),
                HasSubstr("argument 1 of a launch of k is 4294967296"));
    EXPECT_THAT(refusal("%a: i1", {value(int64_t{2})}), HasSubstr("1 bits"));
    EXPECT_THAT(refusal("%a: i32", {value(1.5)}), HasSubstr("argument 0 of a launch of k is no integer"));
    EXPECT_THAT(refusal("%a: !tt.ptr<f32>", {value(1.5)}), HasSubstr("is no tensor and no pointer"));
    EXPECT_THAT(refusal("%a: f32", {value(std::string("x"))}), HasSubstr("is no number"));
    EXPECT_THAT(refusal("%a: f8E5M2", {value(1.0)}), HasSubstr("no kernel parameter has"));
    EXPECT_THAT(refusal("%a: tensor<4xi32>", {value(int64_t{1})}), HasSubstr("no kernel parameter has"));
    EXPECT_THAT(refusal("%a: !tt.tensordesc<tensor<8xf16>>", {value(tensor(0))}),
                HasSubstr("no tensor descriptor"));
    EXPECT_THAT(refusal("%a: !tt.tensordesc<tensor<32x32xf16>>", {value(described_example())}, Json::array()),
                HasSubstr("no tensordesc_meta"));
    plan::Tensor far = tensor(0, int64_t{1} << 62);
    EXPECT_THAT(refusal("%a: !tt.ptr<f32>", {value(far)}), HasSubstr("impossible"));
}

/// Some argument that fits the parameter.
plan::Value some_argument(const ttir::Type& type) {
    if (type.kind == ttir::Type::Kind::descriptor) return value(described_example());
    if (type.kind == ttir::Type::Kind::pointer) return value(tensor(0));
    return type.elem <= ttir::Scalar::i64 ? value(int64_t{1}) : value(1.0);
}

/// testdata/parameter_sizes.txt holds what Triton's own PTX declares (testdata/parameter_sizes.py).
TEST(Parameters, HaveTheSizesThatCompiledKernelsDeclare) {
    std::istringstream lines(
        read_file(kSources + "/src/cuda/testdata/parameter_sizes.txt", "parameter sizes", 1 << 20));
    int kernels = 0;
    for (std::string line; std::getline(lines, line); ++kernels) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        std::vector<size_t> declared;
        for (size_t bytes = 0; words >> bytes;) declared.push_back(bytes);
        const std::string folder =
            name.starts_with("all_parameters") ? "/src/cuda/testdata/" : "/src/ttir/testdata/";
        const ttir::Module module = ttir::parse(read_file(kSources + folder + name, name, 1 << 20));
        plan::LaunchStep launch;
        const ttir::Function& function = *module.entry();
        for (const ttir::ValueId parameter : function.parameters)
            launch.args.push_back(some_argument(function.values[static_cast<size_t>(parameter)]));
        const Parameters p = pack(launch, module, described_meta(false), address_of, address_for_map);
        std::vector<size_t> sizes;
        for (size_t i = 0; i < p.count(); ++i) sizes.push_back(p.size(i));
        sizes.insert(sizes.end(), {8, 8});  // scratch
        EXPECT_EQ(sizes, declared) << name;
    }
    EXPECT_GT(kernels, 15);
}

}  // namespace
}  // namespace tritonsmith::cuda
