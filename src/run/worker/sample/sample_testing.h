#pragma once

#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/tensor_position.h"
#include "run/worker/sample/buffers/memory.h"
#include "run/worker/sample/events.h"
#include "run/worker/sample/request.h"
#include "run/worker/sessions/session_testing.h"

/// Full-size plans of one kernel, out = x + y in tiles of 256, for tests of what is sampled of them.
namespace tritonsmith::run::sample::testing {

using run::testing::AddCandidate;
using run::testing::AddReference;
using run::testing::value;

constexpr int64_t kTile = 256, kTiles = 4096, kLarge = kTile * kTiles;
constexpr uint64_t kSeed = 7;

/// A candidate of `kLarge` elements. @param tiles that its launch has programs for
struct LargeCandidate : AddCandidate {
    explicit LargeCandidate(int64_t tiles = kTiles) : AddCandidate(0, tiles, kLarge, kLarge) {}

    /// An uninitialised tensor like the inputs.
    plan::Tensor scratch() {
        const plan::Tensor made = tensor({kLarge});
        forward("aten::empty_like", {value(x)}, value(made));
        return made;
    }
    /// to = a + b, of all tiles
    void add_all(const plan::Tensor& a, const plan::Tensor& b, const plan::Tensor& to) {
        add(a, b, to, kTiles, kLarge);
    }
};

/// The elements of a tensor from here on.
inline plan::Tensor from_element(plan::Tensor tensor, int64_t element) {
    tensor.offset += element;
    tensor.shape[0] -= element;
    return tensor;
}

/// The candidate's memory before its launches, and its steps.
struct Before {
    explicit Before(const plan::Plan& plan, std::vector<double> seconds = {}, bool with_events = true)
        : candidate(plan),
          reference(leaf_plan(AddReference(kLarge).plan)),
          leaves(reference, {kSeed, {}, false}),
          memory(reference, candidate, {}, leaves, kSeed, pages),
          kernels(candidate, programs),
          steps(plan::executed_steps(candidate)) {
        if (with_events) events.emplace(steps, std::vector<bool>{}, kernels, memory, seconds);
    }
    Before(const Before&) = delete;
    Before& operator=(const Before&) = delete;

    ttir::BufferBytes bytes_of(const plan::Tensor& tensor, int64_t element) {
        ttir::BufferBytes bytes;
        const int64_t at = (tensor.offset + element) * 4;
        bytes[memory.buffer(tensor.buffer)].add(at, at + 4);
        return bytes;
    }
    float element(const plan::Tensor& tensor, int64_t index) {
        ttir::Buffer& buffer = *memory.buffer(tensor.buffer);
        float out = 0;
        buffer.ensure((tensor.offset + index) * 4, 4);
        std::memcpy(&out, buffer.data() + (tensor.offset + index) * 4, 4);
        return out;
    }

    plan::Plan candidate, reference;
    Leaves leaves;
    PageCache pages;
    Memory memory;
    ProgramCache programs;
    Kernels kernels;
    std::vector<plan::Executed> steps;
    std::optional<Events> events;
};

/// What a worker answers for one run. @param elements of "output/0" that are asked for
inline SampleRunResult answer_for(const plan::Plan& plan, std::vector<int64_t> elements,
                                  int programs_per_launch = 16) {
    OwnedSampleRequest owned;
    owned.leaves = leaf_plan(AddReference(kLarge).plan);
    owned.plan = plan;
    owned.request.leaves = &owned.leaves;
    owned.request.leaves_id = "add";
    owned.request.plan = &owned.plan;
    owned.request.tensors = {{"output/0", true}};
    owned.request.threads = 1;
    SampleRun run;
    run.leaves.seed = kSeed;
    run.elements = {std::move(elements)};
    run.programs_per_launch = programs_per_launch;
    run.seconds = run.enough_seconds = run.completion_seconds = 60;  // never what decides here
    owned.request.runs = {run};
    ProgramCache programs;
    State state;
    return answer(owned, programs, state).runs.at(0);
}

/// Values of the elements that came back of "output/0".
inline std::map<int64_t, float> values_of(const SampleRunResult& result) {
    std::map<int64_t, float> out;
    for (const SampledElement& element : result.tensors.at(0).elements)
        out[element.index] = std::bit_cast<float>(static_cast<uint32_t>(element.bits));
    return out;
}

}  // namespace tritonsmith::run::sample::testing
