#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tritonsmith::lint {

struct Diagnostic {
    std::string rule;  ///< "syntax_error", "no_triton_kernel", "kernel_never_called", "host_matmul" ...
                       ///< (docs/lint.md)
    std::string message;
    int line = 0, column = 0;
};

struct Report {
    std::vector<Diagnostic> diagnostics;
    bool parses = true;       ///< no syntax error
    bool is_triton = false;   ///< AutoTriton's rule: a @triton.jit function exists
    bool syntax = false;      ///< TritonRL's: valid Python with @triton.jit kernels
    bool functional = false;  ///< TritonRL's functional linter: a kernel is really called, no reliance on
                              ///< torch for the work
    std::vector<std::string> kernels;  ///< names of @triton.jit functions
    std::string
        normal_form;  ///< names and constants abstracted, comments and layout dropped; for deduplication
};

struct Options {
    bool normal_form = false;
};

/// Rules over the program text alone: a fast filter and the seeds' rule-based reward, not the guard.
/// Thread-safe.
Report lint(std::string_view source, const Options& options = {});

}  // namespace tritonsmith::lint
