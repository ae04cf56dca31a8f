#pragma once

#include <ATen/TensorOperators.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plan/transform/promote.h"
#include "run/plan_builder_testing.h"
#include "run/worker/exec/executor.h"
#include "run/worker/memory/host_memory.h"
#include "run/worker/oracle/oracle.h"

/// References written by hand and their promoted runs, for tests only.
namespace tritonsmith::run::testing {

struct OracleBench : PlanBuilder {
    /// An input, drawn at random.
    plan::Tensor drawn(std::vector<int64_t> shape, plan::DType dtype = plan::DType::f32,
                       const std::string& law = "aten::randn") {
        plan::Tensor made = tensor(shape, dtype);
        aten(plan::Phase::inputs, law, {integers(shape)}, value(made), draws++);
        plan.inputs.push_back(value(made));
        return made;
    }
    /// The result of a forward step.
    plan::Tensor result(const std::string& op, plan::List args, std::vector<int64_t> shape,
                        plan::DType dtype = plan::DType::f32) {
        plan::Tensor made = tensor(std::move(shape), dtype);
        forward(op, std::move(args), value(made));
        return made;
    }
    /// `executed` (the promoted plan or its magnitudes) on the inputs of `seed`: its first output.
    at::Tensor run(const plan::Plan& executed, bool magnitudes,
                   const std::function<void(Executor&)>& attach = {}, uint64_t seed = 5) const {
        ExecutorOptions options;
        options.seed = seed;
        constexpr int64_t limit = int64_t{1} << 30;
        Executor native(plan, options, std::make_unique<HostMemory>(plan, limit, 1));
        native.run_setup();
        const ForwardState state(plan, native.memory());
        Executor oracle(executed, options, std::make_unique<HostMemory>(executed, limit, 1));
        state.load(executed, oracle.memory(), magnitudes);
        if (attach) attach(oracle);
        oracle.run_forward();
        return oracle.memory().view(plan::tensors_in(executed.output).at(0)).clone();
    }
    plan::Plan promoted() const {
        std::vector<std::string> rounding;
        return plan::promote(plan, rounding);
    }

    int draws = 0;
};

}  // namespace tritonsmith::run::testing
