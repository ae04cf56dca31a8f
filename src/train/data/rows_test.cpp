#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/process/files.h"
#include "base/zstd.h"
#include "train/data/shuffled_rows.h"

namespace tritonsmith::train {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// Files of numbered rows, every other one compressed.
struct NumberedFiles {
    TemporaryFolder folder;
    std::vector<fs::path> files;

    explicit NumberedFiles(const std::vector<int>& rows) {
        int number = 0;
        for (size_t i = 0; i < rows.size(); ++i) {
            std::string text;
            for (int row = 0; row < rows[i]; ++row)
                text += std::to_string(number++) + (row % 3 == 1 ? "\n\n" : "\n");
            const bool plain = i % 2 == 0;
            files.push_back(folder.path() /
                            ("part-" + std::to_string(i) + (plain ? ".jsonl" : ".jsonl.zst")));
            const size_t half = text.size() / 2;  // a frame may end within a row
            write_file(files.back(),
                       plain ? text : compressed(text.substr(0, half)) + compressed(text.substr(half)));
        }
    }
};

TEST(LineReader, ReadsLinesWithAndWithoutAnEnd) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "rows.jsonl";
    write_file(path, "one\n\n" + std::string(3 << 20, 'x') + "\nlast");
    LineReader reader(path);
    EXPECT_EQ(reader.next(), "one");
    EXPECT_EQ(reader.next(), "");
    EXPECT_EQ(reader.next()->size(), size_t{3} << 20);
    EXPECT_EQ(reader.next(), "last");
    EXPECT_EQ(reader.line(), 4);
    EXPECT_EQ(reader.next(), std::nullopt);
}

TEST(LineReader, NamesWhatIsDamaged) {
    const TemporaryFolder folder;
    EXPECT_THROW(LineReader(folder.path() / "none"), InputError);
    const fs::path path = folder.path() / "cut.zst";
    const std::string frame = compressed(std::string(1000, 'a') + "\n");
    write_file(path, frame.substr(0, frame.size() - 2));
    LineReader reader(path);
    try {
        while (reader.next()) {
        }
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cut.zst"));
    }
}

TEST(RowStream, AnEpochHoldsEveryRowOnce) {
    NumberedFiles numbered({5, 4, 6});
    RowStream stream(numbered.files, 1);
    std::set<std::string> seen;
    while (const auto row = stream.next()) EXPECT_TRUE(seen.insert(row->text).second) << row->where;
    EXPECT_EQ(seen.size(), 15u);
}

TEST(RowStream, GoesOnAtAnyPlace) {
    NumberedFiles numbered({3, 4, 2});
    RowStream stream(numbered.files, 2);
    stream.seek(5);
    for (int taken = 0; taken < 9; ++taken) {
        RowStream other(numbered.files, 2);
        other.seek(5, stream.place());
        EXPECT_EQ(other.next()->text, stream.next()->text);
    }
    EXPECT_FALSE(stream.next());
}

TEST(ShuffledRows, EveryEpochHoldsEveryRowOnceInAnotherOrder) {
    for (const int64_t window : {1, 4, 5, 100}) {  // 15 rows: windows that divide them, and not
        NumberedFiles numbered({5, 4, 6});
        ShuffledRows rows(numbered.files, window, 3);
        std::vector<std::vector<std::string>> epochs(3);
        for (auto& epoch : epochs)
            for (int i = 0; i < 15; ++i) epoch.push_back(rows.next().text);
        if (window > 1) {
            EXPECT_NE(epochs[0], epochs[1]);
        }
        for (auto& epoch : epochs) {
            std::sort(epoch.begin(), epoch.end());
            EXPECT_EQ(std::unique(epoch.begin(), epoch.end()), epoch.end());
        }
    }
}

TEST(ShuffledRows, GoOnAtAnyPlace) {
    for (const int64_t window : {1, 4, 5, 100}) {
        NumberedFiles numbered({5, 4, 6});
        ShuffledRows rows(numbered.files, window, 4);
        for (int taken = 0; taken < 40; ++taken) {
            ShuffledRows other(numbered.files, window, 4);
            other.seek(shuffle_place(to_json(rows.place())));
            for (int i = 0; i < 3; ++i) {
                const ShuffledRows::Place before = other.place();
                const std::string text = other.next().text;
                if (i == 0) {
                    EXPECT_EQ(before, rows.place());
                    EXPECT_EQ(text, rows.next().text);
                }
            }
        }
    }
}

TEST(ShuffledRows, RefuseASourceWithoutRows) {
    NumberedFiles numbered({0, 0});
    ShuffledRows rows(numbered.files, 4, 5);
    EXPECT_THROW(rows.next(), InputError);
    EXPECT_THROW(ShuffledRows(numbered.files, 0, 5), InputError);
    EXPECT_THROW(shuffle_place(Json::object()), InputError);
}

TEST(MatchingFiles, AreSortedAndMustBeThere) {
    NumberedFiles numbered({1, 1, 1});
    EXPECT_EQ(matching_files(numbered.folder.path() / "part-*"), numbered.files);
    EXPECT_EQ(matching_files(numbered.files[1]), std::vector{numbered.files[1]});
    EXPECT_THROW(matching_files(numbered.folder.path() / "shard-*"), InputError);
    EXPECT_THROW(matching_files(numbered.folder.path() / "none.jsonl"), InputError);
}

}  // namespace
}  // namespace tritonsmith::train
