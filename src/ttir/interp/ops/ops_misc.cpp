// Program ids, prints, assertions, promises, pointers as integers.
#include <cmath>
#include <cstring>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_launch.h"

namespace tritonsmith::ttir {
namespace {

struct ProgramIdStep : Step {
    int64_t out = 0;
    int axis = 0;
    bool count = false;
    void run(Context& ctx) const override {
        const auto a = static_cast<size_t>(axis);
        ctx.ref<int32_t>(out) = static_cast<int32_t>(count ? ctx.launch->grid[a] : ctx.id[a]);
    }
};

struct AssertStep : Step {
    int64_t condition = 0, count = 1;
    std::string message;
    void run(Context& ctx) const override {
        const auto* c = reinterpret_cast<const uint8_t*>(ctx.at(condition));
        for (int64_t i = 0; i < count; ++i)
            if (c[i] == 0)
                return ctx.find(*this, "device_assert", "device_assert failed: " + message, {{"lane", i}},
                                true);
        ctx.spend(count);
    }
};

struct AssumeStep : Step {
    int64_t condition = 0;
    void run(Context& ctx) const override {
        if (ctx.launch->options->checks && ctx.ref<uint8_t>(condition) == 0)
            ctx.find(*this, "false_promise", "tl.assume does not hold", Json::object());
    }
};

struct NothingStep : Step {
    void run(Context&) const override {}
};

struct PrintStep : Step {
    struct Value {
        Operand operand;
        int64_t count = 1;
        bool is_signed = true, is_pointer = false;
    };
    std::string prefix;
    bool hex = false;
    std::vector<Value> values;

    void run(Context& ctx) const override {
        std::string text = "pid (" + std::to_string(ctx.id[0]) + ", " + std::to_string(ctx.id[1]) + ", " +
                           std::to_string(ctx.id[2]) + ")" + prefix;
        for (const Value& v : values) {
            const std::byte* p = v.operand.get(ctx);
            for (int64_t i = 0; i < std::min<int64_t>(v.count, 8); ++i) text += " " + one(v, p, i);
            if (v.count > 8) text += " … (" + std::to_string(v.count) + " values)";
        }
        std::lock_guard lock(ctx.launch->mutex);
        if (ctx.launch->prints.size() < 100) ctx.launch->prints.push_back(std::move(text));
    }
    std::string one(const Value& v, const std::byte* p, int64_t i) const {
        const Scalar type = v.operand.elem;
        const int size = element_size(type);
        const std::byte* at = p + i * size;
        char buffer[64];
        if (is_float(type)) {
            double d = 0;
            if (type == Scalar::f64) {
                std::memcpy(&d, at, 8);
            } else if (type == Scalar::f32) {
                float f = 0;
                std::memcpy(&f, at, 4);
                d = static_cast<double>(f);
            } else {
                float f = 0;
                const std::byte* in[1] = {at};
                find_kernel("to_f32", type)(reinterpret_cast<std::byte*>(&f), in, 1);
                d = static_cast<double>(f);
            }
            std::snprintf(buffer, sizeof buffer, "%.9g", d);
            return buffer;
        }
        uint64_t bits = 0;
        std::memcpy(&bits, at, static_cast<size_t>(size));
        if (hex || v.is_pointer)
            std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(bits));
        else if (v.is_signed && type != Scalar::i1)
            std::snprintf(
                buffer, sizeof buffer, "%lld",
                static_cast<long long>(static_cast<int64_t>(bits << (64 - 8 * size)) >> (64 - 8 * size)));
        else
            std::snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(bits));
        return buffer;
    }
};

struct PointerToIntStep : Step {
    Operand in;
    int64_t out = 0, count = 1;
    void run(Context& ctx) const override {
        const auto* p = in.as<uint64_t>(ctx);
        auto* o = reinterpret_cast<uint64_t*>(ctx.at(out));
        for (int64_t i = 0; i < count; ++i) o[i] = ctx.launch->address(p[i]);
        ctx.spend(count);
    }
};
struct IntToPointerStep : Step {
    Operand in;
    int64_t out = 0, count = 1;
    void run(Context& ctx) const override {
        if (!ctx.launch->options->allow_int_to_ptr)
            return ctx.find(*this, "int_to_ptr", "an integer is used as a pointer", Json::object(), true);
        const auto* p = in.as<uint64_t>(ctx);
        auto* o = reinterpret_cast<uint64_t*>(ctx.at(out));
        for (int64_t i = 0; i < count; ++i) o[i] = ctx.launch->resolve(p[i]);
        ctx.spend(count);
    }
};

int axis_of(const Operation& op) {
    const std::string axis = enum_attribute(op, "axis", "x");
    return axis == "y" ? 1 : axis == "z" ? 2 : 0;
}

void emit_program_id(Builder& b, const Operation& op) {
    ProgramIdStep step;
    step.axis = axis_of(op);
    step.count = op.name == "tt.get_num_programs";
    step.out = b.slot(op.results[0]);
    b.emit(op, step);
}

void emit_assert(Builder& b, const Operation& op) {
    AssertStep step;
    step.condition = b.slot(op.operands[0]);
    step.count = b.layout(op.operands[0]).count();
    step.message = string_attribute(op, op.name == "cf.assert" ? "msg" : "message");
    b.emit(op, std::move(step));
}

void emit_assume(Builder& b, const Operation& op) {
    AssumeStep step;
    step.condition = b.slot(op.operands[0]);
    b.emit(op, step);
}

void emit_print(Builder& b, const Operation& op) {
    PrintStep step;
    step.prefix = string_attribute(op, "prefix");
    step.hex = bool_attribute(op, "hex");
    const auto is_signed = array_attribute(op, "isSigned");
    for (size_t i = 0; i < op.operands.size(); ++i) {
        PrintStep::Value v;
        v.operand = b.full_operand(op.operands[i]);
        v.count = b.type(op.operands[i]).count();
        v.is_signed = i >= is_signed.size() || is_signed[i] != 0;
        v.is_pointer = b.type(op.operands[i]).kind == Type::Kind::pointer;
        step.values.push_back(std::move(v));
    }
    b.emit(op, std::move(step));
}

void emit_nothing(Builder& b, const Operation& op) {
    b.emit(op, NothingStep{});
}

template <class S>
void emit_pointer_cast(Builder& b, const Operation& op) {
    S step;
    step.in = b.operand(op.operands[0], b.layout(op.results[0]).stored);
    step.count = b.layout(op.results[0]).count();
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

}  // namespace

void add_misc_emitters(Emitters& t) {
    t["tt.get_program_id"] = emit_program_id;
    t["tt.get_num_programs"] = emit_program_id;
    t["tt.assert"] = emit_assert;
    t["cf.assert"] = emit_assert;
    t["llvm.intr.assume"] = emit_assume;
    t["tt.print"] = emit_print;
    t["gpu.barrier"] = emit_nothing;
    t["ttg.barrier"] = emit_nothing;
    t["ttg.local_barrier"] = emit_nothing;
    t["tt.ptr_to_int"] = emit_pointer_cast<PointerToIntStep>;
    t["tt.int_to_ptr"] = emit_pointer_cast<IntToPointerStep>;
}

}  // namespace tritonsmith::ttir
