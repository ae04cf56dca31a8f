#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "run/client/client.h"
#include "run/client/pack_writer.h"

namespace tritonsmith::run {
namespace {

TEST(Pack, CarriesTensors) {
    PackWriter writer;
    size_t first = writer.add("input/0", plan::DType::f32, {2, 3});
    size_t second = writer.add("weight/w", plan::DType::i64, {});
    writer.map();
    std::vector<float> values{1, 2, 3, 4, 5, 6};
    std::memcpy(writer.data(first), values.data(), 24);
    int64_t answer = 42;
    std::memcpy(writer.data(second), &answer, 8);
    Json index = writer.index();
    Fd file = writer.seal();
    EXPECT_LT(::pwrite(file.get(), "x", 1, 0), 0) << "sealed packs must not change";

    Pack pack(file.release(), index);
    ASSERT_EQ(pack.entries().size(), 2u);
    ASSERT_NE(pack.find("weight/w"), nullptr);
    EXPECT_EQ(pack.find("weight/v"), nullptr);
    EXPECT_EQ(Pack::element_count(*pack.find("input/0")), 6);
    EXPECT_EQ(std::memcmp(pack.bytes(*pack.find("input/0")), values.data(), 24), 0);
    EXPECT_EQ(std::memcmp(pack.bytes(*pack.find("weight/w")), &answer, 8), 0);
    EXPECT_EQ(pack.index(), index);
    Pack moved = std::move(pack);
    EXPECT_EQ(std::memcmp(moved.bytes(*moved.find("weight/w")), &answer, 8), 0);
}

Json one_entry() {
    return {{"name", "x"}, {"dtype", "f32"}, {"shape", {4}}, {"offset", 0}};
}

void expect_pack_refused(Json entry) {
    EXPECT_THROW(Pack(memory_file("test", 64).release(), Json::array({entry})), InputError) << entry;
}

TEST(Pack, RefusesAnIndexThatDoesNotFit) {
    EXPECT_NO_THROW(Pack(memory_file("test", 64).release(), Json::array({one_entry()})));
    for (auto [key, value] : std::vector<std::pair<std::string, Json>>{{"shape", {17}},
                                                                       {"shape", {-1}},
                                                                       {"shape", {int64_t{1} << 62, 4}},
                                                                       {"shape", "4"},
                                                                       {"shape", {0.5}},
                                                                       {"offset", 64},
                                                                       {"offset", -64},
                                                                       {"offset", 3},
                                                                       {"dtype", "f33"},
                                                                       {"name", 1}}) {
        Json entry = one_entry();
        entry[key] = value;
        expect_pack_refused(entry);
    }
    expect_pack_refused(Json::array());
    EXPECT_THROW(Pack(memory_file("test", 64).release(), Json::object()), InputError);
}

TEST(Pack, RefusesAFileThatCanShrink) {
    char path[] = "pack_test_XXXXXX";
    int fd = ::mkstemp(path);
    ::unlink(path);
    ASSERT_EQ(::ftruncate(fd, 64), 0);
    EXPECT_THROW(Pack(fd, Json::array({one_entry()})), InputError);
}

TEST(Pack, EmptyIsFine) {
    PackWriter writer;
    writer.map();
    Json index = writer.index();
    Pack pack(writer.seal().release(), index);
    EXPECT_TRUE(pack.entries().empty());
}

}  // namespace
}  // namespace tritonsmith::run
