// tt.reduce, tt.scan, tt.map_elementwise: regions of scalars applied to blocks.
//
// A reduction halves its axis again and again: element i is combined with element i + half (a tree, as on the
// device, in an order of our own). A scan combines each half of its axis in sequence, and then what the first
// half comes to with each element of the second: an operator that is not associative gives another answer
// than in sequence, as it does on the device. A combine region of elementwise operations runs for many
// elements at once (Context::lanes); any other region runs for one element at a time.
#include <algorithm>
#include <cstring>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/ops/ops_elementwise.h"

namespace tritonsmith::ttir {
namespace {

/// Where the region's scalars are: arguments (accumulated, then new), what it returns.
struct Combine {
    int entry = 0;
    bool straight = true;            ///< elementwise: any number of lanes at once
    std::vector<int64_t> arguments;  ///< slots
    std::vector<int64_t> results;    ///< slots, written by the return
    std::vector<int> sizes;          ///< bytes of an element of each operand

    /// out[i] = combine(left[i], right[i]) for each operand; out may be left.
    void apply(Context& ctx, std::byte* const* out, const std::byte* const* left,
               const std::byte* const* right, int64_t n) const {
        const int64_t outer = ctx.lanes, chunk = straight ? kLaneChunk : 1;
        const size_t k = sizes.size();
        for (int64_t i = 0; i < n && !ctx.stop; i += chunk) {
            const int64_t m = std::min(chunk, n - i);
            for (size_t o = 0; o < k; ++o) {
                std::memcpy(ctx.at(arguments[o]), left[o] + i * sizes[o], static_cast<size_t>(m * sizes[o]));
                std::memcpy(ctx.at(arguments[k + o]), right[o] + i * sizes[o],
                            static_cast<size_t>(m * sizes[o]));
            }
            ctx.lanes = m;
            ctx.run_nested(entry);
            for (size_t o = 0; o < k; ++o)
                std::memcpy(out[o] + i * sizes[o], ctx.at(results[o]), static_cast<size_t>(m * sizes[o]));
        }
        ctx.lanes = outer;
    }
};

struct RegionEndStep : Step {
    void run(Context& ctx) const override { ctx.pc = -1; }
};
struct SkipStep : Step {
    int target = 0;
    void run(Context& ctx) const override { ctx.pc = target; }
};

bool straight_region(const Region& region) {
    if (region.blocks.size() != 1) return false;
    for (const Operation& op : region.blocks[0].operations)
        if (!op.regions.empty() ||
            !(is_elementwise(op.name) || op.name == "arith.constant" || op.name == "ub.poison" ||
              op.name.find(".return") != std::string::npos) ||
            op.name == "tt.int_to_ptr" || op.name == "tt.ptr_to_int")
            return false;
    return true;
}

/// The single kernel that a region is, such as addf: region(a, b) = kernel(a, b). Empty if it is none.
std::string single_kernel(const Region& region) {
    static const char* const known[] = {"arith.addf",    "arith.addi",    "arith.mulf",     "arith.muli",
                                        "arith.maxnumf", "arith.minnumf", "arith.maximumf", "arith.minimumf",
                                        "arith.maxsi",   "arith.minsi",   "arith.maxui",    "arith.minui",
                                        "arith.andi",    "arith.ori",     "arith.xori"};
    if (region.blocks.size() != 1 || region.blocks[0].arguments.size() != 2 ||
        region.blocks[0].operations.size() != 2)
        return "";
    const Operation& op = region.blocks[0].operations[0];
    const Operation& end = region.blocks[0].operations[1];
    const auto& args = region.blocks[0].arguments;
    if (end.operands.size() != 1 || op.results.size() != 1 || end.operands[0] != op.results[0] ||
        op.operands.size() != 2)
        return "";
    const bool in_order = op.operands[0] == args[0] && op.operands[1] == args[1];
    const bool swapped = op.operands[0] == args[1] && op.operands[1] == args[0];
    if (!in_order && !swapped) return "";
    for (const char* k : known)
        if (op.name == k) return op.name.substr(6);
    return "";
}

/// Emits the region out of the straight path and fills in where its scalars are.
Combine emit_combine(Builder& b, const Operation& op, const Region& region,
                     const std::vector<Scalar>& elems) {
    Combine c;
    c.straight = straight_region(region);
    SkipStep& over = b.emit(op, SkipStep{});
    for (ValueId a : region.blocks[0].arguments) {
        const int64_t slot = b.temporary(kLaneChunk * 8);
        b.place(a, slot);
        c.arguments.push_back(slot);
    }
    for (Scalar e : elems) c.sizes.push_back(element_size(e));
    std::vector<Layout> layouts;
    for (Scalar e : elems) {
        Layout l;
        l.elem = e;
        l.lanes = true;
        layouts.push_back(l);
        c.results.push_back(b.temporary(kLaneChunk * 8));
    }
    c.entry = b.pc();
    b.emit_region(region, [&](const Operation& end) {
        std::vector<Builder::Transfer> moves;
        for (size_t i = 0; i < end.operands.size(); ++i)
            moves.push_back({end.operands[i], c.results[i], &layouts[i]});
        b.emit_transfers(end, moves);
        b.emit(end, RegionEndStep{});
    });
    over.target = b.pc();
    return c;
}

/// A block as outer × axis × inner.
struct Split {
    int64_t outer = 1, axis = 1, inner = 1;
    Split() = default;
    Split(const std::vector<int64_t>& shape, int64_t at) : axis(shape[static_cast<size_t>(at)]) {
        for (size_t d = 0; d < shape.size(); ++d) {
            if (static_cast<int64_t>(d) < at) outer *= shape[d];
            if (static_cast<int64_t>(d) > at) inner *= shape[d];
        }
    }
};

/// One kernel along an axis. Small floats are widened once and rounded after every combination only where the
/// type of the region demands it: the region computes in the small type, so each step is rounded.
struct FastReduceStep : Step {
    Operand in;
    Split split;
    KernelFn fn = nullptr, widen = nullptr, narrow = nullptr, round = nullptr;
    int64_t work = 0, work2 = 0, out = 0;  ///< temporaries: the block in the computed type
    int size = 4, flops = 0;

    void run(Context& ctx) const override {
        const int64_t n = split.outer * split.axis * split.inner;
        const std::byte* p = in.get(ctx);
        std::byte* w = ctx.at(work);
        if (widen != nullptr) {
            const std::byte* raw[1] = {p};
            widen(w, raw, n);
            p = w;
        }
        ctx.flops += flops * (n - n / split.axis);
        ctx.spend(n);
        // Move [outer, axis, inner] so that halves of the axis are contiguous.
        for (int64_t o = 0; o < split.outer; ++o) {
            const std::byte* source = p + o * split.axis * split.inner * size;
            std::byte* target = narrow != nullptr ? ctx.at(work2) + o * split.inner * size
                                                  : ctx.at(out) + o * split.inner * size;
            int64_t left = split.axis;
            std::byte* row = w + o * split.axis * split.inner * size;
            while (left > 1) {
                const int64_t half = left / 2, keep = left - half;
                const std::byte* operands[2] = {source, source + keep * split.inner * size};
                fn(row, operands, half * split.inner);
                if (narrow != nullptr) round_small(row, half * split.inner);
                if (keep != half && source != row)
                    std::memcpy(row + half * split.inner * size, source + half * split.inner * size,
                                static_cast<size_t>(split.inner * size));
                source = row;
                left = keep;
            }
            std::memcpy(target, source, static_cast<size_t>(split.inner * size));
        }
        if (narrow != nullptr) {
            const std::byte* raw[1] = {ctx.at(work2)};
            narrow(ctx.at(out), raw, split.outer * split.inner);
        }
    }
    void round_small(std::byte* row, int64_t n) const {
        alignas(64) std::byte small[512 * 2];
        for (int64_t i = 0; i < n; i += 512) {
            const int64_t m = std::min<int64_t>(512, n - i);
            const std::byte* in_[1] = {row + i * 4};
            narrow(small, in_, m);
            in_[0] = small;
            widen(row + i * 4, in_, m);
        }
    }
};

struct ReduceStep : Step {
    std::vector<Operand> in;
    std::vector<int64_t> work, out;  ///< temporaries, one for each operand
    Combine combine;
    Split split;
    int flops = 0;

    void run(Context& ctx) const override {
        const size_t k = in.size();
        const int64_t n = split.outer * split.axis * split.inner;
        // [outer, axis, inner] to [axis, outer, inner]: halves of the axis are contiguous for all of the
        // rest.
        const int64_t rest = split.outer * split.inner;
        for (size_t o = 0; o < k; ++o) {
            const std::byte* p = in[o].get(ctx);
            std::byte* w = ctx.at(work[o]);
            if (split.outer == 1) {
                std::memcpy(w, p, static_cast<size_t>(n * combine.sizes[o]));
            } else {
                Expand order(
                    {{split.axis, split.inner}, {split.outer, split.axis * split.inner}, {split.inner, 1}});
                order.copy(w, p, combine.sizes[o], 0, n);
            }
        }
        int64_t left = split.axis;
        std::vector<std::byte*> first(k);
        std::vector<const std::byte*> a(k), b(k);
        while (left > 1 && !ctx.stop) {
            const int64_t half = left / 2, keep = left - half;
            for (size_t o = 0; o < k; ++o) {
                first[o] = ctx.at(work[o]);
                a[o] = first[o];
                b[o] = first[o] + keep * rest * combine.sizes[o];
            }
            combine.apply(ctx, first.data(), a.data(), b.data(), half * rest);
            left = keep;
        }
        for (size_t o = 0; o < k; ++o)
            std::memcpy(ctx.at(out[o]), ctx.at(work[o]), static_cast<size_t>(rest * combine.sizes[o]));
        ctx.spend(n);
    }
};

struct ScanStep : Step {
    std::vector<Operand> in;
    std::vector<int64_t> work, out;
    Combine combine;
    Split split;
    bool reverse = false;
    KernelFn fast = nullptr;  ///< single operand, full-width type

    void run(Context& ctx) const override {
        const size_t k = in.size();
        const int64_t n = split.outer * split.axis * split.inner, rest = split.outer * split.inner;
        const bool move = split.outer != 1;
        std::vector<std::byte*> block(k);
        for (size_t o = 0; o < k; ++o) {
            const std::byte* p = in[o].get(ctx);
            block[o] = move ? ctx.at(work[o]) : ctx.at(out[o]);
            if (move)
                Expand({{split.axis, split.inner}, {split.outer, split.axis * split.inner}, {split.inner, 1}})
                    .copy(block[o], p, combine.sizes[o], 0, n);
            else
                std::memmove(block[o], p, static_cast<size_t>(n * combine.sizes[o]));
        }
        std::vector<std::byte*> target(k);
        std::vector<const std::byte*> before(k), here(k);
        // The element at place s in the scan's direction becomes that at place `earlier` combined with it.
        const auto step = [&](int64_t s, int64_t earlier) {
            const int64_t i = reverse ? split.axis - 1 - s : s;
            const int64_t from = reverse ? split.axis - 1 - earlier : earlier;
            for (size_t o = 0; o < k; ++o) {
                target[o] = block[o] + i * rest * combine.sizes[o];
                here[o] = target[o];
                before[o] = block[o] + from * rest * combine.sizes[o];
            }
            if (fast != nullptr) {
                const std::byte* operands[2] = {before[0], here[0]};
                fast(target[0], operands, rest);
            } else {
                combine.apply(ctx, target.data(), before.data(), here.data(), rest);
            }
        };
        // One kernel (a sum, a maximum) is associative but for rounding: in sequence.
        const int64_t half = fast != nullptr ? split.axis : split.axis / 2;
        for (int64_t s = 1; s < split.axis && !ctx.stop; ++s)
            if (s != half) step(s, s - 1);
        if (half > 0)
            for (int64_t s = half; s < split.axis && !ctx.stop; ++s) step(s, half - 1);
        if (move)
            for (size_t o = 0; o < k; ++o)
                Expand({{split.outer, split.inner}, {split.axis, rest}, {split.inner, 1}})
                    .copy(ctx.at(out[o]), block[o], combine.sizes[o], 0, n);
        ctx.spend(n);
    }
};

struct MapStep : Step {
    std::vector<Operand> in;
    std::vector<int64_t> work, out;
    std::vector<int> sizes, out_sizes;
    Combine combine;  ///< arguments: `pack` of each operand
    int64_t count = 1, pack = 1;

    void run(Context& ctx) const override {
        const int64_t outer = ctx.lanes, groups = count / pack, chunk = combine.straight ? kLaneChunk : 1;
        std::vector<const std::byte*> p;
        for (size_t o = 0; o < in.size(); ++o) {
            p.push_back(in[o].get(ctx));
            if (in[o].expand.identity) continue;
            // Out of the scratch memory, which the region uses too.
            std::memcpy(ctx.at(work[o]), p.back(), static_cast<size_t>(count * sizes[o]));
            p.back() = ctx.at(work[o]);
        }
        for (int64_t g = 0; g < groups && !ctx.stop; g += chunk) {
            const int64_t m = std::min(chunk, groups - g);
            for (size_t o = 0; o < in.size(); ++o)
                for (int64_t j = 0; j < pack; ++j)
                    for (int64_t i = 0; i < m; ++i)
                        std::memcpy(
                            ctx.at(
                                combine.arguments[o * static_cast<size_t>(pack) + static_cast<size_t>(j)]) +
                                i * sizes[o],
                            p[o] + ((g + i) * pack + j) * sizes[o], static_cast<size_t>(sizes[o]));
            ctx.lanes = m;
            ctx.run_nested(combine.entry);
            for (size_t r = 0; r < out.size(); ++r)
                for (int64_t j = 0; j < pack; ++j)
                    for (int64_t i = 0; i < m; ++i)
                        std::memcpy(
                            ctx.at(out[r]) + ((g + i) * pack + j) * out_sizes[r],
                            ctx.at(combine.results[r * static_cast<size_t>(pack) + static_cast<size_t>(j)]) +
                                i * out_sizes[r],
                            static_cast<size_t>(out_sizes[r]));
        }
        ctx.lanes = outer;
        ctx.spend(count);
    }
};

std::vector<Scalar> element_types(Builder& b, const std::vector<ValueId>& values) {
    std::vector<Scalar> elems;
    for (ValueId v : values) elems.push_back(b.layout(v).elem);
    return elems;
}

void emit_reduce(Builder& b, const Operation& op) {
    const Type& type = b.type(op.operands[0]);
    const Split split(type.shape, int_attribute(op, "axis"));
    const std::string kernel = single_kernel(op.regions[0]);
    const Scalar elem = b.layout(op.operands[0]).elem, compute = compute_type(elem);
    if (!kernel.empty() && find_kernel(kernel, compute) != nullptr) {
        FastReduceStep step;
        step.in = b.full_operand(op.operands[0]);
        step.split = split;
        step.fn = find_kernel(kernel, compute);
        step.size = element_size(compute);
        step.flops = is_float(elem) ? 1 : 0;
        step.work = b.temporary(type.count() * step.size);
        if (compute != elem) {
            step.widen = find_kernel("to_f32", elem);
            step.narrow = find_kernel("from_f32", elem);
            step.work2 = b.temporary(type.count() / split.axis * 4);
        }
        step.out = b.slot(op.results[0]);
        b.emit(op, std::move(step));
        return;
    }
    ReduceStep step;
    for (ValueId v : op.operands) {
        step.in.push_back(b.full_operand(v));
        step.work.push_back(b.temporary(type.count() * element_size(b.layout(v).elem)));
    }
    step.split = split;
    for (ValueId r : op.results) step.out.push_back(b.slot(r));
    step.combine = emit_combine(b, op, op.regions[0], element_types(b, op.operands));
    b.emit(op, std::move(step));
}

void emit_scan(Builder& b, const Operation& op) {
    const Type& type = b.type(op.operands[0]);
    ScanStep step;
    step.split = Split(type.shape, int_attribute(op, "axis"));
    step.reverse = bool_attribute(op, "reverse");
    for (ValueId v : op.operands) {
        step.in.push_back(b.full_operand(v));
        step.work.push_back(step.split.outer != 1 ? b.temporary(type.count() * element_size(b.layout(v).elem))
                                                  : 0);
    }
    for (ValueId r : op.results) step.out.push_back(b.slot(r));
    const std::string kernel = single_kernel(op.regions[0]);
    const Scalar elem = b.layout(op.operands[0]).elem;
    if (!kernel.empty() && compute_type(elem) == elem) step.fast = find_kernel(kernel, elem);
    step.combine = emit_combine(b, op, op.regions[0], element_types(b, op.operands));
    b.emit(op, std::move(step));
}

void emit_map(Builder& b, const Operation& op) {
    MapStep step;
    step.pack = std::max<int64_t>(1, int_attribute(op, "pack", 1));
    step.count = b.type(op.operands[0]).count();
    if (step.count % step.pack != 0)
        return b.emit_unsupported(op, "tt.map_elementwise with a pack that does not divide the block");
    for (ValueId v : op.operands) {
        step.in.push_back(b.full_operand(v));
        step.sizes.push_back(element_size(b.layout(v).elem));
        step.work.push_back(step.in.back().expand.identity ? 0 : b.temporary(step.count * step.sizes.back()));
    }
    std::vector<Scalar> elems;
    for (ValueId r : op.results) {
        step.out.push_back(b.slot(r));
        step.out_sizes.push_back(element_size(b.layout(r).elem));
        for (int64_t j = 0; j < step.pack; ++j) elems.push_back(b.layout(r).elem);
    }
    step.combine = emit_combine(b, op, op.regions[0], elems);
    b.emit(op, std::move(step));
}

}  // namespace

void add_reduce_emitters(Emitters& t) {
    t["tt.reduce"] = emit_reduce;
    t["tt.scan"] = emit_scan;
    t["tt.map_elementwise"] = emit_map;
}

}  // namespace tritonsmith::ttir
