#include "judge/elements/element_ops.h"

#include <algorithm>
#include <cmath>

#include "aten/catalogue.h"
#include "judge/elements/element_families.h"
#include "judge/elements/element_moments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::judge {

namespace {

using Tensor = plan::Tensor;

}  // namespace

OracleElement broadcast(const Tensor& tensor, const Index& index, ElementContext& context) {
    Index own(tensor.shape.size());
    const size_t shift = index.size() - own.size();
    for (size_t d = 0; d < own.size(); d++) own[d] = tensor.shape[d] == 1 ? 0 : index[d + shift];
    return context.at(tensor, own);
}

OracleElement operand(const StepArguments& a, size_t position, const char* name, const Index& index,
                      ElementContext& context) {
    if (const Tensor* tensor = a.tensor_or_null(position, name)) return broadcast(*tensor, index, context);
    const double number = a.real(position, name, NAN);
    return {number, std::abs(number)};
}

namespace {

std::optional<OracleElement> binary(const std::string& base, int /*result*/, const StepArguments& a,
                                    const Index& index, ElementContext& context) {
    const plan::BinaryFunction function = plan::binary_function(base);
    if (!function) return std::nullopt;
    if (base == "aten::div" && a.text(2, "rounding_mode", "") != "") throw CannotEvaluate("rounded division");
    const OracleElement x = operand(a, 0, "self", index, context), y = operand(a, 1, "other", index, context);
    const bool sum = base == "aten::add" || base == "aten::sub" || base == "aten::rsub";
    const double alpha = sum ? a.real(2, "alpha", 1) : 1;
    const double value = function(x.value, y.value, alpha);
    double scale = std::abs(value);
    if (sum)
        scale =
            base == "aten::rsub" ? std::abs(alpha) * x.scale + y.scale : x.scale + std::abs(alpha) * y.scale;
    if (base == "aten::mul") scale = x.scale * y.scale;
    if (base == "aten::div") scale = x.scale / std::abs(y.value);
    if (base == "aten::fmod" || base == "aten::remainder" || base == "aten::copysign")
        scale = std::max(scale, x.scale);
    // Squares of kernels may underflow (plan/transform/absolute.cpp).
    if (base == "aten::hypot") scale = std::max(scale, 0x1p-42);
    if (base == "aten::mul" || base == "aten::div" || base == "aten::pow" || base == "aten::hypot")
        return OracleElement{context.noise(value, std::abs(value)), scale};
    if (base == "aten::atan2" || base == "aten::logaddexp" || base == "aten::xlogy") {
        scale = std::max({scale, x.scale, y.scale, 1.0});
        return OracleElement{context.noise(value, scale), scale};
    }
    return OracleElement{sum ? context.noise(value, scale) : value, scale};  // others do not round
}

/// What errors of f(x) are relative to.
struct Magnitude {
    double scale;    ///< of all of them (OracleElement::scale)
    double rounded;  ///< of those of f itself; zero where it is exact
};

Magnitude pointwise_magnitude(const std::string& base, double value, const OracleElement& x) {
    const aten::Operator* op = aten::find(plan::OpName(base).base);
    const double size = std::abs(value);
    switch (op ? op->element : aten::Element::other) {
        case aten::Element::exact:
            return {std::max(size, x.scale), 0};
        case aten::Element::whole:
            return {size, 0};
        case aten::Element::sqrt:
            return {size, size};
        case aten::Element::relative:
            return {size * (1 + x.scale), size * (1 + x.scale)};
        case aten::Element::other:
            break;
    }
    const double scale = std::max({size, x.scale, 1.0});  // kernels compute them from terms near one, or x
    return {scale, scale};
}

}  // namespace

/// Σ_k left[k] · right[k].
OracleElement dot(const Line& left, const Line& right, ElementContext& context) {
    OracleElement sum;
    double squares = 0;
    for (size_t k = 0; k < std::min(left.size(), right.size()); k++) {
        const double product = left[k].value * right[k].value;
        sum.value += product;
        squares += product * product;
        sum.scale += left[k].scale * right[k].scale;
    }
    sum.value = context.noise_of_products(sum.value, sum.scale, static_cast<double>(left.size()), squares);
    return sum;
}

namespace {

OracleElement matrix_product(const Tensor& a, const Tensor& b, const Index& index, ElementContext& context) {
    Line left, right;
    context.line(a, index, index.size() - 1, left);
    context.line(b, index, index.size() - 2, right);
    return dot(left, right, context);
}

std::optional<OracleElement> product(const std::string& base, int /*result*/, const StepArguments& a,
                                     const Index& index, ElementContext& context) {
    if (base == "aten::mm" || base == "aten::bmm")
        return matrix_product(a.tensor(0), a.tensor(1), index, context);
    if (base == "aten::mv" || base == "aten::dot") {
        const Tensor &m = a.tensor(0), &v = a.tensor(1);
        Index row = index;
        row.push_back(0);
        Line left, right;
        context.line(m, row, row.size() - 1, left);
        context.line(v, {0}, 0, right);
        return dot(left, right, context);
    }
    if (base != "aten::addmm" && base != "aten::baddbmm") return std::nullopt;
    const double beta = a.real(3, "beta", 1), alpha = a.real(4, "alpha", 1);
    OracleElement sum = matrix_product(a.tensor(1), a.tensor(2), index, context);
    const OracleElement bias = beta != 0 ? broadcast(a.tensor(0), index, context) : OracleElement{};
    return OracleElement{alpha * sum.value + beta * bias.value,
                         std::abs(alpha) * sum.scale + std::abs(beta) * bias.scale};
}

std::vector<int64_t> dims_of(const Tensor& tensor, std::vector<int64_t> dims) {
    const auto rank = static_cast<int64_t>(tensor.shape.size());
    if (dims.empty())
        for (int64_t d = 0; d < rank; d++) dims.push_back(d);
    for (int64_t& d : dims) {
        if (d < 0) d += rank;
        if (d < 0 || d >= rank) throw CannotEvaluate("a dimension is out of range");
    }
    std::sort(dims.begin(), dims.end());
    return dims;
}

/// The index of the argument with zeros in the reduced dimensions, from the index of the result.
Index unreduced(const Tensor& tensor, const std::vector<int64_t>& dims, const Index& index) {
    if (index.size() == tensor.shape.size()) return index;  // keepdim
    Index out(tensor.shape.size(), 0);
    size_t next = 0;
    for (size_t d = 0; d < out.size(); d++)
        if (!std::binary_search(dims.begin(), dims.end(), static_cast<int64_t>(d))) out[d] = index.at(next++);
    return out;
}

std::optional<OracleElement> reduction(const std::string& base, int result, const StepArguments& a,
                                       const Index& index, ElementContext& context) {
    const bool by_dim = base == "aten::max" || base == "aten::min";
    const bool largest = base == "aten::amax" || base == "aten::max",
               smallest = base == "aten::amin" || base == "aten::min";
    const bool sum = base == "aten::sum" || base == "aten::mean", norm = base == "aten::linalg_vector_norm";
    const bool log_sum = base == "aten::logsumexp", product = base == "aten::prod";
    if (!largest && !smallest && !sum && !norm && !log_sum && !product) return std::nullopt;
    if (result != 0) return std::nullopt;
    const Tensor& x = a.tensor(0);
    if (by_dim && a.tensor_or_null(1, "other")) {
        const OracleElement p = broadcast(x, index, context), q = broadcast(a.tensor(1), index, context);
        return (p.value > q.value) == largest ? p : q;
    }
    const double order = norm ? a.real(1, "ord", 2) : 0;
    if (norm && order != 1 && order != 2) throw CannotEvaluate("a norm other than 1 and 2");
    const bool squares = order == 2;
    const std::vector<int64_t> dims = dims_of(x, a.integers(norm ? 2 : 1, "dim"));
    OracleElement out{largest ? -INFINITY : smallest ? INFINITY : product ? 1 : 0, 0};
    const bool extreme = largest || smallest;
    int64_t count = 0;
    const Index fixed = unreduced(x, dims, index);
    double top = -INFINITY;
    if (log_sum) over(x, dims, fixed, context, [&](const OracleElement& e) { top = std::max(top, e.value); });
    over(x, dims, fixed, context, [&](const OracleElement& e) {
        count++;
        if (extreme) {
            if (std::isnan(e.value) || (largest ? e.value > out.value : e.value < out.value)) out = e;
            return;
        }
        if (product) {
            out.value *= e.value;
            return;
        }
        out.value += squares   ? e.value * e.value
                     : norm    ? std::abs(e.value)
                     : log_sum ? std::exp(e.value - top)
                               : e.value;
        out.scale =
            log_sum ? std::max(out.scale, e.scale) : out.scale + (squares ? e.scale * e.scale : e.scale);
    });
    if (base == "aten::mean")
        out = {out.value / static_cast<double>(count), out.scale / static_cast<double>(count)};
    if (sum || norm || log_sum)
        out.value = context.noise(out.value, sum ? out.scale : out.value, static_cast<double>(count));
    if (product)
        out = {context.noise(out.value, std::abs(out.value), static_cast<double>(count)),
               std::abs(out.value)};
    if (squares) out = {std::sqrt(out.value), std::sqrt(out.scale)};
    if (log_sum) {
        out.scale += 1;
        out.value = context.noise(top + std::log(out.value), out.scale);
    }
    return out;
}

std::optional<OracleElement> softmax(const std::string& base, int /*result*/, const StepArguments& a,
                                     const Index& index, ElementContext& context) {
    if (base != "aten::_softmax" && base != "aten::_log_softmax") return std::nullopt;
    const Tensor& x = a.tensor(0);
    const std::vector<int64_t> dims = dims_of(x, {a.whole(1, "dim", -1)});
    Index key = index;
    key[static_cast<size_t>(dims[0])] = 0;
    const std::vector<OracleElement>& row = context.kept(key, [&] {
        double top = -INFINITY, sum = 0;
        over(x, dims, index, context, [&](const OracleElement& e) { top = std::max(top, e.value); });
        double count = 0;
        over(x, dims, index, context, [&](const OracleElement& e) {
            sum += std::exp(context.noise(e.value - top, std::abs(e.value) + std::abs(top)));
            count++;
        });
        return std::vector<OracleElement>{{top, 0}, {context.noise(sum, sum, count), 0}};
    });
    const OracleElement own = context.at(x, index);
    const double top = row[0].value;
    const double shifted = context.noise(own.value - top, std::abs(own.value) + std::abs(top));
    if (base == "aten::_softmax") {
        const double value = std::exp(shifted) / row[1].value;
        return OracleElement{value, std::abs(value) * (1 + std::abs(shifted) + own.scale)};
    }
    const double value = shifted - std::log(row[1].value);
    return OracleElement{value, std::abs(value) + own.scale + 1};
}

std::optional<OracleElement> variance(const std::string& base, int result, const StepArguments& a,
                                      const Index& index, ElementContext& context) {
    const bool with_mean = base == "aten::var_mean" || base == "aten::std_mean";
    if (!with_mean && base != "aten::var" && base != "aten::std") return std::nullopt;
    const Tensor& x = a.tensor(0);
    const std::vector<int64_t> dims = dims_of(x, a.integers(1, "dim"));
    const Moments m = moments(x, dims, {unreduced(x, dims, index)}, context);
    if (result == 1) return OracleElement{m.mean, m.magnitude};
    const double value = m.squares / std::max(m.count - a.real(99, "correction", 1), 0.0);
    const double deviation = std::sqrt(value);
    // A rounding of the mean moves every difference.
    const double scale = value + 2 * deviation * m.magnitude;
    if (base.starts_with("aten::var")) return OracleElement{value, scale};
    return OracleElement{deviation, deviation + m.magnitude};
}

/// Of each row by itself.
std::optional<OracleElement> nll_loss(const std::string& base, int result, const StepArguments& a,
                                      const Index& index, ElementContext& context) {
    if (base != "aten::nll_loss_forward" || result != 0) return std::nullopt;
    if (a.tensor_or_null(2, "weight") || a.whole(3, "reduction", 1) != 0 || index.size() != 1)
        throw CannotEvaluate("a loss of several rows");
    const auto target = static_cast<int64_t>(context.at(a.tensor(1), index).value);
    if (target == a.whole(4, "ignore_index", -100)) return OracleElement{};
    const Tensor& x = a.tensor(0);
    if (target < 0 || target >= x.shape.back()) throw CannotEvaluate("a class out of range");
    const OracleElement e = context.at(x, {index[0], target});
    return OracleElement{-e.value, e.scale};
}

std::optional<OracleElement> constant(const std::string& base, int /*result*/, const StepArguments& a,
                                      const Index& /*index*/, ElementContext& /*context*/) {
    if (base == "aten::zeros" || base == "aten::zeros_like" || base == "aten::new_zeros" ||
        base == "aten::zero")
        return OracleElement{};
    if (base == "aten::ones" || base == "aten::ones_like" || base == "aten::new_ones")
        return OracleElement{1, 1};
    if (base == "aten::full" || base == "aten::full_like" || base == "aten::fill") {
        const double v = a.real(1, "fill_value", NAN);
        return OracleElement{v, std::abs(v)};
    }
    if (base == "aten::scalar_tensor") {
        const double v = a.real(0, "s", NAN);
        return OracleElement{v, std::abs(v)};
    }
    return std::nullopt;
}

/// Tables that depend on nothing but the index.
std::optional<OracleElement> table(const std::string& base, int /*result*/, const StepArguments& a,
                                   const Index& index, ElementContext& context) {
    if (base == "aten::eye" && index.size() == 2) {
        const double v = index[0] == index[1];
        return OracleElement{v, v};
    }
    if (index.size() != 1 || (base != "aten::arange" && base != "aten::linspace")) return std::nullopt;
    const auto place = static_cast<double>(index[0]);
    double first = 0, step = 1, most = place;
    if (base == "aten::arange") {
        if (a.find(1)) first = a.real(0, "start", 0), step = a.real(2, "step", 1);
        most = std::abs(first) + place * std::abs(step);
    } else {
        first = a.real(0, "start", 0);
        const double last = a.real(1, "end", 0), count = a.real(2, "steps", 1);
        step = count > 1 ? (last - first) / (count - 1) : 0;
        most = std::max(std::abs(first), std::abs(last));
    }
    const double v = first + place * step;
    return OracleElement{first == std::trunc(first) && step == std::trunc(step) ? v : context.noise(v, most),
                         most};
}

/// What takes its elements from other places by a condition, or none.
std::optional<OracleElement> selection(const std::string& base, int /*result*/, const StepArguments& a,
                                       const Index& index, ElementContext& context) {
    if (base == "aten::copy") return broadcast(a.tensor(1), index, context);
    if (base == "aten::where") {
        const bool first = broadcast(a.tensor(0), index, context).value != 0;
        return operand(a, first ? 1 : 2, first ? "self" : "other", index, context);
    }
    if (base == "aten::masked_fill") {
        const bool masked = broadcast(a.tensor(1), index, context).value != 0;
        return operand(a, masked ? 2 : 0, masked ? "value" : "self", index, context);
    }
    return std::nullopt;
}

/// log(z / (1 - z)), z no further than eps from zero and one. Half a unit in the last place of 1 - eps, which
/// is no number of float32, is a large part of a small eps: what the clamp gives is off by that much.
std::optional<OracleElement> clamped_logit(const std::string& base, int /*result*/, const StepArguments& a,
                                           const Index& index, ElementContext& context) {
    const double eps = a.real(1, "eps", -1);
    if (base != "aten::logit" || !(eps > 0)) return std::nullopt;
    constexpr double half_unit = 0x1p-25, of_noise = half_unit / 0x1p-22;  // noise() is two units of one
    const OracleElement x = context.at(a.tensor(0), index);
    const double z = std::clamp(x.value, std::min(eps, 1 - eps), 1 - eps);
    double rest = 1 - z;
    if (x.value > 1 - eps - half_unit) rest = std::max(context.noise(rest, of_noise), eps / 16);
    const double value = std::log(z / rest), scale = std::max({std::abs(value), x.scale, 1.0});
    return OracleElement{context.noise(value, scale), scale};
}

constexpr Family* kFamilies[] = {constant, table,     binary,    product,   reduction,    softmax,  norms,
                                 variance, nll_loss,  windows,   attention, selection,    ordering, moves,
                                 counted,  resampled, scattered, combined,  clamped_logit};
constexpr int kNone = std::size(kFamilies);

}  // namespace

OracleElement evaluate_element(const plan::AtenStep& step, int result, const Index& index,
                               ElementContext& context) {
    const StepArguments a(step);
    const std::string base = plan::base_name(step.op);
    context.work(1);
    int& family = context.family(step);
    for (int f = std::max(family, 0); f < kNone; f++)
        if (auto e = kFamilies[f](base, result, a, index, context)) {
            family = f;
            return *e;
        }
    family = kNone;
    if (const Tensor* x = a.tensor_or_null(0)) {
        if (x->shape.size() == index.size() && result == 0) {
            const OracleElement e = context.at(*x, index);
            if (step.op == "aten::_to_copy") {
                const std::vector<Tensor> to = plan::tensors_in(step.result);
                const double value = plan::cast_value(e.value, to.empty() ? x->dtype : to.front().dtype);
                return {value, to.empty() || plan::is_floating(to.front().dtype) ? e.scale : std::abs(value)};
            }
            if (auto value = plan::pointwise(step.op, e.value, a)) {
                const Magnitude m = pointwise_magnitude(base, *value, e);
                return {context.noise(*value, m.rounded), m.scale};
            }
        }
    }
    throw CannotEvaluate(step.op);
}

}  // namespace tritonsmith::judge
