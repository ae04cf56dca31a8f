#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "plan/ir/plan.h"

/// Dataflow of single steps in bytes of buffers. All of it expects a plan that passed validate().
namespace tritonsmith::plan {

/// Bytes [begin, end) of a buffer. A strided view is its hull; `covers` where the view holds every byte of
/// it.
struct ByteRange {
    int buffer = -1;
    int64_t begin = 0, end = 0;
    bool covers = false;
    bool empty() const { return begin >= end; }
};
ByteRange byte_range(const Tensor& tensor);
bool overlap(const ByteRange& a, const ByteRange& b);
int64_t element_count(const Tensor& tensor);
int64_t byte_count(const Tensor& tensor);
/// The buffer that an argument of a launch points into; -1: it is a number.
int buffer_of(const Value& value);

/// What a kernel does through one parameter; where nothing is known, both.
struct ParameterEffect {
    bool reads = true, writes = true;
    bool only_adds = false;  ///< it changes memory by atomics that add, and in no other way
    bool reads_early = true, writes_early = true;  ///< before it has waited for earlier launches
};
/// One entry for each of Plan::kernels, one effect for each parameter; an empty entry (or vector) is unknown.
using KernelEffects = std::vector<std::vector<ParameterEffect>>;
/// Nothing where it is unknown.
std::optional<ParameterEffect> effect_of(const LaunchStep& step, size_t argument,
                                         const KernelEffects& effects);

/// What a step reads and writes. A write with `covers` replaces every byte of its range; others may leave old
/// bytes.
struct Flow {
    std::vector<ByteRange> reads, writes;
};
Flow flow_of(const AtenStep& step);
/// Whether a batch norm takes its means from the batch, and updates its running statistics: its first flag.
bool in_training(const AtenStep& batch_norm);
/// A launch may touch the whole buffer behind each pointer, and never surely replaces it.
Flow flow_of(const Plan& plan, const LaunchStep& step, const KernelEffects& effects);

/// Of any step; empty for those that move nothing.
Flow flow_of(const Plan& plan, const Step& step, const KernelEffects& effects);

/// The steps that run, with the index of the step of plan.steps they are or are in. @param taken the
/// alternative at each choice; the first one where it names none
struct Executed {
    const Step* step;
    int index;
};
std::vector<Executed> executed_steps(const Plan& plan, const std::vector<int>& taken = {});

/// Buffers that are no inputs, are there when a call begins, and that it writes: what it leaves for the next
/// one. Ascending.
std::vector<int> carried_buffers(const Plan& plan, const KernelEffects& effects,
                                 const std::vector<int>& taken = {});

/// Inputs that no draw takes part in (masks of ones, states of zeros, lengths) and that host code does not
/// read: their ordinals.
std::vector<size_t> constant_inputs(const Plan& plan);

/// Buffers that a call writes: its forward steps, and those of the setup from index `timed_from` on.
std::set<int> written_buffers(const Plan& plan, const KernelEffects& effects,
                              const std::vector<int>& taken = {}, size_t timed_from = SIZE_MAX);

}  // namespace tritonsmith::plan
