#pragma once

#include <stdexcept>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// What is wrong with a module, in one sentence that names operation and operand.
class CheckError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

constexpr int kMaxCallDepth = 64;
constexpr size_t kMaxBlocks = 4096;  ///< of one region

/// Operands, results, attributes and region arguments of one operation (docs/ttir.md). Operations that TTIR
/// does not have pass. @throws CheckError
void check_operation(const Function& function, const Operation& op);

/// Blocks, terminators, successors and dominance of one function. @throws CheckError
void check_function(const Function& function);

/// Calls (known, matching, not recursive), names, and that exactly one public function has a body. @throws
/// CheckError
void check_calls(const Module& module);

}  // namespace tritonsmith::ttir
