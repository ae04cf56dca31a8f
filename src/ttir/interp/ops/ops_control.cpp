// scf.*, cf.*, tt.call, tt.return: jumps in the flat code.
#include <cstring>

#include "ttir/interp/lower/exec_builder.h"

namespace tritonsmith::ttir {
namespace {

struct JumpStep : Step {
    int target = 0;
    void run(Context& ctx) const override {
        ctx.pc = target;
        ctx.spend(1);
    }
};

struct BranchStep : Step {
    int64_t condition = 0;
    int otherwise = 0;  ///< where it goes if the condition is false
    void run(Context& ctx) const override {
        if (ctx.ref<uint8_t>(condition) == 0) ctx.pc = otherwise;
        ctx.spend(1);
    }
};

struct SwitchStep : Step {
    int64_t value = 0;
    int size = 4;
    std::vector<int64_t> cases;
    std::vector<int> targets;  ///< default first
    void run(Context& ctx) const override {
        const int64_t v = size == 8   ? ctx.ref<int64_t>(value)
                          : size == 4 ? ctx.ref<int32_t>(value)
                          : size == 2 ? ctx.ref<int16_t>(value)
                                      : ctx.ref<int8_t>(value);
        int target = targets[0];
        for (size_t i = 0; i < cases.size(); ++i)
            if (cases[i] == v) target = targets[i + 1];
        ctx.pc = target;
        ctx.spend(1);
    }
};

int64_t read_int(Context& ctx, int64_t slot, int size, bool is_unsigned) {
    switch (size) {
        case 1:
            return is_unsigned ? ctx.ref<uint8_t>(slot) : ctx.ref<int8_t>(slot);
        case 2:
            return is_unsigned ? ctx.ref<uint16_t>(slot) : ctx.ref<int16_t>(slot);
        case 4:
            return is_unsigned ? static_cast<int64_t>(ctx.ref<uint32_t>(slot)) : ctx.ref<int32_t>(slot);
        default:
            return ctx.ref<int64_t>(slot);
    }
}

/// A loop's own counter (64 bits, so that it cannot wrap) and the number of iterations left.
struct ForInitStep : Step {
    int64_t lower = 0, upper = 0, step = 0, counter = 0;
    int size = 4;
    bool is_unsigned = false;
    void run(Context& ctx) const override {
        const int64_t lo = read_int(ctx, lower, size, is_unsigned),
                      hi = read_int(ctx, upper, size, is_unsigned);
        const int64_t by = read_int(ctx, step, size, is_unsigned);
        const bool runs =
            is_unsigned && size == 8 ? static_cast<uint64_t>(lo) < static_cast<uint64_t>(hi) : lo < hi;
        if (by <= 0 && runs)
            return ctx.find(*this, "interpret_timeout",
                            "a loop whose step is " + std::to_string(by) + " does not end", {}, true);
        const uint64_t distance = runs ? static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo) : 0;
        auto* state = reinterpret_cast<uint64_t*>(ctx.at(counter));
        state[0] = static_cast<uint64_t>(lo);
        state[1] = distance == 0 ? 0 : (distance - 1) / static_cast<uint64_t>(by) + 1;
        state[2] = static_cast<uint64_t>(by);
    }
};
struct ForHeadStep : Step {
    int64_t counter = 0, induction = 0;
    int size = 4, exit = 0;
    void run(Context& ctx) const override {
        auto* state = reinterpret_cast<uint64_t*>(ctx.at(counter));
        if (state[1] == 0) {
            ctx.pc = exit;
            return;
        }
        std::memcpy(ctx.at(induction), &state[0], static_cast<size_t>(size));  // little endian
        state[0] += state[2];
        --state[1];
        ctx.spend(1);
    }
};

/// Counts the rounds of a loop that the compiled kernel pipelines.
struct RoundStep : Step {
    std::vector<int> begun, counted;
    void run(Context& ctx) const override {
        if (!ctx.issues) ctx.issues = std::make_shared<IssueLog>();
        for (int loop : begun) ctx.issues->enter(loop);
        for (int loop : counted) ctx.issues->next_round(loop);
    }
};

struct CallStep : Step {
    int target = 0;
    void run(Context& ctx) const override {
        ctx.returns.push_back(ctx.pc);
        ctx.pc = target;
    }
};
struct ReturnStep : Step {
    void run(Context& ctx) const override {
        if (ctx.returns.empty()) {
            ctx.finished = ctx.stop = true;
            return;
        }
        ctx.pc = ctx.returns.back();
        ctx.returns.pop_back();
    }
};

void emit_for(Builder& b, const Operation& op) {
    const Block& body = op.regions[0].blocks[0];
    const Operation& yield = body.operations.back();
    std::vector<Builder::Transfer> init, next;
    for (size_t i = 0; i < op.results.size(); ++i) {
        const ValueId result = op.results[i];
        const std::vector<ValueId> there = {result, body.arguments[i + 1]};
        init.push_back({op.operands[i + 3], b.slot(result), &b.layout(result), there});
        next.push_back({yield.operands[i], b.slot(result), &b.layout(result), there});
    }
    ForInitStep start;
    start.lower = b.slot(op.operands[0]);
    start.upper = b.slot(op.operands[1]);
    start.step = b.slot(op.operands[2]);
    start.counter = b.temporary(24);
    start.size = element_size(b.layout(op.operands[0]).elem);
    start.is_unsigned = op.attributes.count("unsignedCmp") != 0;
    ForHeadStep head;
    head.counter = start.counter;
    head.size = start.size;
    head.induction = b.temporary(b.layout(body.arguments[0]).lanes ? 4096 : 8);
    b.place(body.arguments[0], head.induction);
    b.emit(op, start);
    b.emit_transfers(op, init);
    for (size_t i = 0; i < op.results.size(); ++i) {
        b.share(body.arguments[i + 1], op.results[i]);
        b.prefer(yield.operands[i], op.results[i]);
    }
    const Builder::CompiledLoops& compiled = b.compiled_loops(op);
    RoundStep begin, next_round;
    begin.begun = compiled.begun;
    next_round.counted = compiled.counted;
    if (!compiled.begun.empty()) b.emit(op, begin);
    const int top = b.pc();
    ForHeadStep& at_head = b.emit(op, head);
    if (!compiled.counted.empty()) b.emit(op, next_round);
    b.emit_region(op.regions[0], [&](const Operation& terminator) {
        b.emit_transfers(terminator, next);
        JumpStep back;
        back.target = top;
        b.emit(terminator, back);
    });
    at_head.exit = b.pc();
}

void emit_while(Builder& b, const Operation& op) {
    const Block& before = op.regions[0].blocks[0];
    const Block& after = op.regions[1].blocks[0];
    for (ValueId r : op.results) b.slot(r);
    std::vector<Builder::Transfer> init, again;
    const Operation& yield = after.operations.back();
    for (size_t i = 0; i < before.arguments.size(); ++i) {
        const ValueId arg = before.arguments[i];
        b.place(arg, b.temporary(b.bytes(arg)));
        init.push_back({op.operands[i], b.slot(arg), &b.layout(arg), {arg}});
        again.push_back({yield.operands[i], b.slot(arg), &b.layout(arg), {arg}});
    }
    for (ValueId arg : after.arguments) b.place(arg, b.temporary(b.bytes(arg)));
    b.emit_transfers(op, init);
    const int top = b.pc();
    JumpStep* done = nullptr;
    b.emit_region(op.regions[0], [&](const Operation& condition) {
        BranchStep branch;
        branch.condition = b.slot(condition.operands[0]);
        BranchStep& leave = b.emit(condition, branch);
        std::vector<Builder::Transfer> into, out;
        for (size_t i = 0; i < after.arguments.size(); ++i) {
            const ValueId from = condition.operands[i + 1], arg = after.arguments[i], result = op.results[i];
            into.push_back({from, b.slot(arg), &b.layout(arg), {arg}});
            out.push_back({from, b.slot(result), &b.layout(result), {result}});
        }
        b.emit_transfers(condition, into);
        JumpStep& over = b.emit(condition, JumpStep{});
        leave.otherwise = b.pc();
        b.emit_transfers(condition, out);
        done = &b.emit(condition, JumpStep{});
        over.target = b.pc();
    });
    b.emit_region(op.regions[1], [&](const Operation& terminator) {
        b.emit_transfers(terminator, again);
        JumpStep back;
        back.target = top;
        b.emit(terminator, back);
    });
    done->target = b.pc();
}

/// Regions of which one runs and yields the results.
void emit_choice_region(Builder& b, const Operation& op, const Region& region, std::vector<JumpStep*>& ends) {
    b.emit_region(region, [&](const Operation& terminator) {
        std::vector<Builder::Transfer> out;
        for (size_t i = 0; i < op.results.size(); ++i)
            out.push_back(
                {terminator.operands[i], b.slot(op.results[i]), &b.layout(op.results[i]), {op.results[i]}});
        b.emit_transfers(terminator, out);
        ends.push_back(&b.emit(terminator, JumpStep{}));
    });
}

void emit_if(Builder& b, const Operation& op) {
    for (ValueId r : op.results) b.slot(r);
    BranchStep branch;
    branch.condition = b.slot(op.operands[0]);
    BranchStep& at = b.emit(op, branch);
    std::vector<JumpStep*> ends;
    emit_choice_region(b, op, op.regions[0], ends);
    at.otherwise = b.pc();
    if (op.regions.size() > 1 && !op.regions[1].blocks.empty())
        emit_choice_region(b, op, op.regions[1], ends);
    for (JumpStep* end : ends) end->target = b.pc();
}

void emit_execute_region(Builder& b, const Operation& op) {
    for (ValueId r : op.results) b.slot(r);
    std::vector<JumpStep*> ends;
    emit_choice_region(b, op, op.regions[0], ends);
    for (JumpStep* end : ends) end->target = b.pc();
}

void emit_index_switch(Builder& b, const Operation& op) {
    for (ValueId r : op.results) b.slot(r);
    SwitchStep step;
    step.value = b.slot(op.operands[0]);
    step.size = 8;
    step.cases = array_attribute(op, "cases");
    SwitchStep& at = b.emit(op, step);
    std::vector<JumpStep*> ends;
    for (const Region& region : op.regions) {
        at.targets.push_back(b.pc());
        emit_choice_region(b, op, region, ends);
    }
    for (JumpStep* end : ends) end->target = b.pc();
}

void emit_yield(Builder& b, const Operation& op) {
    b.call_finish(op);
}

void emit_branch_to(Builder& b, const Operation& op, const Successor& successor) {
    const Block& block = b.targets().region->blocks[static_cast<size_t>(successor.block)];
    std::vector<Builder::Transfer> moves;
    for (size_t i = 0; i < successor.arguments.size(); ++i)
        moves.push_back({successor.arguments[i],
                         b.slot(block.arguments[i]),
                         &b.layout(block.arguments[i]),
                         {block.arguments[i]}});
    b.emit_transfers(op, moves);
    JumpStep& jump = b.emit(op, JumpStep{});
    b.targets().waiting.emplace_back(&jump.target, successor.block);
}

void emit_br(Builder& b, const Operation& op) {
    emit_branch_to(b, op, op.successors[0]);
}

void emit_cond_br(Builder& b, const Operation& op) {
    BranchStep branch;
    branch.condition = b.slot(op.operands[0]);
    BranchStep& at = b.emit(op, branch);
    emit_branch_to(b, op, op.successors[0]);
    at.otherwise = b.pc();
    emit_branch_to(b, op, op.successors[1]);
}

void emit_cf_switch(Builder& b, const Operation& op) {
    SwitchStep step;
    step.value = b.slot(op.operands[0]);
    step.size = element_size(b.layout(op.operands[0]).elem);
    const auto it = op.attributes.find("case_values");
    if (it != op.attributes.end())
        if (const auto* dense = std::get_if<Dense>(&it->second.v))
            for (size_t i = 0; i + 1 < op.successors.size(); ++i) {
                const uint64_t bits = dense->bits[dense->bits.size() == 1 ? 0 : i];
                const int shift = 64 - 8 * step.size;
                step.cases.push_back(static_cast<int64_t>(bits << shift) >> shift);
            }
    SwitchStep& at = b.emit(op, step);
    for (const Successor& s : op.successors) {
        at.targets.push_back(b.pc());
        emit_branch_to(b, op, s);
    }
}

void emit_call(Builder& b, const Operation& op) {
    const Builder::Frame& frame = b.frame(string_attribute(op, "callee"));
    if (frame.entry < 0) return b.emit_unsupported(op, "a call of an unknown function");
    std::vector<Builder::Transfer> arguments;
    for (size_t i = 0; i < op.operands.size(); ++i)
        arguments.push_back({op.operands[i], frame.parameters[i], &frame.parameter_layouts[i], {}});
    b.emit_transfers(op, arguments);
    CallStep call;
    call.target = frame.entry;
    b.emit(op, call);
    for (size_t i = 0; i < op.results.size(); ++i)
        b.emit_copy(op, frame.results[i], op.results[i], frame.result_layouts[i]);
}

void emit_return(Builder& b, const Operation& op) {
    const Builder::Frame& frame = b.frame(b.function().name);
    std::vector<Builder::Transfer> results;
    for (size_t i = 0; i < op.operands.size(); ++i)
        results.push_back({op.operands[i], frame.results[i], &frame.result_layouts[i], {}});
    b.emit_transfers(op, results);
    b.emit(op, ReturnStep{});
}

}  // namespace

void add_control_emitters(Emitters& t) {
    t["scf.for"] = emit_for;
    t["scf.while"] = emit_while;
    t["scf.if"] = emit_if;
    t["scf.execute_region"] = emit_execute_region;
    t["scf.index_switch"] = emit_index_switch;
    for (const char* name :
         {"scf.yield", "scf.condition", "tt.reduce.return", "tt.scan.return", "tt.map_elementwise.return"})
        t[name] = emit_yield;
    t["cf.br"] = emit_br;
    t["cf.cond_br"] = emit_cond_br;
    t["cf.switch"] = emit_cf_switch;
    t["tt.call"] = emit_call;
    t["tt.return"] = emit_return;
}

}  // namespace tritonsmith::ttir
