#pragma once

#include <optional>
#include <string>

#include "judge/verdict/verdict.h"
#include "text/prompt/response.h"

namespace tritonsmith::reward {

/// Of an answer that holds no program to be judged: `no_code`, or `answer_cut` if it was cut off before its
/// program ended. Nothing: the judge is to be asked.
/// @param cut at the greatest length
std::optional<judge::Verdict> verdict_without_program(const text::Response& answer, bool cut,
                                                      const std::string& task);

}  // namespace tritonsmith::reward
