#pragma once

#include <optional>
#include <string>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Compile options that a kernel may carry: num_warps, num_ctas, num_stages, maxnreg, enable_fp_fusion,
/// launch_cooperative_grid, each in range; launch_pdl is ignored; every other option of Triton 3.6 only with
/// its default for the target. Returns what is wrong ("ptx_options = \"-O0\": …"), or nothing.
std::optional<std::string> forbidden_option(const std::string& name, const Value& value,
                                            const std::string& target);

/// Warps of a program of a valid plan's kernel; Triton's default is 4.
int num_warps(const Kernel& kernel);

/// CTAs of a cluster; Triton's default is 1.
int num_ctas(const Kernel& kernel);
/// Whether all programs are to be resident at once (launch_cooperative_grid).
bool cooperative_grid(const Kernel& kernel);

/// Whether its launches may start before the work that they follow has ended (launch_pdl).
bool starts_early(const Kernel& kernel);

/// Programs of a kernel that a device of the target holds at once, at most: its multiprocessors times 32
/// blocks, or 64 warps (CUDA C++ Programming Guide, compute capabilities).
int64_t resident_programs(const std::string& target, const Kernel& kernel);

/// Whether the target's hardware knows tensor descriptors (sm_90 on); before, Triton makes pointers of them.
bool tensor_copies(const std::string& target);

}  // namespace tritonsmith::plan
