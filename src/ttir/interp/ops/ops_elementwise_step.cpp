#include <algorithm>
#include <cstring>

#include "ttir/interp/lower/exec_launch.h"
#include "ttir/interp/ops/ops_elementwise.h"

namespace tritonsmith::ttir {
namespace {

/// Elements of one piece: few enough that all buffers of a piece stay in the first-level cache.
constexpr int64_t kChunk = 512;

}  // namespace

void ElementwiseStep::run(Context& ctx) const {
    const int64_t n = count != 0 ? count : ctx.lanes;
    ctx.flops += flops * n;
    if (ctx.overflowed && poison >= 0) follow_poison(ctx, n);
    if (direct) {
        const std::byte* in[4];
        for (size_t i = 0; i < inputs.size(); ++i) in[i] = ctx.at(inputs[i].slot);
        if (bad != nullptr && bad(in, n)) report(ctx, in, n, 0);
        fn(ctx.at(out), in, n);
    } else {
        run_chunks(ctx, n);
    }
    ctx.spend(n);
}

void ElementwiseStep::run_chunks(Context& ctx, int64_t n) const {
    alignas(64) std::byte expanded[4][kChunk * 8];
    alignas(64) std::byte widened[4][kChunk * 8];
    alignas(64) std::byte result[2][kChunk * 8];
    const std::byte* in[4];
    bool fixed[4] = {};
    const int64_t first = std::min(n, kChunk);
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Input& input = inputs[i];
        if (!input.expand.scalar) continue;
        fixed[i] = true;  // the same for all pieces
        input.expand.copy(expanded[i], ctx.at(input.slot), input.size, 0, first);
        in[i] = expanded[i];
        if (input.widen != nullptr) {
            const std::byte* raw[1] = {expanded[i]};
            input.widen(widened[i], raw, first);
            in[i] = widened[i];
        }
    }
    for (int64_t begin = 0; begin < n; begin += kChunk) {
        const int64_t m = std::min(kChunk, n - begin);
        for (size_t i = 0; i < inputs.size(); ++i) {
            if (fixed[i]) continue;
            const Input& input = inputs[i];
            const std::byte* source = ctx.at(input.slot);
            if (input.expand.identity) {
                in[i] = source + begin * input.size;
            } else {
                input.expand.copy(expanded[i], source, input.size, begin, m);
                in[i] = expanded[i];
            }
            if (input.widen != nullptr) {
                const std::byte* raw[1] = {in[i]};
                input.widen(widened[i], raw, m);
                in[i] = widened[i];
            }
        }
        if (bad != nullptr && bad(in, m)) report(ctx, in, m, begin);
        std::byte* place = ctx.at(out) + begin * out_size;
        if (narrow == nullptr) {
            fn(place, in, m);
            continue;
        }
        fn(result[0], in, m);
        const std::byte* raw[1] = {result[0]};
        if (odd != nullptr) {
            odd(result[1], raw, m);
            raw[0] = result[1];
        }
        narrow(place, raw, m);
    }
}

void ElementwiseStep::follow_poison(Context& ctx, int64_t n) const {
    std::vector<uint8_t> lanes(static_cast<size_t>(n)), all(static_cast<size_t>(n), 0);
    bool any = false;
    for (const Input& input : inputs) {
        const auto it = ctx.poison.find(input.poison);
        if (it == ctx.poison.end()) continue;
        any = true;
        const auto* source = reinterpret_cast<const std::byte*>(it->second.data());
        if (input.expand.identity)
            std::memcpy(lanes.data(), source, static_cast<size_t>(n));
        else
            input.expand.copy(reinterpret_cast<std::byte*>(lanes.data()), source, 1, 0, n);
        for (size_t i = 0; i < lanes.size(); ++i) all[i] |= lanes[i];
    }
    if (any)
        ctx.poison[poison] = std::move(all);
    else
        ctx.poison.erase(poison);
}

void ElementwiseStep::report(Context& ctx, const std::byte* const* in, int64_t n, int64_t first) const {
    if (!ctx.launch->options->checks) return;
    if (check == Check::overflow) {
        // Rare: note each lane; it is an error only where memory is accessed through it.
        std::vector<uint8_t>& lanes = ctx.poison[poison];
        lanes.resize(static_cast<size_t>(count), 0);
        const std::byte* at[4];
        for (int64_t lane = 0; lane < n; ++lane) {
            for (size_t i = 0; i < inputs.size(); ++i) at[i] = in[i] + lane * inputs[i].wide;
            if (bad(at, 1)) lanes[static_cast<size_t>(first + lane)] = 1;
        }
        ctx.overflowed = true;
        return;
    }
    int64_t lane = 0;
    const std::byte* one[4];
    for (; lane < n; ++lane) {
        for (size_t i = 0; i < inputs.size(); ++i) one[i] = in[i] + lane * inputs[i].wide;
        if (bad(one, 1)) break;
    }
    const auto value = [&](size_t i) -> int64_t {
        switch (inputs[i].wide) {
            case 1:
                return *reinterpret_cast<const int8_t*>(one[i]);
            case 2:
                return *reinterpret_cast<const int16_t*>(one[i]);
            case 4:
                return *reinterpret_cast<const int32_t*>(one[i]);
            default:
                return *reinterpret_cast<const int64_t*>(one[i]);
        }
    };
    Json evidence = {{"lane", first + lane}, {"left", value(0)}, {"right", value(1)}};
    const std::string operands = std::to_string(value(0)) + " and " + std::to_string(value(1));
    if (check == Check::shift) {
        ctx.find(*this, "shift_out_of_range",
                 what + " of " + std::to_string(value(0)) + " by " + std::to_string(value(1)), evidence);
    } else if (check == Check::division) {
        // A masked-off lane may divide by the zero that stands for a value that was not loaded: harmless in a
        // block, unless every lane counts.
        const std::string message = what + " of " + operands + " is undefined";
        if (count == 1 || unmasked)
            ctx.find(*this, "integer_division", message, evidence);
        else
            ctx.warn(*this, "integer_division", message, evidence);
    }
}

}  // namespace tritonsmith::ttir
