#include "model/weights/safetensors.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "base/process/files.h"
#include "model/weights/model_files.h"
#include "model/weights/safetensors_writer.h"

namespace tritonsmith::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string file_of(const std::string& header, size_t data) {
    const uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), 8) + header + std::string(data, '\1');
}

class SafetensorsFiles : public ::testing::Test {
  protected:
    std::filesystem::path write(const std::string& bytes, const std::string& name = "model.safetensors") {
        std::ofstream(folder.path() / name, std::ios::binary) << bytes;
        return folder.path() / name;
    }
    /// What opening such a file says; "" where it opens.
    std::string refusal(const std::string& bytes) {
        try {
            Safetensors::open(write(bytes));
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr("model.safetensors"), Not(HasSubstr("\n"))));
            return error.what();
        }
        return "";
    }
    TemporaryFolder folder;
};

TEST_F(SafetensorsFiles, WhatIsWrittenIsRead) {
    const std::vector<NamedTensor> tensors = {{"a", at::randn({3, 5})},
                                              {"b.weight", at::randn({7}).to(at::kBFloat16)},
                                              {"empty", at::empty({0, 4})},
                                              {"scalar", at::ones({}, at::kLong)},
                                              {"strided", at::randn({4, 6}).t()}};
    const auto path = folder.path() / "model.safetensors";
    write_safetensors(path, tensors);
    const Safetensors file = Safetensors::open(path);
    EXPECT_EQ(file.entries().size(), tensors.size());
    for (const NamedTensor& tensor : tensors) {
        EXPECT_TRUE(at::equal(file.tensor(tensor.name), tensor.value())) << tensor.name;
        EXPECT_EQ(file.tensor(tensor.name).scalar_type(), tensor.dtype);
        file.release(tensor.name);
        EXPECT_TRUE(at::equal(file.tensor(tensor.name), tensor.value())) << tensor.name;
    }
    EXPECT_THROW(write_safetensors(path, tensors), MachineError) << "a file is never written over";
}

TEST_F(SafetensorsFiles, TensorsOutliveTheFile) {
    const auto path = folder.path() / "model.safetensors";
    const at::Tensor written = at::randn({100, 100});
    write_safetensors(path, {{"a", written}});
    const at::Tensor read = Safetensors::open(path).tensor("a");
    std::filesystem::remove(path);
    EXPECT_TRUE(at::equal(read, written));
}

TEST_F(SafetensorsFiles, NeighboursAreOneTensor) {
    const at::Tensor q = at::randn({4, 8}), k = at::randn({2, 8}), other = at::randn({2, 9});
    const auto path = folder.path() / "model.safetensors";
    write_safetensors(path, {{"q", q}, {"k", k}, {"other", other}, {"half", k.to(at::kHalf)}});
    const Safetensors file = Safetensors::open(path);
    EXPECT_TRUE(at::equal(file.adjacent({"q", "k"}), at::cat({q, k})));
    EXPECT_FALSE(file.adjacent({"k", "q"}).defined());
    EXPECT_FALSE(file.adjacent({"k", "other"}).defined());
    EXPECT_FALSE(file.adjacent({"other", "half"}).defined());
}

TEST_F(SafetensorsFiles, UnalignedTensorsAreCopied) {
    const auto path = write(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})", 5));
    const at::Tensor tensor = Safetensors::open(path).tensor("a");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) % 4, 0u);
    EXPECT_EQ(*static_cast<const uint32_t*>(tensor.const_data_ptr()), 0x01010101u);
}

TEST_F(SafetensorsFiles, HostileFiles) {
    EXPECT_THAT(refusal(""), HasSubstr("truncated"));
    EXPECT_THAT(refusal("1234567"), HasSubstr("truncated"));
    EXPECT_THAT(refusal(std::string(8, '\xff')), HasSubstr("truncated"));
    EXPECT_THAT(refusal(file_of("{}", 0).substr(0, 9)), HasSubstr("truncated"));
    EXPECT_EQ(refusal(file_of("{}", 0)), "");
    EXPECT_THAT(refusal(file_of("[]", 0)), HasSubstr("JSON"));
    EXPECT_THAT(refusal(file_of("{", 0)), HasSubstr("JSON"));
    EXPECT_THAT(refusal(file_of(std::string(1 << 20, '['), 0)), HasSubstr("JSON"));
    EXPECT_THAT(refusal(file_of(R"({"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}})", 0)),
                HasSubstr("JSON"));

    const auto one = [&](const std::string& dtype, const std::string& shape, const std::string& offsets) {
        return refusal(file_of(
            R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
            64));
    };
    EXPECT_EQ(one("\"F32\"", "[2,8]", "[0,64]"), "");
    EXPECT_EQ(one("\"F4\"", "[3]", "[0,2]"), "");
    EXPECT_THAT(one("\"F32\"", "[2,8]", "[0,65]"), AllOf(HasSubstr("tensor a"), HasSubstr("outside")));
    EXPECT_THAT(one("\"F32\"", "[2,8]", "[64,0]"), HasSubstr("outside"));
    EXPECT_THAT(one("\"F32\"", "[2,8]", "[-64,0]"), HasSubstr("integers"));
    EXPECT_THAT(one("\"F32\"", "[2,8]", "[0,1e300]"), HasSubstr("integers"));
    EXPECT_THAT(one("\"F32\"", "[2,8]", "[18446744073709551552,64]"), HasSubstr("integers"));
    EXPECT_THAT(one("\"F32\"", "[2,8]", "[0]"), HasSubstr("integers"));
    EXPECT_THAT(one("\"F32\"", "[2,8]", "[0,60]"), HasSubstr("do not fit"));
    EXPECT_THAT(one("\"F32\"", "[2,-8]", "[0,64]"), HasSubstr("integers"));
    EXPECT_THAT(one("\"F32\"", "[4294967296,4294967296,16]", "[0,64]"),
                HasSubstr("do not fit"));  // 2^72 bytes: 0 in 64 bits
    EXPECT_THAT(one("\"F32\"", "[1,1,1,1,1,1,1,1,16]", "[0,64]"), HasSubstr("shape"));
    EXPECT_THAT(one("\"F33\"", "[16]", "[0,64]"), HasSubstr("F33"));
    EXPECT_THAT(one("32", "[16]", "[0,64]"), HasSubstr("dtype"));
    EXPECT_THAT(refusal(file_of(R"({"a":7})", 0)), HasSubstr("tensor a"));
    EXPECT_THAT(
        refusal(file_of(
            R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,5]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
            8)),
        AllOf(HasSubstr("overlap"), HasSubstr("a"), HasSubstr("b")));
    EXPECT_THAT(
        refusal(file_of(
            R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
            8)),
        HasSubstr("JSON"));
}

TEST_F(SafetensorsFiles, AnyByteMayBeAnother) {
    const auto path = folder.path() / "good";
    write_safetensors(
        path,
        {{"model.embed", at::randn({3, 5})}, {"b", at::randn({7}).to(at::kHalf)}, {"c", at::ones({2, 2})}});
    const std::string good = read_file(path, "file", 1 << 20);
    std::mt19937 random(1);
    int opened = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string bytes = good;
        for (uint32_t changes = 1 + random() % 3; changes > 0; --changes) {
            const size_t at = random() % 3 == 0 ? random() % 8 : random() % bytes.size();
            const char digits[] = "0123456789[]{},:-\"e";
            bytes[at] =
                random() % 2 == 0 ? static_cast<char>(random()) : digits[random() % (sizeof digits - 1)];
        }
        if (random() % 4 == 0) bytes.resize(random() % bytes.size());
        std::filesystem::remove(folder.path() / "model.safetensors");  // never truncated while it is mapped
        try {
            const Safetensors file = Safetensors::open(write(bytes));
            ++opened;
            for (const auto& [name, entry] : file.entries()) {
                if (entry.dtype != "F32" && entry.dtype != "F16") continue;
                const at::Tensor read = file.tensor(name).clone();  // every byte
                EXPECT_EQ(static_cast<int64_t>(read.nbytes()), entry.end - entry.begin);
            }
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr("model.safetensors"));
        }
    }
    EXPECT_GT(opened, 100);
    EXPECT_LT(opened, 3900);
}

TEST_F(SafetensorsFiles, DtypesThatAreNotRead) {
    const auto path = write(file_of(R"({"a":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}})", 4));
    const Safetensors file = Safetensors::open(path);
    try {
        file.tensor("a");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("F8_E4M3"), HasSubstr("bfloat16")));
    }
    EXPECT_THROW(file.tensor("b"), InputError);
}

TEST_F(SafetensorsFiles, ShardsAndTheirIndex) {
    std::vector<NamedTensor> tensors;
    for (int i = 0; i < 10; ++i) tensors.emplace_back("t" + std::to_string(i), at::randn({10, 10}));
    write_shards(folder.path(), tensors, 1000);  // two of 400 bytes
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "model-00005-of-00005.safetensors"));
    const ModelFiles files = ModelFiles::open(folder.path());
    EXPECT_EQ(files.names().size(), 10u);
    for (const NamedTensor& tensor : tensors)
        EXPECT_TRUE(at::equal(files.tensor(tensor.name), tensor.value()));
    EXPECT_THROW(files.tensor("t10"), InputError);
}

TEST_F(SafetensorsFiles, HostileIndexes) {
    write_safetensors(folder.path() / "one.safetensors", {{"a", at::ones({2})}});
    const auto refusal = [&](const std::string& index) -> std::string {
        write(index, "model.safetensors.index.json");
        try {
            ModelFiles::open(folder.path());
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(R"({"weight_map":{"a":"one.safetensors"}})"), "");
    EXPECT_THAT(refusal(R"({"weight_map":{"b":"one.safetensors"}})"), HasSubstr("no tensor b"));
    EXPECT_THAT(refusal(R"({"weight_map":{"a":"two.safetensors"}})"), HasSubstr("two.safetensors"));
    EXPECT_THAT(refusal(R"({"weight_map":{"a":"../one.safetensors"}})"), HasSubstr("of this folder"));
    EXPECT_THAT(refusal(R"({"weight_map":{"a":"/etc/passwd"}})"), HasSubstr("of this folder"));
    EXPECT_THAT(refusal(R"({"weight_map":{"a":".."}})"), HasSubstr("of this folder"));
    EXPECT_THAT(refusal(R"({"weight_map":{"a":7}})"), HasSubstr("of this folder"));
    EXPECT_THAT(refusal(R"({"weight_map":[]})"), HasSubstr("weight_map"));
    EXPECT_THAT(refusal("["), HasSubstr("weight_map"));
}

}  // namespace
}  // namespace tritonsmith::model
