#include "bench/tests/published_check.h"

#include "base/hash.h"
#include "bench/tests/trials.h"

namespace tritonsmith::bench {

PublishedCheck::Result PublishedCheck::check(const task::Task& task, const std::string& program) {
    Problem problem;
    problem.id = sha256(task.entry + '\n' + task.source);  // tasks of several files may have one name
    problem.name = task.id;
    problem.task = std::make_shared<const task::Task>(task);
    Answer answer;
    answer.code = program;
    const Json verdict = tests_.judge(with_trials({problem}).front(), answer);
    const Json tests = verdict.value("tests", Json::object());  // none where the task itself fails
    return {tests.value("call", false), tests.value("execution", false)};
}

}  // namespace tritonsmith::bench
