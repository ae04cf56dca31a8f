#include "data/check/duplicates.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/json.h"
#include "base/process/files.h"
#include "base/zstd.h"

namespace tritonsmith::data {
namespace {

std::string row(const std::string& task, const std::string& solution) {
    return dump(Json{{"code", task},
                     {"solutions", Json::array({{{"code", solution}}, {{"code", "other = 1\n"}}})}}) +
           "\n";
}

TEST(NearDuplicates, DifferInNamesNumbersAndRemarksOnly) {
    const TemporaryFolder folder;
    const std::string first = (folder.path() / "a.jsonl").string(),
                      second = (folder.path() / "b.jsonl.zst").string();
    write_file(first, row("def f(x):\n    return x + 1\n", "def g(y):\n    return y * 2\n") +
                          row("def f(x):\n    return x - 1\n", "def g(y):\n    return y / 2\n"));
    write_file(second,
               compressed(row("def h(a):  # adds\n    return a + 7\n", "def k(b):\n    return b * 3\n") +
                          row("def h(a):\n    return a + 7\n", "def k(b):\n    return b % 3\n") +
                          row("def h(a):\n    return a @ 7\n", "def k(b):\n    return b / 5\n")));
    const std::atomic<bool> stopped = false;
    const Duplicates found = count_duplicates({first, second}, 2, stopped);
    EXPECT_EQ(found.rows, 5);
    EXPECT_EQ(found.solutions, 10);
    EXPECT_EQ(found.same_tasks, 2);
    EXPECT_EQ(found.same_solutions, 2);
    EXPECT_EQ(found.same_rows, 1);
}

TEST(NearDuplicates, OtherFilesAreRefused) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "a.jsonl").string();
    write_file(path, "{\"messages\": []}\n");
    const std::atomic<bool> stopped = false;
    EXPECT_THROW(count_duplicates({path}, 1, stopped), InputError);
}

}  // namespace
}  // namespace tritonsmith::data
