#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/answers/answer.h"
#include "bench/problem.h"

namespace tritonsmith::bench {

struct GivenAnswers {
    std::vector<Answer> answers;  ///< in the order of the problems, then of the samples
    /// Answers to what is no problem of this run (another level, the other half of a suite).
    size_t others = 0;
};

/// Answers that exist already: a folder in the layout of KernelBench's runs/
/// (level_1_problem_2_sample_0_kernel.py) or of files ID.py and ID.SAMPLE.py, or rows of a JSONL file, which
/// are TritonBench's {"instruction", "label", "predict"} or {"task", "code"} (or "candidate": FILE). Samples
/// of one problem are numbered as they come where a row has no "sample".
/// @throws InputError for what is not understood, and where no answer is to a problem of this run
GivenAnswers read_answers(const std::filesystem::path& path, const std::vector<Problem>& problems);

/// The program of a model's whole answer: its last fenced block, or all of it where it is a program. Where
/// there is none, the reason is set.
void take_program(Answer& answer, const std::string& text);

}  // namespace tritonsmith::bench
