#include "bench/tests/tests_judge.h"

#include <fmt/format.h>

#include "bench/tested_program.h"
#include "bench/tests/difference.h"
#include "lint/lint.h"

namespace tritonsmith::bench {
namespace {

/// Answers of one problem come behind each other, a few problems at a time.
constexpr size_t kGoldenKept = 16;

Json verdict_of(const char* status, const Json& reason, const std::string& message) {
    return {{"status", status},  {"accepted", reason.is_null()}, {"reason", reason},
            {"stage", "run"},    {"message", message},           {"checked", "none"},
            {"speedup", nullptr}};
}

Json rejected(const Finding& why) {
    Json out = verdict_of("rejected", why.reason, why.message);
    if (why.line > 0) out["line"] = why.line;
    if (!why.evidence.empty()) out["evidence"] = why.evidence;
    return out;
}

}  // namespace

struct TestsJudge::Golden {
    std::once_flag once;
    std::variant<judge::ProgramResult, Finding> result;
};

TestsJudge::TestsJudge(Options options) : options_(std::move(options)), process_(options_.python) {}
TestsJudge::~TestsJudge() = default;

std::shared_ptr<const TestsJudge::Golden> TestsJudge::golden_of(const Problem& problem) {
    std::shared_ptr<Golden> golden;
    {
        std::lock_guard lock(mutex_);
        for (const auto& [id, known] : golden_)
            if (id == problem.id) golden = known;
        if (!golden) {
            golden = std::make_shared<Golden>();
            golden_.emplace_back(problem.id, golden);
            if (golden_.size() > kGoldenKept) golden_.pop_front();
        }
    }
    std::call_once(golden->once, [&] { golden->result = run(problem.tested->golden, problem); });
    return golden;
}

std::variant<judge::ProgramResult, Finding> TestsJudge::run(const std::string& source,
                                                            const Problem& problem) {
    judge::ProgramRequest request;
    request.source = source;
    request.filename = problem.name + ".py";
    request.tests = problem.tested->tests;
    if (!options_.device.empty()) request.device = options_.device;
    request.seed = options_.seed;
    request.deadline = std::chrono::milliseconds(static_cast<int64_t>(options_.seconds * 1e3));
    return judge::run_program(process_, request);
}

Json TestsJudge::judge(const Problem& problem, const Answer& answer) {
    Json tests = {{"call", false}, {"execution", false}, {"execution_stdout", false}};
    if (answer.code.empty()) {
        Json out =
            rejected({answer.reason.empty() ? "no_code" : answer.reason, answer.message, 0, Json::object()});
        out["tests"] = tests;
        return out;
    }
    const std::shared_ptr<const Golden> golden = golden_of(problem);
    if (const auto* failed = std::get_if<Finding>(&golden->result))
        return verdict_of("unjudgeable", "task_error",
                          fmt::format("the golden program: {}: {}", failed->reason, failed->message));
    const auto& right = std::get<judge::ProgramResult>(golden->result);
    const std::string code = without_tests(answer.code);
    const bool valid = lint::lint(code).is_triton;
    const std::variant<judge::ProgramResult, Finding> ran = run(code, problem);
    Json out;
    if (const auto* failed = std::get_if<Finding>(&ran)) {
        out = rejected(*failed);
    } else {
        const auto& found = std::get<judge::ProgramResult>(ran);
        const std::optional<std::string> what = difference(right, found);
        tests = {{"call", true}, {"execution", !what}, {"execution_stdout", found.printed == right.printed}};
        out = what     ? rejected({"wrong_result", *what, 0, Json::object()})
              : !valid ? rejected({"no_triton_kernel", "The tests pass, without a kernel of Triton's.", 0,
                                   Json::object()})
                       : verdict_of("accepted", nullptr,
                                    fmt::format("The tests give {} values as the golden program does.",
                                                right.values.entries().size() + right.texts.size()));
        out["compiled"] = true;
        out["evidence"] = {{"seconds", found.seconds}, {"golden_seconds", right.seconds}};
    }
    out["valid"] = valid;
    out["tests"] = tests;
    return out;
}

}  // namespace tritonsmith::bench
