#include "judge/timing/roofline.h"

#include <algorithm>
#include <map>
#include <set>

#include "plan/analysis/cost.h"
#include "plan/analysis/flow.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

double Roofline::share_of_bandwidth(double ms) const {
    return ms > 0 && bytes_per_second > 0 ? static_cast<double>(bytes) / (ms * 1e-3) / bytes_per_second : 0;
}

Roofline roofline_of(const plan::Plan& reference, const Json& device) {
    Roofline out;
    std::set<int> given, read;
    for (const plan::Tensor& tensor : plan::tensors_in(reference.inputs)) given.insert(tensor.buffer);
    for (const plan::Weight& weight : reference.weights) given.insert(weight.tensor.buffer);
    for (const plan::Executed& executed : plan::executed_steps(reference))
        if (executed.step->phase == plan::Phase::forward)
            for (const plan::ByteRange& range : plan::flow_of(reference, *executed.step, {}).reads)
                if (given.contains(range.buffer)) read.insert(range.buffer);
    for (int buffer : read) out.bytes += reference.buffers[static_cast<size_t>(buffer)].bytes;
    // Outputs that are views of one another, or of inputs, are written once, or not at all.
    std::map<int, int64_t> written;
    for (const plan::Tensor& tensor : plan::tensors_in(reference.output))
        if (!given.contains(tensor.buffer))
            written[tensor.buffer] = std::max(written[tensor.buffer], plan::byte_count(tensor));
    int64_t outputs = 0;
    for (const auto& [buffer, bytes] : written)
        outputs += std::min(bytes, reference.buffers[static_cast<size_t>(buffer)].bytes);
    out.bytes += outputs;
    out.operations = plan::cost(reference).flops;
    out.bytes_per_second = device.value("bytes_per_second", 0.0);
    const int64_t beyond_cache = outputs - device.value("l2_bytes", int64_t{0});
    if (out.bytes_per_second > 0 && beyond_cache > 0)
        out.least_ms = static_cast<double>(beyond_cache) / out.bytes_per_second * 1e3;
    return out;
}

}  // namespace tritonsmith::judge
