#include "judge/timing/device_findings.h"

#include <fmt/format.h>

namespace tritonsmith::judge {
namespace {

const run::ComparedOutput* first_wrong(const run::ComparedAnswer& compared) {
    for (const run::ComparedOutput& output : compared.outputs)
        if (!output.mismatch.is_null()) return &output;
    return nullptr;
}

/// "wrong in 3 of 1000 elements"
std::string extent(const run::ComparedOutput& output) {
    return fmt::format("wrong in {} of {} elements", output.mismatch.at("out_of_bound").get<int64_t>(),
                       output.elements);
}

}  // namespace

std::optional<Finding> wrong_when_timed(const run::ComparedAnswer& compared) {
    if (const run::ComparedOutput* output = first_wrong(compared))
        return Finding{"wrong_when_timed",
                       fmt::format("{} of a timed call is {}, though it was right when it was checked",
                                   output->name, extent(*output)),
                       0, output->mismatch};
    if (!compared.missing.empty())
        return Finding{"wrong_when_timed", "a timed call gives no " + compared.missing.front(), 0,
                       Json::object()};
    return std::nullopt;
}

std::optional<Finding> differs_as_written(const run::ComparedAnswer& compared) {
    const std::string head = "run as it is written, the file gives ";
    if (const run::ComparedOutput* output = first_wrong(compared))
        return Finding{
            "as_written_differs",
            head + fmt::format("another answer than its trace: {} is {}", output->name, extent(*output)), 0,
            output->mismatch};
    if (!compared.missing.empty())
        return Finding{"as_written_differs",
                       head + "no " + compared.missing.front() + " of the shape that its trace has", 0,
                       Json::object()};
    return std::nullopt;
}

std::optional<Finding> implausible(const Roofline& roofline, double ms) {
    if (ms >= roofline.least_ms) return std::nullopt;
    return Finding{
        "timing_implausible",
        fmt::format("{:.4g} ms is less than the {:.4g} ms in which the device can write the outputs", ms,
                    roofline.least_ms),
        0,
        {{"least_ms", roofline.least_ms}}};
}

}  // namespace tritonsmith::judge
