#pragma once

#include <string>

#include "judge/candidate/evidence.h"

namespace tritonsmith::judge {

/// What an acceptance rests on, in one sentence: sizes, sets of inputs, the share of the output that was
/// compared at full size and that no launch writes, and the probability that one wrong tile was missed.
std::string evidence_sentence(const Evidence& evidence);

}  // namespace tritonsmith::judge
