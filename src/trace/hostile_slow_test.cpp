// Every program in tests/hostile ends for the reason in its first line, harms nothing, and leaves the tracer
// able to serve.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/process/files.h"
#include "base/process/process.h"
#include "plan/ir/json.h"
#include "trace/private_folder.h"
#include "trace/testing.h"

namespace tritonsmith::trace {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Value of a "# key: value" line at the head of a program.
std::string header(const std::string& source, const std::string& key) {
    const std::string mark = "# " + key + ": ";
    const size_t at = source.find(mark);
    if (at == std::string::npos) return "";
    return source.substr(at + mark.size(), source.find('\n', at) - at - mark.size());
}

std::vector<fs::path> programs() {
    std::vector<fs::path> result;
    for (const auto& entry : fs::directory_iterator(fs::path(TRITONSMITH_SOURCE_DIR) / "tests/hostile")) {
        if (entry.path().extension() == ".py") result.push_back(entry.path());
    }
    std::sort(result.begin(), result.end());
    return result;
}

int64_t leftovers() {
    int64_t count = 0;
    for (const auto& entry : fs::directory_iterator(temporary_folder())) {
        count += entry.path().filename().string().rfind("tritonsmith-trace-", 0) == 0;
    }
    return count;
}

TEST(Hostile, EveryProgramIsContainedAndNamed) {
    const TemporaryFolder own;  // others may trace on this machine
    ASSERT_EQ(setenv("TMPDIR", own.path().c_str(), 1), 0);
    Tracer tracer(testing::options());
    const std::string honest = slurp(fs::path(TRITONSMITH_SOURCE_DIR) / "tests/hostile/honest.py");
    ASSERT_EQ(testing::text(tracer.trace(testing::candidate(honest))), "none");
    const char* only = std::getenv("HOSTILE_ONLY");
    int64_t seen = 0;
    for (const fs::path& path : programs()) {
        if (only && path.stem() != only) continue;
        SCOPED_TRACE(path.filename().string());
        ++seen;
        const std::string source = slurp(path), expected = header(source, "reason");
        Request request = testing::candidate(source);
        request.memory_bytes = int64_t{512} << 20;
        if (const std::string seconds = header(source, "seconds"); !seconds.empty())
            request.deadline = std::chrono::seconds(std::stoi(seconds));
        const auto start = Clock::now();
        const Outcome outcome = tracer.trace(request);
        const double took = std::chrono::duration<double>(Clock::now() - start).count();
        if (std::getenv("HOSTILE_SHOW")) {
            printf("%-34s %5.2f s  %s\n", path.stem().c_str(), took,
                   testing::text(outcome).substr(0, 200).c_str());
        }
        EXPECT_TRUE(expected == "any" ||
                    ("|" + expected + "|").find("|" + testing::reason(outcome) + "|") != std::string::npos)
            << "expected " << expected << ", found " << testing::text(outcome);
        EXPECT_LT(Clock::now() - start, request.deadline + std::chrono::seconds(10));
        if (const auto* finding = std::get_if<Finding>(&outcome)) {
            EXPECT_EQ(finding->message.find('\x1b'), std::string::npos)
                << "escape sequences reach the terminal";
            EXPECT_NO_THROW(finding->evidence.dump());
            EXPECT_NO_THROW(Json(finding->message).dump());
        } else {
            EXPECT_NO_THROW(plan::to_json(std::get<plan::Plan>(outcome)).dump());
        }
        ASSERT_EQ(testing::text(tracer.trace(testing::candidate(honest))), "none") << "the tracer is damaged";
    }
    EXPECT_GT(seen, only ? 0 : 80);
    EXPECT_EQ(leftovers(), 0) << "folders of traced programs were left behind";
    EXPECT_FALSE(fs::exists("/tmp/owned"));
}

}  // namespace
}  // namespace tritonsmith::trace
