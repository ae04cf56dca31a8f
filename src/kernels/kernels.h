#pragma once

#include <string>

#include "kernels/arguments.h"

/// Our own CUDA kernels, in a library that is loaded on first use: this module links no CUDA, and a build
/// without the library (no GPU, no nvcc) runs all the same.
namespace tritonsmith::kernels {

/// Whether libtritonsmith-kernels.so was found and has the right version; if not, `why` says so in one
/// clause. It is searched beside the program and in ../lib, once for the process. Does not check for a GPU.
/// Thread-safe.
bool find_library(std::string* why = nullptr);

/// Enqueue on `stream` (a cudaStream_t or CUstream) of the current context; structures are read before the
/// call returns. @throws std::invalid_argument for sizes and dtypes that a kernel does not support,
/// MachineError if the library is missing or CUDA fails (with the call, the error and its value).
#define X(function, arguments) void function(const arguments&, void* stream);
#include "kernels/functions.inc"
#undef X

}  // namespace tritonsmith::kernels
