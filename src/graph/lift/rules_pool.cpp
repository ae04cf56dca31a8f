#include <algorithm>
#include <cmath>

#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Pooling and resampling.
namespace tritonsmith::graph {
namespace {

std::vector<int64_t> of_rank(std::vector<int64_t> given, size_t rank, const std::vector<int64_t>& otherwise) {
    if (given.empty()) return otherwise;
    if (given.size() == 1) given.resize(rank, given.front());
    return given;
}

/// Results as the step has them: with an index tensor or without.
Results pooled(Lifter& lifter, const Call& call, NodeKind node, const Operand& x, bool indices) {
    std::vector<std::pair<DType, Shape>> types{{x.dtype, call.result().shape}};
    if (indices) types.emplace_back(DType::i64, call.result().shape);
    Results out;
    for (Operand& made : lifter.emit_all(std::move(node), {x}, types)) out.emplace_back(std::move(made));
    return out;
}

Results pool(Lifter& lifter, const Call& call, PoolKind kind, size_t rank) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    Pool node{kind, of_rank(call.integers(1, "kernel_size"), rank, {})};
    node.stride = of_rank(call.integers(2, "stride"), rank, node.kernel);
    node.padding = of_rank(call.integers(3, "padding"), rank, std::vector<int64_t>(rank, 0));
    node.dilation.assign(rank, 1);
    if (kind == PoolKind::max) {
        node.dilation = of_rank(call.integers(4, "dilation"), rank, node.dilation);
        node.ceil_mode = call.flag(5, "ceil_mode", false);
    } else {
        node.ceil_mode = call.flag(4, "ceil_mode", false);
        node.count_include_pad = call.flag(5, "count_include_pad", true);
        node.divisor = call.integer(6, "divisor_override", 0);
    }
    return pooled(lifter, call, std::move(node), x, kind == PoolKind::max);
}

Results adaptive_pool(Lifter& lifter, const Call& call, PoolKind kind, size_t rank) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const Shape& shape = call.result().shape;
    AdaptivePool node{kind, {shape.end() - static_cast<std::ptrdiff_t>(rank), shape.end()}};
    return pooled(lifter, call, std::move(node), x, kind == PoolKind::max);
}

Results upsample(Lifter& lifter, const Call& call, UpsampleKind kind, size_t rank) {
    const Operand x = lifter.read(call.tensor(0, "self"));
    const Shape& shape = call.result().shape;
    Upsample node{kind};
    node.size.assign(shape.end() - static_cast<std::ptrdiff_t>(rank), shape.end());
    const bool nearest = kind == UpsampleKind::nearest || kind == UpsampleKind::nearest_exact;
    size_t next = 2;  // output_size, then align_corners where there is one, then the factors
    if (!nearest) node.align_corners = call.flag(next++, "align_corners", false);
    std::vector<double> factors;
    constexpr const char* named[] = {"scales_d", "scales_h", "scales_w"};
    if (call.name().overload == "vec") {
        factors = call.reals(next, "scale_factors");
    } else {
        for (size_t i = 0; i < rank; ++i)
            if (std::optional<Number> factor =
                    call.number_if(next + i, rank == 1 ? "scales" : named[3 - rank + i]))
                factors.push_back(as_double(*factor));
    }
    for (size_t i = 0; i < rank; ++i) {
        const auto in = static_cast<double>(x.shape()[shape.size() - rank + i]);
        const auto out = static_cast<double>(node.size[i]);
        if (node.align_corners)
            node.scale.push_back(out > 1 ? (in - 1) / (out - 1) : 0);
        else
            node.scale.push_back(factors.size() == rank && factors[i] > 0 ? 1 / factors[i] : in / out);
    }
    return {lifter.emit(std::move(node), {x}, call.result().dtype, shape)};
}

}  // namespace

void add_pool_rules(Rules& rules) {
    for (size_t rank : {size_t{1}, size_t{2}, size_t{3}}) {
        const std::string dims = std::to_string(rank) + "d";
        auto pooling = [rank](PoolKind kind) {
            return [kind, rank](Lifter& lifter, const Call& call) { return pool(lifter, call, kind, rank); };
        };
        auto adaptive = [rank](PoolKind kind) {
            return [kind, rank](Lifter& lifter, const Call& call) {
                return adaptive_pool(lifter, call, kind, rank);
            };
        };
        auto resample = [rank](UpsampleKind kind) {
            return
                [kind, rank](Lifter& lifter, const Call& call) { return upsample(lifter, call, kind, rank); };
        };
        if (rank > 1) {
            rules["max_pool" + dims + "_with_indices"] = pooling(PoolKind::max);
            rules["_adaptive_avg_pool" + dims] = rules["adaptive_avg_pool" + dims] = adaptive(PoolKind::mean);
            rules["adaptive_max_pool" + dims] = adaptive(PoolKind::max);
        }
        rules["avg_pool" + dims] = pooling(PoolKind::mean);
        rules["upsample_nearest" + dims] = resample(UpsampleKind::nearest);
        rules["_upsample_nearest_exact" + dims] = resample(UpsampleKind::nearest_exact);
    }
    const std::pair<const char*, size_t> linear[] = {
        {"upsample_linear1d", 1}, {"upsample_bilinear2d", 2}, {"upsample_trilinear3d", 3}};
    for (const auto& [name, rank] : linear)
        rules[name] = [rank = rank](Lifter& lifter, const Call& call) {
            return upsample(lifter, call, UpsampleKind::linear, rank);
        };
    rules["upsample_bicubic2d"] = [](Lifter& lifter, const Call& call) {
        return upsample(lifter, call, UpsampleKind::cubic, 2);
    };
}

}  // namespace tritonsmith::graph
