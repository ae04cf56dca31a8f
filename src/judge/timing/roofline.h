#pragma once

#include <cstdint>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// What a task asks of a device, whoever computes it.
struct Roofline {
    int64_t bytes = 0;            ///< inputs and weights that the reference reads, once, and outputs
    double operations = 0;        ///< of the reference: a better formula needs fewer
    double bytes_per_second = 0;  ///< of the device's memory in theory; 0: unknown
    double least_ms = 0;          ///< to write the outputs that its cache cannot hold; 0: unknown

    double share_of_bandwidth(double ms) const;
};

/// Only the outputs bound the time from below: a kernel may find that it need not read all inputs, and be
/// right.
/// @param device of DeviceServices::info
Roofline roofline_of(const plan::Plan& reference, const Json& device);

}  // namespace tritonsmith::judge
