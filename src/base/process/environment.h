#pragma once

#include <map>
#include <string>

namespace tritonsmith {

/// This process's environment, for a program of ours that it starts: all but keys of endpoints (`*_API_KEY`).
std::map<std::string, std::string> environment_without_keys();

}  // namespace tritonsmith
