#pragma once

#include <map>
#include <string>

namespace tritonsmith::judge {

/// Codes of docs/reasons.md that stand for cheating, with its kind: "no kernel of its own", "PyTorch does the
/// work" ...
const std::map<std::string, const char*>& hacks();

/// The kind of cheating that a reason stands for; "" for honest failures.
std::string hack_of(const std::string& reason);

}  // namespace tritonsmith::judge
