#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/process/process.h"
#include "cli/command.h"
#include "cli/doctor.h"

namespace tritonsmith::cli {
namespace {

struct Result {
    int exit_code;
    std::string out, err;
};

std::string contents(int fd) {
    std::string text(static_cast<size_t>(::lseek(fd, 0, SEEK_END)), '\0');
    return ::pread(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) ? text
                                                                                         : "unreadable";
}

/// Runs the real program.
Result tritonsmith(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) {
    char out[] = "/tmp/cli_test.XXXXXX", err[] = "/tmp/cli_test.XXXXXX";
    Fd out_fd(::mkstemp(out)), err_fd(::mkstemp(err));
    ::unlink(out);
    ::unlink(err);
    Spawn what;
    what.argv = {program_folder() + "/tritonsmith"};
    what.argv.insert(what.argv.end(), arguments.begin(), arguments.end());
    what.environment = std::move(environment);
    what.environment.emplace("PATH", "/usr/bin:/bin");
    what.stdout_fd = out_fd.get();
    what.stderr_fd = err_fd.get();
    int status = 0;
    ::waitpid(spawn(what), &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out_fd.get()), contents(err_fd.get())};
}

TEST(Main, BadUsageIsOneLineAndExitCodeTwo) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                      {"forge"},
                                                      {"doctor", "--nonsense"},
                                                      {"doctor", "extra"},
                                                      {"--nonsense"}}) {
        Result result = tritonsmith(arguments);
        EXPECT_EQ(result.exit_code, kBadInput);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_NE(result.err.find("--help"), std::string::npos) << result.err;
    }
    EXPECT_NE(tritonsmith({"forge"}).err.find("'forge'"), std::string::npos);
}

TEST(Main, HelpAndVersionGoToStdout) {
    Result version = tritonsmith({"--version"});
    EXPECT_EQ(version.exit_code, kDone);
    EXPECT_EQ(version.out, "tritonsmith " TRITONSMITH_VERSION "\n");
    Result help = tritonsmith({"doctor", "--help"});
    EXPECT_EQ(help.exit_code, kDone);
    EXPECT_NE(help.out.find("--json"), std::string::npos);
}

TEST(Doctor, FindsWhatTheTestsThemselvesNeed) {
    Result result = tritonsmith({"doctor", "--json"});
    Json report = Json::parse(result.out);
    EXPECT_EQ(result.exit_code, report.at("ok") ? kDone : kMachineFailed);
    std::map<std::string, Json> checks;
    for (const Json& check : report.at("checks")) checks[check.at("name")] = check;
    EXPECT_GE(checks.at("cpu").at("details").at("cores"), 1);
    EXPECT_GT(checks.at("memory").at("details").at("total_gib"), 0.1);
    EXPECT_EQ(checks.at("torch").at("text").get<std::string>().rfind(TRITONSMITH_TORCH, 0), 0u);
    EXPECT_EQ(checks.at("triton").at("text"), TRITONSMITH_TRITON);
    EXPECT_EQ(checks.at("ptxas").at("state"), "good");
}

TEST(Doctor, NamesAMissingInterpreterAndItsMend) {
    Result result = tritonsmith({"doctor"}, {{"TRITONSMITH_PYTHON", "/no/such/python"}});
    EXPECT_EQ(result.exit_code, kMachineFailed);
    EXPECT_NE(result.out.find("MISS python"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("/no/such/python: cannot start"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("TRITONSMITH_PYTHON"), std::string::npos) << result.out;
}

TEST(Doctor, NamesMissingLibraries) {
    // The system's Python without site packages has none of them; -I and the probe work all the same.
    char path[] = "/tmp/cli_test.XXXXXX";
    Fd(::mkstemp(path)).reset();
    std::ofstream(path) << "#!/bin/sh\nexec /usr/bin/python3 -S \"$@\"\n";
    ::chmod(path, 0755);
    std::vector<Check> checks = check_python(path);
    ::unlink(path);
    ASSERT_EQ(checks.size(), 6u);
    EXPECT_EQ(checks[0].state, State::good) << checks[0].text;
    EXPECT_EQ(checks[1].name, "torch");
    EXPECT_EQ(checks[1].state, State::missing);
    EXPECT_EQ(checks[1].text, "ModuleNotFoundError: No module named 'torch'");
    EXPECT_EQ(checks[4].name, "einops");
    EXPECT_EQ(checks[4].state, State::note);
}

TEST(Doctor, NamesAnUnusableCacheFolder) {
    EXPECT_EQ(check_disk("/no/such/folder").state, State::missing);
    EXPECT_EQ(check_disk("/proc").state, State::missing);
    EXPECT_EQ(check_disk("/tmp").state, State::good);
}

}  // namespace
}  // namespace tritonsmith::cli
