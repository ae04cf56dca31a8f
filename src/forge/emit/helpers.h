#pragma once

#include <string>

namespace tritonsmith::forge {

/// The functions that kernels' text calls by name and that are no part of Triton: what joins two parts of a
/// reduction or a scan. "" where it calls none.
std::string helper_functions(const std::string& code);

}  // namespace tritonsmith::forge
