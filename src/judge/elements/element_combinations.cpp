#include <algorithm>
#include <cmath>

#include "judge/elements/element_families.h"
#include "judge/elements/element_moments.h"

namespace tritonsmith::judge {

namespace {

double softplus(double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// A loss of x and a target, where nothing is reduced.
std::optional<double> loss(const std::string& base, double x, double y, const StepArguments& a) {
    const double apart = std::abs(x - y);
    if (base == "aten::mse_loss") return apart * apart;
    if (base == "aten::smooth_l1_loss") {
        const double beta = a.real(3, "beta", 1);
        return apart < beta ? 0.5 * apart * apart / beta : apart - 0.5 * beta;
    }
    if (base == "aten::huber_loss") {
        const double delta = a.real(3, "delta", 1);
        return apart <= delta ? 0.5 * apart * apart : delta * (apart - 0.5 * delta);
    }
    if (base == "aten::soft_margin_loss") return softplus(-x * y);
    if (base == "aten::binary_cross_entropy")
        return -(y * std::max(std::log(x), -100.0) + (1 - y) * std::max(std::log1p(-x), -100.0));
    if (base == "aten::binary_cross_entropy_with_logits") return (1 - y) * x + softplus(-x);
    return std::nullopt;
}

std::optional<OracleElement> losses(const std::string& base, const StepArguments& a, const Index& index,
                                    ElementContext& context) {
    const bool entropy = base == "aten::binary_cross_entropy",
               logits = base == "aten::binary_cross_entropy_with_logits";
    if (!entropy && !logits && !base.ends_with("_loss")) return std::nullopt;
    if (!loss(base, 0.5, 0.5, a)) return std::nullopt;
    if (a.whole(logits ? 4 : entropy ? 3 : 2, "reduction", 1) != 0)
        throw CannotEvaluate("a loss of several elements");
    if ((entropy || logits) && a.tensor_or_null(2, "weight")) throw CannotEvaluate("a loss with weights");
    if (logits && a.tensor_or_null(3, "pos_weight")) throw CannotEvaluate("a loss with weights");
    const OracleElement x = broadcast(a.tensor(0), index, context),
                        y = broadcast(a.tensor(1), index, context);
    const double value = *loss(base, x.value, y.value, a);
    const double terms = x.scale + y.scale + (entropy || logits || base == "aten::soft_margin_loss" ? 1 : 0);
    const double scale = std::max(std::abs(value), base == "aten::mse_loss" ? terms * terms : terms);
    return OracleElement{context.noise(value, scale), scale};
}

/// (self, other, another, value?)
std::optional<OracleElement> of_three(const std::string& base, const StepArguments& a, const Index& index,
                                      ElementContext& context) {
    if (base == "aten::addcmul" || base == "aten::addcdiv") {
        const double factor = a.real(3, "value", 1);
        const OracleElement x = broadcast(a.tensor(0), index, context),
                            y = broadcast(a.tensor(1), index, context),
                            z = broadcast(a.tensor(2), index, context);
        const bool product = base == "aten::addcmul";
        const double value = x.value + factor * (product ? y.value * z.value : y.value / z.value);
        const double scale =
            x.scale + std::abs(factor) * (product ? y.scale * z.scale : y.scale / std::abs(z.value));
        return OracleElement{context.noise(value, scale), scale};
    }
    if (base == "aten::lerp") {
        const OracleElement x = broadcast(a.tensor(0), index, context),
                            y = broadcast(a.tensor(1), index, context),
                            weight = operand(a, 2, "weight", index, context);
        const double scale = x.scale + weight.scale * (x.scale + y.scale);
        return OracleElement{context.noise(x.value + weight.value * (y.value - x.value), scale), scale};
    }
    if (base == "aten::clamp" && (a.tensor_or_null(1, "min") || a.tensor_or_null(2, "max"))) {
        OracleElement x = broadcast(a.tensor(0), index, context);
        if (const plan::Tensor* least = a.tensor_or_null(1, "min"))
            if (const OracleElement e = broadcast(*least, index, context); x.value < e.value) x = e;
        if (const plan::Tensor* most = a.tensor_or_null(2, "max"))
            if (const OracleElement e = broadcast(*most, index, context); x.value > e.value) x = e;
        return x;
    }
    return std::nullopt;
}

}  // namespace

std::optional<OracleElement> combined(const std::string& base, int result, const StepArguments& a,
                                      const Index& index, ElementContext& context) {
    if (result != 0) return std::nullopt;
    if (auto e = of_three(base, a, index, context)) return e;
    if (auto e = losses(base, a, index, context)) return e;
    if (base == "aten::_prelu_kernel") {
        const OracleElement x = broadcast(a.tensor(0), index, context),
                            w = broadcast(a.tensor(1), index, context);
        if (x.value > 0) return x;
        return OracleElement{context.noise(x.value * w.value, std::abs(x.value * w.value)),
                             x.scale * w.scale};
    }
    if (base == "aten::glu") {
        const plan::Tensor& x = a.tensor(0);
        const size_t dim = dimension(x, a.whole(1, "dim", -1));
        Index gate = index;
        gate[dim] += x.shape[dim] / 2;
        const OracleElement e = context.at(x, index), g = context.at(x, gate);
        const double value = e.value / (1 + std::exp(-g.value)),
                     scale = std::max(std::abs(value), e.scale) * (1 + g.scale);
        return OracleElement{context.noise(value, std::abs(value) * (1 + std::abs(g.value))), scale};
    }
    if (base == "aten::addr") {
        const OracleElement x = broadcast(a.tensor(0), index, context),
                            y = context.at(a.tensor(1), {index.at(0)}),
                            z = context.at(a.tensor(2), {index.at(1)});
        const double beta = a.real(3, "beta", 1), alpha = a.real(4, "alpha", 1);
        const double scale = std::abs(beta) * x.scale + std::abs(alpha) * y.scale * z.scale;
        return OracleElement{context.noise(beta * x.value + alpha * y.value * z.value, scale), scale};
    }
    if (base == "aten::addmv") {
        Line row, vector;
        context.line(a.tensor(1), {index.at(0), 0}, 1, row);
        context.line(a.tensor(2), {0}, 0, vector);
        const double beta = a.real(3, "beta", 1), alpha = a.real(4, "alpha", 1);
        const OracleElement x = broadcast(a.tensor(0), index, context), sum = dot(row, vector, context);
        return OracleElement{beta * x.value + alpha * sum.value,
                             std::abs(beta) * x.scale + std::abs(alpha) * sum.scale};
    }
    return std::nullopt;
}

std::optional<OracleElement> counted(const std::string& base, int result, const StepArguments& a,
                                     const Index& index, ElementContext& context) {
    const bool both = base == "aten::aminmax", number = base == "aten::count_nonzero";
    if (!both && !number && base != "aten::all" && base != "aten::any") return std::nullopt;
    const plan::Tensor& x = a.tensor(0);
    std::vector<int64_t> dims = a.integers(both ? 99 : 1, "dim");
    for (int64_t& d : dims) d = static_cast<int64_t>(dimension(x, d));
    std::sort(dims.begin(), dims.end());
    if (dims.empty())
        for (size_t d = 0; d < x.shape.size(); d++) dims.push_back(static_cast<int64_t>(d));
    Index at = index;
    if (index.size() < x.shape.size())
        for (const int64_t d : dims) at.insert(at.begin() + d, 0);
    double count = 0, all = 0;
    OracleElement least{INFINITY, 0}, most{-INFINITY, 0};
    over(x, dims, at, context, [&](const OracleElement& e) {
        count += e.value != 0;
        all++;
        if (std::isnan(e.value)) throw CannotEvaluate("an extreme of what is no number");
        if (e.value < least.value) least = e;
        if (e.value > most.value) most = e;
    });
    if (both) return result == 0 ? least : most;
    const double value = number ? count : base == "aten::all" ? count == all : count > 0;
    return OracleElement{value, value};
}

}  // namespace tritonsmith::judge
