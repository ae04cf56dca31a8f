#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The Plan: what a traced program asks of its device, as inert data. It comes out of an untrusted process,
/// so nothing here is believed before `validate` (validate.h) has passed. JSON form: docs/plan.md.
namespace tritonsmith::plan {

enum class DType : uint8_t {
    f64,
    f32,
    f16,
    bf16,
    f8e4m3fn,
    f8e5m2,
    f8e4m3fnuz,
    f8e5m2fnuz,
    i64,
    i32,
    i16,
    i8,
    u64,
    u32,
    u16,
    u8,
    b1,
    c64,
    c128
};

/// A strided view of a buffer. shape, stride and offset count elements; 0-dimensional: empty shape.
struct Tensor {
    int buffer = -1;
    DType dtype = DType::f32;
    std::vector<int64_t> shape;
    std::vector<int64_t> stride;
    int64_t offset = 0;
};

struct Value;
using List = std::vector<Value>;

/// Arguments that are names: a dtype ("f32"), device ("cuda", "cpu"), layout ("strided"), memory format
/// ("contiguous").
struct Symbol {
    enum class Kind : uint8_t { dtype, device, layout, memory_format, generator };
    Kind kind;
    std::string text;
};
struct Sequence {
    List items;
    bool tuple = false;
};
struct Dict {
    std::vector<std::pair<std::string, Value>> items;
#if defined(__clang__) && __clang_major__ < 16
    ~Dict();  // these look for it inside of Value, where the vector cannot be destroyed yet
#endif
};
/// A bare device address: offset in bytes from the start of the buffer.
struct Pointer {
    int buffer = -1;
    int64_t offset = 0;
};
/// A host-made tensor descriptor (TMA): `base` is the described tensor, `block` the box, padding "zero" or
/// "nan".
struct Descriptor {
    Tensor base;
    std::vector<int64_t> block;
    std::string padding = "zero";
};

struct Value {
    std::variant<std::monostate, bool, int64_t, double, std::complex<double>, std::string, Tensor, Symbol,
                 Sequence, Dict, Pointer, Descriptor>
        v;
};
#if defined(__clang__) && __clang_major__ < 16
inline Dict::~Dict() = default;
#endif

/// input: filled by whoever runs the plan. constant: bytes are in the plan. allocation: made by a step.
enum class BufferKind : uint8_t { input, constant, allocation };
struct Buffer {
    int id = -1;
    BufferKind kind = BufferKind::allocation;
    int64_t bytes = 0;
    uint64_t address = 0;       ///< the invented address that the traced program saw (alignment is a promise)
    std::vector<uint8_t> data;  ///< constant only; size() == bytes
    int line = 0;
};

struct Kernel {
    std::string name;
    std::string ttir;                      ///< Triton's own text, one public function
    std::map<std::string, Value> options;  ///< num_warps, num_ctas, num_stages, maxnreg, enable_fp_fusion ...
    int line = 0;                          ///< of the kernel's definition
};

/// Where in a program's life a step happens: making inputs, building the module, or the call itself.
enum class Phase : uint8_t { inputs, init, forward };

struct AtenStep {
    std::string op;  ///< qualified name with overload: "aten::add.Tensor", "aten::relu"
    List args;       ///< positional, in schema order
    std::vector<std::pair<std::string, Value>> kwargs;
    Value result;   ///< Tensor, Sequence of them, or nothing
    int draw = -1;  ///< ordinal among the random draws of its phase; -1 where the operator draws nothing
};
struct LaunchStep {
    int kernel = -1;  ///< index into Plan::kernels
    std::array<int64_t, 3> grid{1, 1, 1};
    List args;  ///< one for each parameter of the TTIR function, in order (descriptors expanded there)
};
struct Step;
/// Autotune: every configuration that the tuner would try, with the steps it launches. Any one of them may
/// run.
struct Alternative {
    std::string config;
    std::vector<Step> steps;
};
struct ChoiceStep {
    std::vector<Alternative> alternatives;
    /// What the tuner does to memory before it has chosen, where this call is the first: each configuration
    /// once, between its hooks. No part of the program's work; it only must not change the answer
    /// (benchmarked.h).
    std::vector<Step> benchmark = {};
};
struct FreeStep {
    int buffer = -1;
};
/// The program read device values on the host; `values` are what it got (docs/plan.md, host reads).
struct ReadStep {
    Tensor tensor;
    std::vector<int64_t> values;
};

struct Step {
    std::variant<AtenStep, LaunchStep, ChoiceStep, FreeStep, ReadStep> what;
    Phase phase = Phase::forward;
    int line = 0;  ///< of the traced program's own source, 0 where none is on the stack
    /// Of forward steps: the stream that it runs on, in the order in which the call meets them, and of each
    /// stream how many steps have ended before it begins. Steps but `free` count; those of a choice as one;
    /// of stream 0 the caller's work before the call is the first. Empty: none of other streams.
    int stream = 0;
    std::vector<int64_t> behind = {};
};

/// An entry of the module's state (parameters and buffers).
struct Weight {
    std::string name;  ///< qualified, as in state_dict: "linear.weight"
    Tensor tensor;
    bool parameter = false;  ///< nn.Parameter (else a module buffer)
    bool persistent = true;  ///< of the state dict
};

struct Plan {
    int version = 1;
    std::string role;             ///< "reference", "candidate" or "script"
    std::string device;           ///< "cuda" (the device that computes nothing) or "cpu"
    std::string target;           ///< "sm_90"
    std::vector<Buffer> buffers;  ///< ids are indices
    std::vector<Kernel> kernels;
    std::vector<Step> steps;
    std::vector<Weight> weights;
    List inputs;       ///< positional arguments of the call; tensors or plain values
    List init_inputs;  ///< reference only: arguments of the constructor
    std::map<std::string, int64_t>
        constants;  ///< reference only: integers of its text ("N", "shape[1]", "get_inputs#0"; docs/plan.md)
    Value output;   ///< tree of tensors and plain values
    /// More than one: host code asked which configuration autotuning chose, so that this plan holds for one
    /// of so many only (trace::Request::configuration).
    int configurations = 0;
    /// Calls of the module behind the first whose steps are not those of the first: this plan is of the first
    /// only (trace::Request::call). Those that differ from each other.
    std::vector<int64_t> later_calls;
    /// Called with half a batch behind its first call, the module does what it did for the whole one, or
    /// gives outputs of other shapes than a new module does (candidates; the tracer's kept_size.py).
    bool keeps_size = false;
    /// Of each stream how many steps have ended for the caller when the call returns; empty: there is one
    /// stream.
    std::vector<int64_t> ends_behind;
    std::vector<std::string> warnings;
};

}  // namespace tritonsmith::plan
