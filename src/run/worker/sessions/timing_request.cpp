#include "run/worker/sessions/timing_request.h"

#include <algorithm>

namespace tritonsmith::run {

Deadline deadline_of(const Json& request) {
    return Clock::now() +
           std::chrono::milliseconds(static_cast<int64_t>(request.at("deadline_s").get<double>() * 1000));
}

Json time_request(const Json& request, TimedPlan* timed, std::vector<Fd>& files) {
    if (!timed) throw InputError("\"do\": time comes after prepare");
    const int samples = std::clamp(request.at("samples").get<int>(), 1, 100000);
    auto keep = request.at("keep").get<std::vector<int>>();
    std::sort(keep.begin(), keep.end());
    if (keep.size() > 8 || (!keep.empty() && (keep.front() < 0 || keep.back() >= samples)) ||
        std::adjacent_find(keep.begin(), keep.end()) != keep.end())
        throw InputError("\"keep\": at most 8 different ordinals of the timed calls");
    std::vector<TimedPlan::Kept> kept;
    Json answer{{"ok", true}, {"ms", timed->block(samples, keep, kept, deadline_of(request))}};
    answer["kept"] = Json::array();
    for (TimedPlan::Kept& one : kept) {
        answer["kept"].push_back(
            {{"sample", one.sample},
             {"set", one.set},
             {"outputs", {{"index", one.outputs.index()}, {"bytes", one.outputs.size()}}}});
        files.push_back(std::move(one.outputs.memory.fd));
    }
    return answer;
}

}  // namespace tritonsmith::run
