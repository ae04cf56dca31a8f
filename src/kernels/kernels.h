#pragma once

#include <string>

#include "kernels/arguments.h"

/// Our own CUDA kernels, from a library that is loaded when it is first asked for: this room links no CUDA,
/// and a build without the library (no GPU, no nvcc) runs all the same.
namespace tritonsmith::kernels {

/// Whether libtritonsmith-kernels.so is there and fits; if not, `why` is one clause that says so. It is
/// sought beside the program and in ../lib. The answer does not change while the process lives. Thread-safe.
/// Says nothing of a GPU.
bool find_library(std::string* why = nullptr);

/// Enqueue on `stream` (a cudaStream_t or CUstream) of the context that is current; structures are read
/// before the call returns. @throws std::invalid_argument for sizes and dtypes that a kernel does not take,
/// MachineError where the library is missing or CUDA refuses (the text names the call, the error and its
/// value).
#define X(function, arguments) void function(const arguments&, void* stream);
#include "kernels/functions.inc"
#undef X

}  // namespace tritonsmith::kernels
