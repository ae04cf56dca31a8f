#pragma once

#include <string>
#include <variant>

#include "forge/forge.h"
#include "judge/services/services.h"
#include "task/task.h"

namespace tritonsmith::generate {

/// The forge's program for a task, or why there is none.
struct Forged {
    forge::Program program;
    forge::Request request;   ///< to write it in another schedule
    std::string failure;      ///< "" where there is a program
    std::string graph;        ///< for --explain
    bool task_fails = false;  ///< the task itself does not run
};

/// Traces the task as it is and with each of its larger sizes made smaller, lifts all of them and writes
/// their program. @throws MachineError
/// @param relaxed PyTorch may compute convolutions
Forged forge_program(const task::Task& task, const judge::Paths& paths, const std::string& target,
                     bool relaxed);

}  // namespace tritonsmith::generate
