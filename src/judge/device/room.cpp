#include "judge/device/room.h"

namespace tritonsmith::judge {

namespace {

/// Of a candidate, of the reference, or of the file as it is written.
bool out_of_memory(const std::optional<Finding>& finding) {
    if (!finding) return false;
    if (finding->reason == "out_of_memory") return true;
    for (const char* said : {"worker_reason", "how"})
        if (finding->evidence.is_object() && finding->evidence.value(said, "") == "out_of_memory")
            return true;
    return false;
}

}  // namespace

std::optional<Finding> with_room(CandidateState& state, const std::function<std::optional<Finding>()>& work) {
    std::optional<Finding> finding = work();
    if (!out_of_memory(finding)) return finding;
    state.on_device.reset();
    state.alone_on_device = true;
    {
        const DeviceCandidate alone(*state.services.device, true, state.task.device.get());
        state.task.device->expect_room(finding->message);
    }
    finding = work();
    if (out_of_memory(finding)) state.on_device.reset();
    return finding;
}

}  // namespace tritonsmith::judge
