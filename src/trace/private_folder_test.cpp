#include "trace/private_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tritonsmith::trace {
namespace {

namespace fs = std::filesystem;

TEST(PrivateFolder, IsForItsOwnerAlone) {
    PrivateFolder folder("tritonsmith-test");
    struct stat st;
    ASSERT_EQ(stat(folder.path().c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 0777, 0700u);
}

TEST(PrivateFolder, MeasuresWhatIsInIt) {
    PrivateFolder folder("tritonsmith-test");
    fs::create_directories(folder.path() + "/a/b");
    std::ofstream(folder.path() + "/a/b/file") << std::string(1 << 20, 'x') << std::flush;
    const auto size = folder.measure(100);
    EXPECT_EQ(size.entries, 3);
    EXPECT_GE(size.bytes, 1 << 20);
    EXPECT_LT(size.bytes, 2 << 20);
    for (int i = 0; i < 50; ++i) std::ofstream(folder.path() + "/" + std::to_string(i));
    EXPECT_EQ(folder.measure(20).entries, 20);
}

TEST(PrivateFolder, RemovesDeepFoldersOddModesAndLinks) {
    std::string path;
    PrivateFolder kept("tritonsmith-test");
    std::ofstream(kept.path() + "/file") << "x" << std::flush;
    {
        PrivateFolder folder("tritonsmith-test");
        path = folder.path();
        fs::create_directory_symlink(kept.path(), path + "/link");
        fs::create_directory(path + "/.removed-0");
        std::ofstream(path + "/.removed-1") << "in the way" << std::flush;
        int at = open(path.c_str(), O_RDONLY | O_DIRECTORY);
        for (int depth = 0; depth < 500; ++depth) {  // longer than any path may be
            ASSERT_EQ(mkdirat(at, "a-folder-of-sixteen", 0700), 0);
            int next = openat(at, "a-folder-of-sixteen", O_RDONLY | O_DIRECTORY);
            if (depth == 250) {
                ASSERT_EQ(fchmodat(at, "a-folder-of-sixteen", 0, 0), 0);
            }
            close(at);
            at = next;
        }
        close(openat(at, "file", O_CREAT | O_WRONLY, 0));
        close(at);
        EXPECT_EQ(folder.measure(10'000).entries, 10'000) << "too deep counts as too much";
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(kept.path() + "/file")) << "a link was followed";
}

}  // namespace
}  // namespace tritonsmith::trace
