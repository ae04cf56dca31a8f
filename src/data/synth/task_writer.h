#pragma once

#include <string>
#include <vector>

#include "data/synth/sketch.h"
#include "data/synth/style.h"
#include "forge/module/task_text.h"
#include "graph/card/signature.h"

namespace tritonsmith::data {

/// A task's text with what reading it again would find.
struct TaskFile {
    std::string source, entry;
    graph::Signatures
        signatures;         ///< as graph::signatures_of(source, entry) has them; of lines those of forward
    forge::TaskText parts;  ///< what a solution keeps of it
};

/// Writes the sketch in a style; gives the plans their lines, arguments and outputs.
TaskFile write_task(Sketch& sketch, const Style& style, Random& random);

/// What the operators are called in words, in order: "a linear projection", "relu".
std::vector<std::string> operator_words(const Sketch& sketch);

}  // namespace tritonsmith::data
