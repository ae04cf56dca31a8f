#include "base/mends.h"

#include <map>

namespace tritonsmith {
namespace {

const std::map<std::string, const char*>& mends() {
    static const std::map<std::string, const char*> table = {
        {"syntax_error", "Write valid Python."},
        {"no_triton_kernel", "Define at least one function with @triton.jit."},
        {"entry_missing",
         "Define a class ModelNew whose __init__ and forward take the same arguments as the task's Model."},
        {"trace_error",
         "Mend the exception in the host code; shapes and dtypes are those of the task's inputs."},
        {"compile_error", "Write only what Triton 3.6 compiles inside @triton.jit functions."},
        {"host_read",
         "Do not read tensor values on the host (.item(), .tolist(), if on a tensor, boolean indexing): "
         "decide "
         "inside the kernel, or from shapes."},
        {"not_ttir", "Use plain Triton; Gluon and kernels given as IR have no TTIR."},
        {"trace_timeout", "The host code may only allocate and launch: no loops over elements, no waiting."},
        {"trace_memory", "Do not hold large data on the host; allocate tensors on the device."},
        {"trace_output", "Do not print or write files."},
        {"trace_forbidden", "No processes, sockets, foreign files or signals: only allocate and launch."},
        {"trace_tampered", "Leave Triton, its driver and its settings as they are: only define kernels and launch them."},
        {"trace_crash", "The host code may not end its process; use no ctypes and no unbounded recursion."},
        {"trace_protocol", "Leave the process and its file descriptors alone; return from forward."},
        {"plan_invalid", "Use tensors only as PyTorch made them: no freed, resized or re-pointed storage."},
        {"compile_option_forbidden",
         "Give only num_warps, num_stages, num_ctas, maxnreg, enable_fp_fusion and cooperative grids."},
        {"no_triton_launch", "Launch your kernel in forward: kernel[grid](...)."},
        {"host_compute",
         "Compute in your own kernels: on the host only allocation, views, constants, copies and casts are "
         "allowed, and these less than the kernels move."},
        {"output_not_from_kernel", "Return tensors that your kernels have written."},
        {"output_ignores_inputs", "Read the inputs in the kernel and compute the output from them."},
        {"aten_not_allowed", "Do not call this operator."},
        {"weights_unlinked", "Declare the parameters of the task's Model with the same names and shapes."},
        {"output_structure",
         "Return the same number of tensors, in the same order, shapes and dtypes as the task."},
        {"invalid_ttir", "Write the kernel with @triton.jit and leave the compiler alone."},
        {"out_of_bounds", "Mask the access: compare every index with the extent of its dimension."},
        {"misaligned_access",
         "Point at whole elements of the pointer's type; tensor descriptors need a base and strides in "
         "multiples of 16 bytes."},
        {"uninitialised_read",
         "Write memory before it is read: torch.zeros instead of empty, or a mask with other=..."},
        {"masked_load", "Give the load an other=..., or mask what is made of the lanes that it leaves out."},
        {"equal_write", "Let one program write each address, even where the values are equal."},
        {"race",
         "Let one program write each address, or use atomics; put tl.debug_barrier() between a store and "
         "what "
         "other lanes load or store there, and before a flag is raised; start a second launch where results "
         "of "
         "the first are needed."},
        {"false_promise", "Drop the hint (tl.assume, multiple_of, max_contiguous), or make it true."},
        {"stale_pipelined_load",
         "Do not load in a pipelined loop (num_stages above 1) what the loop has stored before: carry it in "
         "registers, put tl.debug_barrier() into the loop, set num_stages=1, or start a second launch."},
        {"shift_out_of_range", "Shift by less than the width of the type."},
        {"integer_division", "Never divide by zero, in lanes that are masked away either."},
        {"address_overflow", "Compute offsets in 64 bits: tl.program_id(0).to(tl.int64)."},
        {"device_assert", "The kernel's own tl.device_assert does not hold: mend the condition or the data."},
        {"int_to_ptr", "Do not make pointers of integers: pass tensors."},
        {"inline_asm", "Use only register arithmetic in inline assembly, or none."},
        {"interpret_timeout",
         "Every loop must end, and programs must not wait for ones that are not running."},
        {"out_of_memory", "Use less scratch memory."},
        {"aten_error",
         "The PyTorch operator fails on the data: call it as its documentation says, or not at all."},
        {"worker_died", "Simplify the kernel."},
        {"compile_failed", "Write a kernel that the target's compiler takes: simplify types and shapes."},
        {"out_of_resources",
         "Use smaller blocks, fewer stages or fewer warps: registers or shared memory ran out."},
        {"compile_timeout", "Unroll less: smaller blocks, tl.range instead of tl.static_range."},
        {"wrong_result",
         "Compute what the task computes, in float32 where it does (accumulate in float32, "
         "input_precision='ieee' "
         "in tl.dot where TF32 is not exact enough), and use every weight."},
        {"uninitialised_output",
         "Cover the whole output: the grid times the block must reach its last element."},
        {"nondeterministic",
         "Make the answer independent of the order of programs and of what memory held before."},
        {"input_mutated", "Write into a new tensor instead of an input."},
        {"kernel_without_effect", "Drop the launch that changes nothing, and let your kernel do the work."},
        {"autotune_config_wrong", "Make every configuration right: masks must hold for each block size."},
        {"autotune_not_restored",
         "Name every tensor that the kernel adds to, or changes in place, in reset_to_zero or restore_value of "
         "triton.autotune, or give the kernel a copy in a hook."},
        {"as_written_failed",
         "Let the module do the same whenever it is built and called: no state of the process, no "
         "environment."},
        {"as_written_differs",
         "Let the module compute the same on a device as in its trace: nothing that depends on addresses, on "
         "time or on what other libraries do."},
        {"gpu_illegal_address",
         "Keep every load and store inside its tensor, at the task's full size: mask the tails."},
        {"gpu_misaligned_address",
         "Load and store at multiples of the type's size; hints of divisibility must hold for every "
         "argument."},
        {"gpu_timeout",
         "Every loop must end, also at the task's full size, and no program may wait for ones not running."},
        {"gpu_fault",
         "The kernel brings the GPU to a fault: simplify it, and look for what it does with addresses."},
        {"gpu_lost",
         "The GPU failed; nothing can be said about the candidate. Look at nvidia-smi, and try again."},
        {"wrong_when_timed",
         "Give the same answer in every call, whatever memory and caches held before, and wait for all of "
         "the work."},
        {"timing_implausible",
         "The time cannot be true; nothing is proven. Write the whole output in every call."},
        {"task_error", "The task itself fails; nothing can be said about the candidate."},
        {"task_random", "The task draws random numbers; nothing can be compared."},
        {"task_degenerate", "The task accepts trivial answers; nothing is proven."},
        {"shape_specialised", "Take sizes from the tensors instead of writing them into the kernel."},
        {"unsupported_operation", "The judge lacks an operation of the task or the candidate."},
    };
    return table;
}

}  // namespace

std::string mend(const std::string& reason) {
    const auto found = mends().find(reason);
    return found == mends().end() ? "" : found->second;
}

}  // namespace tritonsmith
