#include "trace/compile_cache.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/process/files.h"

namespace tritonsmith::trace {
namespace {

TEST(CompileCache, KeepsByContent) {
    TemporaryFolder folder;
    CompileCache cache(folder.path().string() + "/made/when/needed");
    EXPECT_FALSE(cache.find("key"));
    cache.keep("key", {{"ok", true}});
    EXPECT_EQ(cache.find("key"), Json({{"ok", true}}));
    EXPECT_FALSE(cache.find("key2"));
    cache.keep("key", {{"ok", false}});
    EXPECT_EQ(cache.find("key"), Json({{"ok", false}}));
}

TEST(CompileCache, DamagedEntriesAreAbsent) {
    TemporaryFolder folder;
    CompileCache cache(folder.path().string());
    for (const char* damage : {"", "x", "{\"ok\":true}", "0000\n{\"ok\":true}"}) {
        cache.keep("key", {{"ok", true}});
        ASSERT_TRUE(cache.find("key"));
        std::ofstream(cache.path("key"), std::ios::trunc) << damage << std::flush;
        EXPECT_FALSE(cache.find("key")) << damage;
    }
    cache.keep("key", {{"ok", true}});
    std::ofstream(cache.path("key"), std::ios::app) << " " << std::flush;
    EXPECT_FALSE(cache.find("key"));
}

TEST(CompileCache, WithoutAFolderNothingIsKept) {
    CompileCache cache("");
    cache.keep("key", {{"ok", true}});
    EXPECT_FALSE(cache.find("key"));
    CompileCache unwritable("/proc/nowhere");
    EXPECT_NO_THROW(unwritable.keep("key", {{"ok", true}}));
}

}  // namespace
}  // namespace tritonsmith::trace
