#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "run/client/device_client.h"
#include "run/plan_builder_testing.h"

/// Plans and shorthands for tests of sessions, on whatever device.
namespace tritonsmith::run::testing {

constexpr int64_t kElements = 1000;

inline std::string kernel_text(const std::string& name) {
    const std::string path = std::string(TRITONSMITH_SOURCE_DIR) + "/src/run/testdata/" + name + "_sm90.ttir";
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// out = x + y, of two uniform draws.
struct AddReference : PlanBuilder {
    plan::Tensor x, y, out;

    explicit AddReference(int64_t elements = kElements)
        : x(tensor({elements})), y(tensor({elements})), out(tensor({elements})) {
        aten(plan::Phase::inputs, "aten::rand", {integers({elements})}, value(x), 0);
        aten(plan::Phase::inputs, "aten::rand", {integers({elements})}, value(y), 1);
        plan.inputs = {value(x), value(y)};
        forward("aten::add.Tensor", {value(x), value(y)}, value(out));
        plan.output = value(out);
    }
};

/// The same, and a histogram whose range the host finds out: no graph can hold that.
struct Waiting : AddReference {
    Waiting() {
        const plan::Tensor counts = tensor({10});
        forward("aten::histc", {value(out), {int64_t{10}}, {0.0}, {0.0}}, value(counts));
    }
};

/// The same by kernel 0, 256 elements a program. @param state further tensors of zeros, made with the module
struct AddCandidate : PlanBuilder {
    plan::Tensor x, y, out;
    std::vector<plan::Tensor> state;

    /// @param n the kernel's bound
    explicit AddCandidate(int states = 0, int64_t programs = 4, int64_t n = kElements,
                          int64_t elements = kElements)
        : PlanBuilder("candidate", "cuda") {
        x = tensor({elements}, plan::DType::f32, plan::BufferKind::input);
        y = tensor({elements}, plan::DType::f32, plan::BufferKind::input);
        out = tensor({elements});
        kernel("add");
        plan.inputs = {value(x), value(y)};
        for (int i = 0; i < states; ++i) {
            state.push_back(tensor({elements}));
            aten(plan::Phase::init, "aten::zeros", {integers({elements})}, value(state.back()));
        }
        forward("aten::empty_like", {value(x)}, value(out));
        add(x, y, out, programs, n);
        plan.output = value(out);
    }
    /// to = a + b
    void add(const plan::Tensor& a, const plan::Tensor& b, const plan::Tensor& to, int64_t programs = 4,
             int64_t n = kElements) {
        launch(0, {programs, 1, 1}, {value(a), value(b), value(to), {n}});
    }
    /// One more of the plan's kernels. @returns its ordinal
    int kernel(const std::string& name) {
        plan.kernels.push_back({name + "_kernel", kernel_text(name), {{"num_warps", {int64_t{4}}}}, 3});
        return static_cast<int>(plan.kernels.size()) - 1;
    }
};

/// Right once: what a call adds to its state spoils the next.
struct Forgetful : AddCandidate {
    Forgetful() : AddCandidate(1) {
        const plan::Tensor sum = tensor({kElements});
        forward("aten::empty_like", {value(x)}, value(sum));
        add(out, state[0], sum);
        add(state[0], x, state[0]);
        plan.output = value(sum);
    }
};

/// @throws std::runtime_error with the worker's reason and message
template <class T>
T good(Answer<T> answer) {
    if (auto* error = std::get_if<WorkerError>(&answer))
        throw std::runtime_error(error->reason + ": " + error->message);
    return std::move(std::get<T>(answer));
}
/// The worker's reason, or "none".
template <class T>
std::string reason_of(const Answer<T>& answer) {
    const auto* error = std::get_if<WorkerError>(&answer);
    return error ? error->reason : "none";
}

inline DeviceSet drawn(uint64_t seed, const Variant& variant = {}) {
    DeviceSet set;
    set.seed = seed;
    set.variant = variant;
    return set;
}
inline OpenedReference open_reference(DeviceWorker& worker, const plan::Plan& plan,
                                      std::vector<DeviceSet> sets = {drawn(1), drawn(2)},
                                      int64_t budget = int64_t{8} << 30) {
    OpenReference request;
    request.plan = &plan;
    request.sets = std::move(sets);
    request.budget_bytes = budget;
    return good(worker.open(request));
}
inline Answer<int> try_candidate(DeviceWorker& worker, const plan::Plan& plan,
                                 const DeviceKernels& kernels = {},
                                 std::map<std::string, std::string> links = {}) {
    OpenCandidate request;
    request.plan = &plan;
    request.kernels = &kernels;
    request.links = std::move(links);
    return worker.open(request);
}
inline int open_candidate(DeviceWorker& worker, const plan::Plan& plan, const DeviceKernels& kernels = {},
                          std::map<std::string, std::string> links = {}) {
    return good(try_candidate(worker, plan, kernels, std::move(links)));
}

/// Elements out of bound in all outputs together; all of an output that is missing count as one.
inline int64_t wrong_elements(const ComparedAnswer& answer) {
    auto wrong = static_cast<int64_t>(answer.missing.size());
    for (const ComparedOutput& output : answer.outputs)
        if (!output.mismatch.is_null()) wrong += output.mismatch.at("out_of_bound").get<int64_t>();
    return wrong;
}

/// The workers that are this process's children, ascending.
inline std::vector<pid_t> workers() {
    std::vector<pid_t> out;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        std::getline(file, stat);
        if (stat.find("(tritonsmith-") == std::string::npos) continue;
        std::istringstream fields(stat.substr(stat.rfind(')') + 2));
        char state;
        pid_t parent = 0;
        fields >> state >> parent;
        if (parent == ::getpid()) out.push_back(std::stoi(entry.path().filename()));
    }
    std::sort(out.begin(), out.end());
    return out;
}
/// Those that were not there yet.
inline std::vector<pid_t> since(const std::vector<pid_t>& others) {
    const std::vector<pid_t> all = workers();
    std::vector<pid_t> out;
    std::set_difference(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(out));
    return out;
}

}  // namespace tritonsmith::run::testing
