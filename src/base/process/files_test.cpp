#include "base/process/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "base/error.h"

namespace tritonsmith {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Files, RoundTripKeepsEveryByte) {
    TemporaryFolder folder;
    std::string bytes("a\0b\r\n\xff", 6);
    fs::path path = folder.path() / "new" / "folder" / "file";
    write_file(path, bytes);
    EXPECT_EQ(read_file(path, "test file", 6), bytes);
    write_file(path, "");
    EXPECT_EQ(read_file(path, "test file", 0), "");
    EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
}

TEST(Files, ReadingNamesWhatIsWrong) {
    TemporaryFolder folder;
    fs::path path = folder.path() / "file";
    EXPECT_THAT([&] { read_file(path, "task", 10); },
                ThrowsMessage<InputError>(HasSubstr("cannot read task " + path.string() + ": No such file")));
    EXPECT_THAT([&] { read_file(folder.path(), "task", 10); },
                ThrowsMessage<InputError>(HasSubstr("is not a file")));
    ::mkfifo(path.c_str(), 0600);
    EXPECT_THAT([&] { read_file(path, "task", 10); }, ThrowsMessage<InputError>(HasSubstr("is not a file")));
    EXPECT_THAT([&] { read_file("/dev/zero", "task", 10); },
                ThrowsMessage<InputError>(HasSubstr("is not a file")));
    fs::remove(path);
    write_file(path, "12345678901");
    EXPECT_THAT([&] { read_file(path, "task", 10); },
                ThrowsMessage<InputError>(HasSubstr("is larger than 10 bytes")));
}

TEST(Files, WritingIsAllOrNothing) {
    TemporaryFolder folder;
    fs::path path = folder.path() / "file";
    write_file(path, "old");
    // A folder stands where the file should go: the rename fails, and no part may stay behind.
    EXPECT_THROW(write_file(folder.path(), "x"), MachineError);
    EXPECT_THROW(write_file(path / "below", "x"), MachineError);
    EXPECT_THROW(write_file("/dev/full/x", "x"), MachineError);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
    EXPECT_EQ(read_file(path, "file", 10), "old");
}

TEST(Files, ManyWritersNeverMix) {
    TemporaryFolder folder;
    fs::path path = folder.path() / "file";
    std::vector<std::thread> writers;
    for (char letter : {'a', 'b', 'c', 'd'})
        writers.emplace_back([=] {
            for (int i = 0; i < 50; ++i) write_file(path, std::string(10'000, letter));
        });
    for (std::thread& writer : writers) writer.join();
    std::string bytes = read_file(path, "file", 1 << 20);
    EXPECT_EQ(bytes, std::string(10'000, bytes.at(0)));
}

TEST(TemporaryFolder, IsPrivateAndGoesAway) {
    fs::path path;
    {
        TemporaryFolder folder("prefix");
        path = folder.path();
        write_file(path / "a" / "b", "x");
        EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
        EXPECT_THAT(path.filename().string(), HasSubstr("prefix-"));
    }
    EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace tritonsmith
