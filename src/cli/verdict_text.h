#pragma once

#include <string>

#include "judge/verdict/verdict.h"
#include "task/task.h"

namespace tritonsmith::cli {

/// "  trace        0.21 s  ok\n"
std::string stage_line(const judge::StageTime& stage);

/// The verdict as a person reads it: the answer, what was scaled, and for a rejection the reason and the line
/// of the candidate's source with its neighbours. Ends with a newline. @param colour ANSI colours.
std::string verdict_text(const judge::Verdict& verdict, const task::Task& task, const std::string& candidate,
                         const std::string& name, bool colour);

}  // namespace tritonsmith::cli
