#pragma once

#include <string>

#include "judge/verdict/verdict.h"

namespace tritonsmith::judge {

/// A verdict that is not accepted as a lesson: "person" says what was wrong, where, and what would fix it in
/// sentences; "model" the same in one compact line for the prompt of the next round, with the offending line
/// of the source. Null for an accepted verdict. @param source the candidate's text
Json feedback(const Verdict& verdict, const std::string& source);

}  // namespace tritonsmith::judge
