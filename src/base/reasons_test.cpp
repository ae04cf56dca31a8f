#include "base/reasons.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "base/process/files.h"

namespace tritonsmith {
namespace {

constexpr Stage kStages[] = {Stage::batch,  Stage::answer,    Stage::lint,    Stage::trace,
                             Stage::policy, Stage::interpret, Stage::compile, Stage::correctness,
                             Stage::run,    Stage::timing,    Stage::task};

std::string stages_of(const Reason& reason) {
    std::string text;
    for (Stage stage : kStages)
        if (reason.stages.has(stage)) text += (text.empty() ? "" : ", ") + std::string(name(stage));
    return text;
}

std::string rows(bool notes) {
    std::string text = notes ? "| code | meaning |\n|---|---|\n"
                             : "| stage | code | status | meaning |\n|---|---|---|---|\n";
    for (const Reason& reason : reasons()) {
        if (reason.kind == ReasonClass::internal || (reason.kind == ReasonClass::note) != notes) continue;
        if (!notes) text += "| " + stages_of(reason) + " ";
        text += "| `" + std::string(reason.code) + "` | ";
        if (!notes) text += std::string(name(reason.kind)) + (reason.transient ? " *" : "") + " | ";
        text += std::string(reason.meaning) + " |\n";
    }
    return text;
}

/// The document with the tables of today between its markers.
std::string with_tables(std::string document) {
    for (const auto& [marker, table] : {std::pair{"verdicts", rows(false)}, {"notes", rows(true)}}) {
        const std::string begin = "<!-- table: " + std::string(marker) + " -->\n", end = "<!-- end -->\n";
        const size_t from = document.find(begin);
        if (from == std::string::npos) return "no marker " + begin;
        const size_t to = document.find(end, from);
        document.replace(from + begin.size(), to - from - begin.size(), table);
    }
    return document;
}

/// `TRITONSMITH_WRITE_DOCS=1 base_test --gtest_filter=Reasons.*` writes the tables.
TEST(Reasons, TheDocumentShowsThisTable) {
    const std::string file = TRITONSMITH_SOURCE_DIR "/docs/reasons.md";
    const std::string document = read_file(file, "document", int64_t{1} << 20);
    const std::string expected = with_tables(document);
    if (std::getenv("TRITONSMITH_WRITE_DOCS")) write_file(file, expected);
    EXPECT_EQ(read_file(file, "document", int64_t{1} << 20), expected);
}

TEST(Reasons, EachCodeStandsThereOnceWithItsFix) {
    std::set<std::string> codes;
    for (const Reason& reason : reasons()) {
        EXPECT_TRUE(codes.insert(reason.code).second) << reason.code;
        EXPECT_NE(reason.stages.bits, 0) << reason.code;
        EXPECT_STRNE(reason.meaning, "") << reason.code;
        const bool shown = reason.kind != ReasonClass::internal && std::string(reason.code) != "host_step";
        EXPECT_EQ(fix_of(reason.code).empty(), !shown) << reason.code;
        EXPECT_EQ(find_reason(reason.code), &reason);
    }
    EXPECT_GT(codes.size(), 60u);
    EXPECT_EQ(find_reason("no_such_reason"), nullptr);
    EXPECT_EQ(fix_of("no_such_reason"), "");
}

TEST(Reasons, FlagsAreThoseOfTheTable) {
    EXPECT_TRUE(has_flag("worker_died", ReasonFlag::any_size));
    EXPECT_TRUE(has_flag("worker_died", ReasonFlag::no_answer));
    EXPECT_FALSE(has_flag("worker_died", ReasonFlag::in_whole));
    EXPECT_TRUE(has_flag("race", ReasonFlag::in_whole));
    EXPECT_FALSE(has_flag("wrong_result", ReasonFlag::any_size));
    EXPECT_FALSE(has_flag("no_such_reason", ReasonFlag::any_size));
}

/// docs/failures.md: what a candidate can bring about is a rejection.
TEST(Reasons, OnlyTheTaskIsUnjudgeable) {
    for (const Reason& reason : reasons())
        if (reason.kind == ReasonClass::unjudgeable) {
            EXPECT_TRUE(reason.stages.has(Stage::task) || reason.stages.has(Stage::batch)) << reason.code;
        }
}

}  // namespace
}  // namespace tritonsmith
