#pragma once

#include <string>

#include "trace/tracer.h"

/// What the tests of this module share. The package folder is that of the build.
namespace tritonsmith::trace::testing {

inline TracerOptions options() {
    TracerOptions result;
    result.python = TRITONSMITH_PYTHON;
    result.package_dir = std::string(TRITONSMITH_BINARY_DIR) + "/package";
    return result;
}

/// A candidate that is called with one f32 tensor [1000] on the device.
inline Request candidate(const std::string& source) {
    plan::Tensor tensor;
    tensor.buffer = 0;
    tensor.shape = {1000};
    tensor.stride = {1};
    Request request;
    request.source = source;
    request.filename = "candidate.py";
    request.entry = "ModelNew";
    request.inputs = {plan::Value{tensor}};
    return request;
}

/// "reason: message" of a finding, "none" of a plan.
inline std::string text(const Outcome& outcome) {
    const auto* finding = std::get_if<Finding>(&outcome);
    return finding
               ? finding->reason + ": " + finding->message + " (line " + std::to_string(finding->line) + ")"
               : "none";
}
inline std::string reason(const Outcome& outcome) {
    const auto* finding = std::get_if<Finding>(&outcome);
    return finding ? finding->reason : "none";
}

}  // namespace tritonsmith::trace::testing
