#pragma once

#include <string>

namespace tritonsmith::run {

/// The hash of the sources that a program and its workers share (cmake/BuildId.cmake): those of different
/// builds draw different inputs, and nothing else would tell.
std::string build_id();

/// The exit status of a worker that was told another one (--build).
constexpr int kOtherBuild = 5;

}  // namespace tritonsmith::run
