#include "graph/lift.h"

#include <fmt/format.h>

#include "graph/lift/lifter.h"
#include "graph/lift/rules.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::graph {
namespace {

/// The rule's name: without namespace, overload and the underscore of a write in place.
std::string rule_name(const std::string& op) {
    const plan::OpName name(op);
    std::string base(name.base);
    if (plan::in_place(op) && !base.ends_with("__")) base.pop_back();
    if (base.size() == 7 && base.starts_with("__i")) base.erase(2, 1);  // __iand__
    return base;
}

void lift_step(Lifter& lifter, const plan::AtenStep& step) {
    const Call call(step);
    const plan::OpClass kind = plan::op_class(step.op);
    if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) {
        if (kind == plan::OpClass::allocate)
            for (const plan::Tensor& made : call.results())
                if (!lifter.holds_something(made.buffer))  // whatever is in it: nobody may depend on it
                    lifter.write(made, lifter.constant(int64_t{0}, made.dtype, made.shape));
        for (const plan::Tensor& seen : call.results()) (void)lifter.read(seen);
        return;
    }
    if (step.draw >= 0) throw Unliftable{"it draws random numbers"};
    const auto rule = all_rules().find(rule_name(step.op));
    if (rule == all_rules().end()) throw Unliftable{"no rule for it"};
    const Results results = rule->second(lifter, call);
    for (size_t i = 0; i < std::min(results.size(), call.results().size()); ++i)
        if (results[i]) lifter.write(call.results()[i], *results[i]);
}

}  // namespace

std::string Refusal::text() const {
    return (line > 0 ? fmt::format("line {}: ", line) : "") + fmt::format("{} cannot be lifted: {}", op, why);
}

std::variant<Graph, Refusal> lift(const plan::Plan& plan, const Names& names) {
    std::string op = "the plan";
    int line = 0;
    try {
        Lifter lifter(plan, names);
        for (size_t i = 0; i < plan.steps.size(); ++i) {
            const plan::Step& step = plan.steps[i];
            if (step.phase != plan::Phase::forward || std::holds_alternative<plan::FreeStep>(step.what))
                continue;
            line = step.line;
            const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            op = aten ? aten->op : "a step";
            if (std::holds_alternative<plan::ReadStep>(step.what))
                throw Unliftable{"the host reads device values"};
            if (!aten) throw Unliftable{"it is no ATen operator"};
            lifter.at(static_cast<int>(i), line, op);
            lift_step(lifter, *aten);
        }
        op = "the output";
        line = 0;
        return lifter.finish();
    } catch (const Unliftable& refused) {
        return Refusal{op, refused.why, line};
    }
}

std::vector<std::string> lifted_operators() {
    std::vector<std::string> out;
    for (const auto& [name, rule] : all_rules()) out.push_back("aten::" + name);
    return out;
}

}  // namespace tritonsmith::graph
