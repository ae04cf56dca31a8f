#include "base/reasons.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace tritonsmith {
namespace reason_table {

using enum Stage;
using enum ReasonClass;
using enum ReasonFlag;

constexpr bool kLasting = false, kTransient = true;

constexpr std::array kReasons = std::to_array<Reason>({
    // --- batch, answer, lint
    {"bad_row", batch, unjudgeable, kLasting,
     "`--keep-going`: the row of the batch names no task and candidate, or a candidate's file that cannot be "
     "read",
     "Give each row a task, and a candidate's file or its code."},
    {"no_code", answer, rejected, kLasting, "`generate`: the answer holds no program",
     "Give the whole program in one ```python block."},
    {"answer_cut", answer, rejected, kLasting, "`generate`: the answer was cut off before its program ended",
     "Think and write less, or allow more tokens (--max-tokens)."},
    {"not_text", lint, rejected, kLasting,
     "the candidate is not the text of a program: not UTF-8, with a NUL byte, or larger than 1 MiB",
     "Give a Python program as UTF-8 text of less than 1 MiB."},
    {"syntax_error", Stages(lint) | trace, rejected, kLasting, "the candidate is not valid Python",
     "Write valid Python."},
    {"no_triton_kernel", Stages(lint) | trace, rejected, kLasting, "no `@triton.jit` function in the text",
     "Define at least one function with @triton.jit."},

    // --- trace
    {"entry_missing", trace, rejected, kLasting,
     "no class `ModelNew`, or it cannot be called with the task's arguments",
     "Define a class ModelNew whose __init__ and forward take the same arguments as the task's Model."},
    {"trace_error", trace, rejected, kLasting, "the candidate's host code raised an exception",
     "Fix the exception in the host code; shapes and dtypes are those of the task's inputs."},
    {"compile_error", trace, rejected, kLasting, "Triton's front end refused a kernel",
     "Write only what Triton 3.6 compiles inside @triton.jit functions."},
    {"host_read", Stages(trace) | interpret, rejected, kLasting, "host code reads device values",
     "Do not read tensor values on the host (.item(), .tolist(), if on a tensor, boolean indexing): decide "
     "inside the kernel, or from shapes.",
     no_answer},
    {"not_ttir", trace, rejected, kLasting, "a kernel that has no TTIR (Gluon)",
     "Use plain Triton; Gluon and kernels given as IR have no TTIR."},
    {"trace_timeout", trace, rejected, kTransient, "host code ran past its deadline or processor time",
     "The host code may only allocate and launch: no loops over elements, no waiting."},
    {"trace_memory", trace, rejected, kTransient, "host code took too much memory",
     "Do not hold large data on the host; allocate tensors on the device."},
    {"trace_output", trace, rejected, kLasting, "host code printed or wrote too much into its folder",
     "Do not print or write files."},
    {"trace_forbidden", trace, rejected, kLasting,
     "host code did what the sandbox forbids (processes, compilers, sockets, files outside its folder, "
     "signals to others, more than 256 threads)",
     "No processes, compilers, sockets, foreign files or signals: only allocate and launch."},
    {"trace_tampered", trace, rejected, kLasting,
     "what launches, compiles or records kernels is not what Triton and the tracer installed: patched "
     "classes and functions, hooks on launches and compiler stages, settings that replace compiled code",
     "Leave Triton, its driver and its settings as they are: only define kernels and launch them."},
    {"trace_crash", trace, rejected, kLasting, "the traced process died",
     "The host code may not end its process; use no ctypes and no unbounded recursion."},
    {"trace_protocol", trace, rejected, kLasting,
     "the traced process forged or broke the protocol, or ended itself before its plan was made",
     "Leave the process and its file descriptors alone; return from forward."},

    // --- policy
    {"plan_invalid", Stages(trace) | policy, rejected, kLasting,
     "the plan contradicts itself (wrong shapes, buffers, sizes)",
     "Use tensors only as PyTorch made them: no freed, resized or re-pointed storage.", no_answer},
    {"grid_too_large", Stages(policy) | interpret, rejected, kLasting,
     "a launch has more programs than a device takes in one dimension, or than anyone could run",
     "Launch one program for each tile of the output, and loop inside the kernel where that is too many."},
    {"compile_option_forbidden", Stages(trace) | policy, rejected, kLasting,
     "a compile option outside the allowed list",
     "Give only num_warps, num_stages, num_ctas, maxnreg, enable_fp_fusion and cooperative grids."},
    {"no_triton_launch", policy, rejected, kLasting, "no Triton kernel is launched",
     "Launch your kernel in forward: kernel[grid](...)."},
    {"host_compute", Stages(trace) | policy, rejected, kLasting,
     "PyTorch, or a library behind it, does (part of) the work",
     "Compute in your own kernels: on the host only allocation, views, constants, copies and casts are "
     "allowed, and these less than the kernels move."},
    {"output_not_from_kernel", policy, rejected, kLasting,
     "an output does not flow from the candidate's own launches",
     "Return tensors that your kernels have written."},
    {"output_ignores_inputs", policy, rejected, kLasting,
     "nothing of inputs or weights reaches an output that depends on them in the reference",
     "Read the inputs in the kernel and compute the output from them."},
    {"aten_not_allowed", Stages(trace) | policy | interpret, rejected, kLasting,
     "an operator, or a kind of tensor, that the judge does not execute", "Do not call this operator.",
     no_answer},
    {"weights_unlinked", policy, rejected, kLasting,
     "a used parameter of the candidate corresponds to none of the reference",
     "Declare the parameters of the task's Model with the same names and shapes."},
    {"stale_state", Stages(trace) | policy, rejected, kLasting,
     "a second module of the class computes with what the file keeps of the first one's weights; with "
     "`--strict-state` also: calls leave buffers of the module as they are that the reference's change, or "
     "read what the constructor has computed from weights",
     "Update the module's buffers in each call as the reference does, and read weights in the call itself."},
    {"output_overwritten", Stages(policy) | correctness, rejected, kLasting,
     "an output lies in memory that the module keeps from call to call, and the next call overwrites it",
     "Allocate each output in the call that returns it (torch.empty in forward); keep only scratch memory."},
    {"output_structure", Stages(trace) | policy, rejected, kLasting,
     "number, kind, shape, dtype or device of outputs differ from the reference",
     "Return the same number of plain tensors on the device, in the same order, shapes and dtypes as the "
     "task."},

    // --- interpret
    {"invalid_ttir", interpret, rejected, kLasting, "a kernel's TTIR does not parse or check",
     "Write the kernel with @triton.jit and leave the compiler alone."},
    {"unsupported_kernel", interpret, rejected, kLasting,
     "a kernel uses an operation, a type or a library function that the interpreter does not have",
     "Write it with other operations of triton.language.", in_whole},
    {"out_of_bounds", Stages(interpret) | run, rejected, kLasting, "a load or store outside its buffer",
     "Mask the access: compare every index with the extent of its dimension."},
    {"misaligned_access", interpret, rejected, kLasting,
     "a load or store at an address that is no multiple of its element; at full size, a tensor descriptor "
     "whose base or stride is no multiple of 16 bytes",
     "Point at whole elements of the pointer's type; tensor descriptors need a base and strides in multiples "
     "of 16 bytes."},
    {"uninitialised_read", interpret, rejected, kLasting, "a kernel reads memory that nothing has written",
     "Write memory before it is read: torch.zeros instead of empty, or a mask with other=..."},
    {"race", interpret, rejected, kLasting,
     "two programs of one launch, or two lanes of one program with no barrier between, touch the same "
     "address, one with a plain write of another value ([interpreter.md](interpreter.md)); or a launch that "
     "may start early (`launch_pdl`) touches what earlier launches write without waiting for them; or work "
     "on several streams that nothing orders",
     "Let one program write each address, or use atomics; put tl.debug_barrier() between a store and what "
     "other lanes load or store there, and before a flag is raised; start a second launch where results of "
     "the first are needed.",
     in_whole},
    {"false_promise", interpret, rejected, kLasting,
     "`tl.assume`, `multiple_of`, `max_contiguous` or divisibility does not hold in lanes that count "
     "([interpreter.md](interpreter.md))",
     "Drop the hint (tl.assume, multiple_of, max_contiguous), or make it true."},
    {"shift_out_of_range", interpret, rejected, kLasting, "a shift by the width of the type or more",
     "Shift by less than the width of the type."},
    {"integer_division", interpret, rejected, kLasting, "an integer division by zero",
     "Never divide by zero, in lanes that are masked away either."},
    {"address_overflow", interpret, rejected, kLasting,
     "an address was computed in 32 bits, which overflowed",
     "Compute offsets in 64 bits: tl.program_id(0).to(tl.int64)."},
    {"device_assert", interpret, rejected, kLasting, "`tl.device_assert` failed",
     "The kernel's own tl.device_assert does not hold: correct the condition or the data."},
    {"int_to_ptr", Stages(policy) | interpret, rejected, kLasting,
     "a pointer is made of an integer, which the robust policy refuses; tensors of addresses (`data_ptr()`) "
     "are refused before anything runs",
     "Do not make pointers of integers: pass tensors.", any_size},
    {"inline_asm", interpret, rejected, kLasting,
     "inline assembly other than register arithmetic, which the robust policy refuses",
     "Use only register arithmetic in inline assembly, or none.", any_size},
    {"shape_specialised", interpret, rejected, kTransient,
     "what the program does at the task's own size, it does at no other size that can be judged; that one is "
     "too large to be interpreted whole, and none of its outputs could be compared without a GPU; or at full "
     "size it leaves memory unwritten, or unread, that it writes and reads at the small size",
     "Take sizes from the tensors instead of writing them into the kernel."},
    {"insufficient_evidence", correctness, rejected, kTransient,
     "with `--require`: nothing wrong was found, but what was checked reaches less far than was asked for",
     "Use a GPU (--device cuda:0), or ask for less (--require)."},
    {"interpret_timeout", interpret, rejected, kTransient, "a kernel, or the plan as a whole, does not end",
     "Every loop must end, and programs must not wait for ones that are not running.", in_whole},
    {"out_of_memory", Stages(interpret) | run | timing, rejected, kTransient,
     "the plan needs more memory than the judge gives it at the small size, or than the GPU has when nothing "
     "else is there",
     "Use less scratch memory.", any_size},
    {"aten_error", interpret, rejected, kLasting,
     "an operator that PyTorch runs for the candidate fails on the data",
     "The PyTorch operator fails on the data: call it as its documentation says, or not at all.", no_answer},
    {"worker_died", Stages(interpret) | run | timing, rejected, kTransient,
     "the process that ran the plan died, each time that it was tried", "Simplify the kernel.",
     ReasonFlags(any_size) | no_answer},

    // --- compile
    {"compile_failed", compile, rejected, kLasting, "the kernel does not become a cubin for the target",
     "Write a kernel that the target's compiler takes: simplify types and shapes."},
    {"out_of_resources", Stages(compile) | run, rejected, kLasting,
     "a kernel needs more registers, threads or shared memory than the target has",
     "Use smaller blocks, fewer stages, or more warps for one block: registers or shared memory ran out."},
    {"compile_timeout", compile, rejected, kTransient,
     "a kernel, or all kernels of the candidate together, take too long to compile",
     "Unroll less: smaller blocks, tl.range instead of tl.static_range; fewer kernels and configurations."},

    // --- correctness
    {"wrong_result", Stages(correctness) | run, rejected, kLasting,
     "outputs differ from the reference beyond the bound",
     "Compute what the task computes, in float32 where it does (accumulate in float32, "
     "input_precision='ieee' in tl.dot where TF32 is not exact enough), and use every weight."},
    {"uninitialised_output", Stages(correctness) | run, rejected, kLasting,
     "part of an output was never written",
     "Cover the whole output: the grid times the block must reach its last element."},
    {"nondeterministic", Stages(correctness) | run, rejected, kTransient,
     "outputs change between runs beyond the bound",
     "Make the answer independent of the order of programs and of what memory held before.",
     ReasonFlags(in_whole) | no_answer},
    {"input_mutated", Stages(correctness) | run, rejected, kLasting,
     "an input was changed that the reference leaves alone", "Write into a new tensor instead of an input.",
     any_size},
    {"kernel_without_effect", correctness, rejected, kLasting,
     "a launch on the output's path changes nothing when left out",
     "Drop the launch that changes nothing, and let your kernel do the work.", in_whole},
    {"autotune_config_wrong", Stages(correctness) | run, rejected, kLasting,
     "a configuration that autotune may choose gives wrong results",
     "Make every configuration right: masks must hold for each block size."},
    {"autotune_not_restored", correctness, rejected, kLasting,
     "Triton's autotuner, which runs every configuration on the program's own memory first, changes the "
     "answer of the first call: a tensor that a kernel adds to or changes in place is named neither in "
     "`reset_to_zero` nor in `restore_value`",
     "Name every tensor that the kernel adds to, or changes in place, in reset_to_zero or restore_value of "
     "triton.autotune, or give the kernel a copy in a hook."},
    {"stale_pipelined_load", correctness, rejected, kLasting,
     "a loop loads what it has stored a few rounds before, and the compiled kernel issues the load before "
     "that store (software pipelining, `num_stages`)",
     "Do not load in a pipelined loop (num_stages above 1) what the loop has stored before: carry it in "
     "registers, put tl.debug_barrier() into the loop, set num_stages=1, or start a second launch."},
    {"as_written_failed", correctness, rejected, kTransient,
     "the file, run as it is written on the GPU, fails where its plan did not",
     "Let the module do the same whenever it is built and called: no state of the process, no environment."},
    {"as_written_differs", correctness, rejected, kLasting,
     "the file, run as it is written on the GPU, gives another answer than its plan",
     "Let the module compute the same on a device as in its trace: nothing that depends on addresses, on "
     "time or on what other libraries do."},

    // --- run, timing
    {"gpu_illegal_address", Stages(run) | timing, rejected, kLasting,
     "on the GPU a kernel accessed memory outside of every tensor",
     "Keep every load and store inside its tensor, at the task's full size: mask the tails."},
    {"gpu_misaligned_address", Stages(run) | timing, rejected, kLasting,
     "on the GPU a kernel reached for an address that is no multiple of what it loads or stores",
     "Load and store at multiples of the type's size; hints of divisibility must hold for every argument."},
    {"gpu_timeout", Stages(run) | timing, rejected, kTransient,
     "the candidate's run, or its timed calls, do not end in time on the GPU",
     "Every loop must end, also at the task's full size, and no program may wait for ones not running."},
    {"gpu_fault", Stages(run) | timing, rejected, kTransient,
     "any other fault of the GPU while the candidate's kernels ran",
     "The kernel brings the GPU to a fault: simplify it, and look for what it does with addresses."},
    {"wrong_when_timed", timing, rejected, kTransient,
     "the outputs of a timed call are wrong, though the candidate's run was right",
     "Give the same answer in every call, whatever memory and caches held before, and wait for all of the "
     "work."},
    {"timing_implausible", timing, rejected, kTransient,
     "a call would have taken less time than the GPU needs to write the outputs",
     "The time cannot be true: write the whole output in every call."},

    // --- task
    {"task_error", task, unjudgeable, kTransient, "the task itself does not trace or run",
     "The task itself fails; nothing can be said about the candidate."},
    {"task_random", task, unjudgeable, kLasting, "the task's output is random (active dropout ...)",
     "The task draws random numbers; nothing can be compared."},
    {"task_degenerate", task, unjudgeable, kLasting,
     "the task accepts zeros, a constant, a copy of an input or another input's outputs",
     "The task accepts trivial answers; nothing is proven."},
    {"unsupported_operation", task, unjudgeable, kLasting,
     "the judge cannot execute an operation of the task",
     "The judge lacks an operation of the task; nothing can be said about the candidate."},

    // --- the machine
    {"machine_error", Stages(lint) | task | trace | policy | interpret | compile | correctness | run | timing,
     machine, kTransient,
     "this machine failed while the row was judged (memory, disk, a helper that does not start)",
     "The machine failed; nothing can be said about the candidate. Judge it again."},
    {"gpu_lost", Stages(run) | timing, machine, kTransient, "the GPU itself failed, or is not there any more",
     "The GPU failed; nothing can be said about the candidate. Look at nvidia-smi, and try again."},

    // --- never a verdict's
    {"masked_load", interpret, note, kLasting,
     "a warning: a masked load without `other` has values in the lanes that it leaves out",
     "Give the load an other=..., or mask what is made of the lanes that it leaves out."},
    {"equal_write", interpret, note, kLasting, "a warning: two programs write equal values to one address",
     "Let one program write each address, even where the values are equal."},
    {"broken_promise", interpret, note, kLasting,
     "a warning: a promise does not hold in lanes that count for nothing, as far as is known",
     "Make the promise true, or drop it."},
    {"scalar_without_barrier", interpret, note, kLasting,
     "a warning: a scalar that the program has stored is loaded again without a barrier between",
     "Put tl.debug_barrier() between the store and the load."},
    {"host_step", policy, note, kLasting, "a remark: a tolerated operator of PyTorch's", ""},
    {"deadline_exceeded", Stages(interpret) | run | timing, internal, kTransient,
     "a worker's request took too long", ""},
    {"no_device", run, internal, kTransient, "the process that runs a file as written finds no GPU", ""},
});

}  // namespace reason_table

std::span<const Reason> reasons() {
    return reason_table::kReasons;
}

const Reason* find_reason(std::string_view code) {
    static const auto by_code = [] {
        std::unordered_map<std::string_view, const Reason*> all;
        for (const Reason& reason : reasons()) all.emplace(reason.code, &reason);
        return all;
    }();
    const auto found = by_code.find(code);
    return found == by_code.end() ? nullptr : found->second;
}

bool has_flag(std::string_view code, ReasonFlag flag) {
    const Reason* reason = find_reason(code);
    return reason && reason->flags.has(flag);
}

std::string_view fix_of(std::string_view code) {
    const Reason* reason = find_reason(code);
    return reason ? reason->fix : "";
}

const char* name(Stage stage) {
    using enum Stage;
    switch (stage) {
        case batch:
            return "batch";
        case answer:
            return "answer";
        case lint:
            return "lint";
        case task:
            return "task";
        case trace:
            return "trace";
        case policy:
            return "policy";
        case interpret:
            return "interpret";
        case compile:
            return "compile";
        case correctness:
            return "correctness";
        case run:
            return "run";
        case timing:
            return "timing";
    }
    return "";
}

const char* name(ReasonClass kind) {
    using enum ReasonClass;
    switch (kind) {
        case rejected:
            return "rejected";
        case unjudgeable:
            return "unjudgeable";
        case machine:
            return "machine_error";
        case note:
            return "note";
        case internal:
            return "internal";
    }
    return "";
}

}  // namespace tritonsmith
