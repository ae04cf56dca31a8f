#include "bench/tests/trials.h"

#include "base/json.h"

namespace tritonsmith::bench {
namespace {

/// What is assigned at the top level is what the tests give: `trials` alone.
constexpr const char* kTrials = R"(
def _kernelbench_trials(source, entry, answer, first_seed=42, trials=5, tolerance=1e-2):
    import torch

    task = {"__name__": "task"}
    exec(compile(source, "task.py", "exec"), task)

    def seeded(seed, make):
        torch.manual_seed(seed)
        torch.cuda.manual_seed(seed)
        return make()

    def moved(values):
        return [value.cuda() if isinstance(value, torch.Tensor) else value for value in values]

    def trial(seed):
        inputs = moved(seeded(seed, task["get_inputs"]))
        with torch.no_grad():
            expected = seeded(seed, lambda: reference(*inputs))
            found = seeded(seed, lambda: module(*inputs))
        torch.cuda.synchronize()
        if expected.shape != found.shape:
            return f"the shape {list(found.shape)} in place of {list(expected.shape)}"
        if torch.allclose(expected, found, atol=tolerance, rtol=tolerance):
            return "equal"
        error = (expected.double() - found.double()).abs()
        return f"off by {error.max().item():.3g} at most, {error.mean().item():.3g} in the mean"

    arguments = seeded(first_seed, lambda: moved(task.get("get_init_inputs", list)()))
    reference = seeded(first_seed, lambda: task[entry](*arguments).cuda())
    module = seeded(first_seed, lambda: (answer or task[entry])(*arguments).cuda())
    torch.manual_seed(first_seed)
    return [trial(seed) for seed in [torch.randint(0, 2**32 - 1, (1,)).item() for _ in range(trials)]]
)";

TestedProgram trials_of(const task::Task& task) {
    // JSON's strings are Python's, where no character is beyond what it escapes by two halves: UTF-8 stays as
    // it is.
    return {"ModelNew = None\n", std::string(kTrials) + "\n\ntrials = _kernelbench_trials(" +
                                     dump(Json(task.source)) + ", " + dump(Json(task.entry)) +
                                     ", ModelNew)\n"};
}

}  // namespace

std::vector<Problem> with_trials(std::vector<Problem> problems) {
    for (Problem& one : problems)
        if (one.task) one.tested = std::make_shared<const TestedProgram>(trials_of(*one.task));
    return problems;
}

}  // namespace tritonsmith::bench
