#pragma once

#include <string>
#include <vector>

#include "bench/training/training_run.h"

namespace tritonsmith::bench {

/// A curve in a plot: not a number where a step has none.
struct PlotLine {
    std::string label;
    const std::vector<double>* steps = nullptr;
    const Curve* values = nullptr;
};

/// Lines over steps. Lines begin with the colours of training ("own") and evaluation ("held"); from the sixth
/// on they are dashed.
struct Plot {
    std::string title;
    std::vector<PlotLine> lines;

    /// Whether any line has a value.
    bool has_values() const;
};

/// Plots with values, one below the other, as one SVG. @param title for readers that see no pictures
/// @throws InputError where there is none
std::string plotted(const std::string& title, const std::vector<Plot>& plots);

}  // namespace tritonsmith::bench
