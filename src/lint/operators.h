#pragma once

#include <string_view>

namespace tritonsmith::lint {

/// What calling a library's function in host code means for the functional linter.
enum class Operator {
    None,        ///< allocation, views, copies, queries, or nothing known
    Matmul,      ///< products, convolutions, attention: the heavy operators, wherever they live
    Module,      ///< a torch.nn module class
    Functional,  ///< torch.nn.functional
    Torch,       ///< any other computing function of torch
    Compile,     ///< torch.compile, torch.jit.script ...
    Extern,      ///< Inductor's extern_kernels
    Dynamic,     ///< eval, exec, __import__ ...
};

/// Of a full path, as in "torch.nn.functional.relu" or "builtins.eval" (a bare built-in counts as in
/// builtins).
Operator classify(std::string_view path);

/// Of a method called on a value: "matmul", "softmax". None where other Python objects have that method too.
Operator classify_method(std::string_view method);

}  // namespace tritonsmith::lint
