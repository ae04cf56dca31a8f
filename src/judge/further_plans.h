#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "judge/candidate/candidate_state.h"
#include "judge/task/prepared_task.h"
#include "task/task.h"

/// Plans of a candidate other than its first, which has passed. Each is judged like the first, and what it
/// shows is added to the first's evidence.
namespace tritonsmith::judge {

/// Host code that asks which configuration autotuning chose makes one plan for each, and each must be right.
/// Those that the target has no room for are dropped, as Triton does.
std::optional<Finding> judge_other_configurations(CandidateState& first);

/// A module may keep what it likes from call to call. Where a later call has other steps than the first, it
/// is judged as well, as a plan of its own.
std::optional<Finding> judge_later_call(CandidateState& first, int call);

/// A module that keeps the size of its first call is wrong in a later one with half a batch, where the
/// reference takes that.
std::optional<Finding> judge_kept_size(const CandidateState& first);

bool has_numbers(const plan::List& inputs, task::MovedNumbers which);
/// The candidate with other Python numbers among the inputs, where the reference takes them.
/// @param prepared the task with them
std::optional<Finding> judge_with_other_numbers(CandidateState& first,
                                                const std::variant<PreparedTask, Finding>& prepared,
                                                task::MovedNumbers which);

/// What else integers among the inputs may be, by what the task does with each larger by one: far larger and
/// far smaller, where they are data; in another order, where their sum must be what it is.
/// @param by_one the task with them
std::vector<task::MovedNumbers> further_numbers(const PreparedTask& task,
                                                const std::variant<PreparedTask, Finding>& by_one);
/// Numbers that are far off show something where the reference bends (task/bent_numbers.h), and else nothing.
std::optional<Finding> judge_with_further_numbers(CandidateState& first,
                                                  const std::variant<PreparedTask, Finding>& by_one,
                                                  const std::variant<PreparedTask, Finding>& prepared,
                                                  task::MovedNumbers which);

}  // namespace tritonsmith::judge
