#include "bench/suites/suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "bench/suites/readers.h"

namespace tritonsmith::bench {
namespace {

std::vector<Problem> read_by_name(const SuiteRequest& request) {
    if (request.suite == "kernelbench") return read_kernelbench(request.path);
    if (request.suite == "tritonbench-g") return read_tritonbench(request.path, 'G');
    if (request.suite == "tritonbench-t") return read_tritonbench(request.path, 'T');
    if (request.suite == "tasks") return read_tasks(request.path);
    throw InputError("--suite '" + request.suite +
                     "': give kernelbench, tritonbench-g, tritonbench-t or tasks");
}

}  // namespace

std::vector<Problem> read_suite(const SuiteRequest& request) {
    if (!std::filesystem::exists(request.path))
        throw InputError("suite " + request.path.string() + ": no such file or folder");
    std::vector<Problem> out = read_by_name(request);
    if (!request.levels.empty())
        std::erase_if(out, [&](const Problem& one) {
            return std::find(request.levels.begin(), request.levels.end(), one.level) == request.levels.end();
        });
    if (out.empty()) throw InputError("suite " + request.path.string() + ": no problem of that level");
    std::set<std::string> ids;
    for (Problem& one : out) {
        if (!ids.insert(one.id).second)
            throw InputError(fmt::format("suite {}: two problems with id {}", request.path.string(), one.id));
        if (one.task || request.tasks.empty()) continue;
        const std::filesystem::path file = request.tasks / (one.id + ".py");
        if (!std::filesystem::exists(file)) continue;
        one.task = std::make_shared<const task::Task>(task::load(file.string()));
        one.no_task.clear();
    }
    return out;
}

}  // namespace tritonsmith::bench
