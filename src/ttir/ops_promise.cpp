// What a program promises the compiler about values: tl.multiple_of, tl.max_contiguous, tl.max_constancy.
#include <algorithm>

#include "ttir/exec_builder.h"
#include "ttir/exec_launch.h"

namespace tritonsmith::ttir {
namespace {

/// The compiler uses promises to access memory in vectors of at most 16 bytes: a promise about more than 16
/// elements is broken only where it is false about 16.
constexpr int64_t kUsed = 16;

int64_t useful(int64_t promised) {
    return std::min(promised & -promised, kUsed);
}

struct PromiseStep : Step {
    Operand value;
    std::vector<int64_t> shape, divisibility, contiguity,
        constancy;     ///< by dimension, 1 where nothing is promised
    int64_t unit = 1;  ///< what contiguous elements differ by: bytes of the pointee for pointers
    bool pointer = false;

    void run(Context& ctx) const override {
        if (!ctx.launch->options->checks) return;
        const std::byte* p = value.get(ctx);
        const int size = element_size(value.elem);
        const auto at = [&](int64_t i) -> int64_t {
            switch (size) {
                case 1:
                    return reinterpret_cast<const int8_t*>(p)[i];
                case 2:
                    return reinterpret_cast<const int16_t*>(p)[i];
                case 4:
                    return reinterpret_cast<const int32_t*>(p)[i];
                default:
                    break;
            }
            const uint64_t v = reinterpret_cast<const uint64_t*>(p)[i];
            if (!pointer) return static_cast<int64_t>(v);
            const int index = pointer_buffer(v);
            const bool known = index >= 0 && index < static_cast<int>(ctx.launch->buffers.size());
            const uint64_t base =
                known ? ctx.launch->buffers[static_cast<size_t>(index)].buffer->address() : 0;
            return static_cast<int64_t>(base + static_cast<uint64_t>(pointer_offset(v)));
        };
        int64_t count = 1;
        for (int64_t d : shape) count *= d;
        int64_t stride = 1;
        for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
            const int64_t together = useful(contiguity[d]), same = useful(constancy[d]),
                          divisor = useful(divisibility[d]);
            if (together == 1 && same == 1 && divisor == 1) continue;
            for (int64_t i = 0; i < count; ++i) {
                const int64_t k = i / stride % shape[d], v = at(i);
                const bool first = k == 0;
                if (same > 1 && k % same != 0 && v != at(i - stride))
                    return broken(ctx, i, v, "constant in groups of ", constancy[d]);
                if (together > 1 && k % together != 0 && v - at(i - stride) != unit)
                    return broken(ctx, i, v, "contiguous in groups of ", contiguity[d]);
                // Divisible is what a run of contiguous values starts with.
                const bool start = together > 1
                                       ? k % together == 0
                                       : first || (v - at(i - stride) != unit && v != at(i - stride));
                if (divisor > 1 && start && v % divisor != 0)
                    return broken(ctx, i, v, "a multiple of ", divisibility[d]);
            }
        }
        ctx.spend(count);
    }
    void broken(Context& ctx, int64_t lane, int64_t v, const std::string& what, int64_t n) const {
        ctx.find(*this, "false_promise",
                 "a value promised to be " + what + std::to_string(n) + " is " + std::to_string(v) +
                     " in lane " + std::to_string(lane),
                 {{"lane", lane}, {"value", v}, {"promised", n}});
    }
};

std::vector<int64_t> promise(const Operation& op, const char* name, size_t rank) {
    std::vector<int64_t> out(std::max<size_t>(rank, 1), 1);
    const auto it = op.attributes.find(name);
    if (it == op.attributes.end()) return out;
    if (const auto* one = std::get_if<TypedInt>(&it->second.v)) {
        std::fill(out.begin(), out.end(), one->value);
    } else if (const auto* dense = std::get_if<Dense>(&it->second.v)) {
        for (size_t d = 0; d < out.size(); ++d)
            if (dense->bits.size() == 1 || d < dense->bits.size())
                out[d] = static_cast<int32_t>(dense->bits[dense->bits.size() == 1 ? 0 : d]);
    }
    for (int64_t& v : out) v = std::max<int64_t>(v, 1);
    return out;
}

}  // namespace

void emit_promises(Builder& b, const Operation& op) {
    if (op.results.empty() || b.layout(op.results[0]).lanes || b.layout(op.results[0]).descriptor) return;
    const bool any = op.attributes.count("tt.divisibility") + op.attributes.count("tt.contiguity") +
                         op.attributes.count("tt.constancy") !=
                     0;
    if (!any || is_float(b.layout(op.results[0]).elem)) return;
    const Type& type = b.type(op.results[0]);
    PromiseStep step;
    step.value = b.full_operand(op.results[0]);
    step.shape = type.shape.empty() ? std::vector<int64_t>{1} : type.shape;
    step.divisibility = promise(op, "tt.divisibility", type.shape.size());
    step.contiguity = promise(op, "tt.contiguity", type.shape.size());
    step.constancy = promise(op, "tt.constancy", type.shape.size());
    step.pointer = type.kind == Type::Kind::pointer;
    if (step.pointer)
        step.unit =
            type.pointee->kind == Type::Kind::pointer ? 8 : element_size(stored_scalar(*type.pointee));
    b.emit(op, std::move(step));
}

}  // namespace tritonsmith::ttir
