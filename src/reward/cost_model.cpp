#include "reward/cost_model.h"

#include <algorithm>

namespace tritonsmith::reward {
namespace {

double number_of(const Json& object, const char* name) {
    if (!object.is_object()) return 0;
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

double seconds(double bytes, double flops, const CostModel& model) {
    return std::max(bytes / model.bytes_per_second, flops / model.flops_per_second);
}

}  // namespace

std::optional<double> estimated_speedup(const Json& evidence, const CostModel& model) {
    if (!evidence.is_object()) return std::nullopt;
    const auto launches = evidence.find("small_size_launches");
    const auto reference = evidence.find("small_size_reference");
    if (launches == evidence.end() || !launches->is_array() || reference == evidence.end())
        return std::nullopt;
    double candidate = 0;
    for (const Json& launch : *launches)
        candidate += seconds(number_of(launch, "bytes_read") + number_of(launch, "bytes_written"),
                             number_of(launch, "flops"), model);
    // Copies and fills on the host side of the candidate: their share of all its bytes.
    const double host = std::min(number_of(evidence, "host_byte_share"), 0.99);
    candidate /= 1 - host;
    const double eager = seconds(number_of(*reference, "traffic"), number_of(*reference, "flops"), model);
    if (!(candidate > 0) || !(eager > 0)) return std::nullopt;
    return eager / candidate;
}

}  // namespace tritonsmith::reward
