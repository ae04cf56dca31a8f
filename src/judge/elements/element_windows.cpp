#include <algorithm>
#include <cmath>
#include <cstdint>

#include "judge/elements/element_families.h"

/// Convolutions and pools.
namespace tritonsmith::judge {

namespace {

using Tensor = plan::Tensor;

int64_t pick(const std::vector<int64_t>& list, size_t d, int64_t otherwise) {
    return list.empty() ? otherwise : list.size() == 1 ? list[0] : list.at(d);
}

/// Calls body(tap, position) for every tap of a window whose position lies inside; `taps` are kernel sizes.
template <class Body>
void window(const Tensor& x, const Index& index, const std::vector<int64_t>& taps,
            const std::vector<int64_t>& stride, const std::vector<int64_t>& padding,
            const std::vector<int64_t>& dilation, Body body) {
    const size_t spatial = taps.size(), first = x.shape.size() - spatial;
    Index tap(spatial, 0), position(index);
    while (true) {
        bool inside = true;
        for (size_t d = 0; d < spatial; d++) {
            position[first + d] =
                index[first + d] * pick(stride, d, 1) - pick(padding, d, 0) + tap[d] * pick(dilation, d, 1);
            inside = inside && position[first + d] >= 0 && position[first + d] < x.shape[first + d];
        }
        if (inside) body(static_cast<const Index&>(tap), position);
        size_t k = spatial;
        while (k > 0 && ++tap[k - 1] == taps[k - 1]) tap[--k] = 0;
        if (k == 0) return;
    }
}

/// (input, weight, bias?, stride, padding, dilation, transposed, output_padding, groups), weight of [inputs,
/// outputs of a group, ...]: input i reaches output i·stride - padding + tap·dilation.
OracleElement transposed_convolution(const StepArguments& a, const Index& index, ElementContext& context) {
    const Tensor &x = a.tensor(0), &w = a.tensor(1);
    const int64_t per_group = w.shape.at(1), group = index.at(1) / per_group;
    const int64_t inputs = w.shape[0] / a.whole(8, "groups", 1);
    const std::vector<int64_t> taps(w.shape.begin() + 2, w.shape.end()), stride = a.integers(3, "stride"),
                                                                         padding = a.integers(4, "padding"),
                                                                         dilation = a.integers(5, "dilation");
    OracleElement sum;
    double squares = 0, terms = 0;
    Index tap(taps.size(), 0), position(index), weight(w.shape.size(), 0);
    for (;;) {
        bool inside = true;
        for (size_t d = 0; d < taps.size(); d++) {
            const int64_t from = index[d + 2] + pick(padding, d, 0) - tap[d] * pick(dilation, d, 1);
            const int64_t step = pick(stride, d, 1);
            position[d + 2] = from / step;
            weight[d + 2] = tap[d];
            inside = inside && from >= 0 && from % step == 0 && position[d + 2] < x.shape[d + 2];
        }
        for (int64_t c = 0; inside && c < inputs; c++) {
            position[1] = weight[0] = group * inputs + c;
            weight[1] = index[1] % per_group;
            const OracleElement p = context.at(x, position), q = context.at(w, weight);
            sum = {sum.value + p.value * q.value, sum.scale + p.scale * q.scale};
            squares += p.value * p.value * q.value * q.value;
            terms++;
        }
        size_t k = taps.size();
        while (k > 0 && ++tap[k - 1] == taps[k - 1]) tap[--k] = 0;
        if (k == 0) break;
    }
    if (const Tensor* bias = a.tensor_or_null(2, "bias")) {
        const OracleElement b = context.at(*bias, {index[1]});
        sum = {sum.value + b.value, sum.scale + b.scale};
    }
    sum.value = context.noise_of_products(sum.value, sum.scale, terms, squares);
    return sum;
}

std::optional<OracleElement> convolution(const std::string& base, int /*result*/, const StepArguments& a,
                                         const Index& index, ElementContext& context) {
    if (base != "aten::convolution") return std::nullopt;
    const Tensor &x = a.tensor(0), &w = a.tensor(1);
    if (a.flag(6, "transposed", false)) return transposed_convolution(a, index, context);
    const int64_t groups = a.whole(8, "groups", 1);
    const int64_t inputs = w.shape.at(1), per_group = w.shape[0] / groups, group = index.at(1) / per_group;
    const std::vector<int64_t> taps(w.shape.begin() + 2, w.shape.end());
    OracleElement sum;
    double squares = 0;
    for (int64_t c = 0; c < inputs; c++)
        window(x, index, taps, a.integers(3, "stride"), a.integers(4, "padding"), a.integers(5, "dilation"),
               [&](const Index& tap, Index& position) {
                   position[1] = group * inputs + c;
                   Index weight = {index[1], c};
                   weight.insert(weight.end(), tap.begin(), tap.end());
                   const OracleElement p = context.at(x, position), q = context.at(w, weight);
                   sum.value += p.value * q.value;
                   squares += p.value * p.value * q.value * q.value;
                   sum.scale += p.scale * q.scale;
               });
    if (const Tensor* bias = a.tensor_or_null(2, "bias")) {
        const OracleElement b = context.at(*bias, {index[1]});
        sum = {sum.value + b.value, sum.scale + b.scale};
    }
    sum.value = context.noise_of_products(sum.value, sum.scale, static_cast<double>(inputs), squares);
    return sum;
}

/// (input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
std::optional<OracleElement> average_pool(const std::string& base, int /*result*/, const StepArguments& a,
                                          const Index& index, ElementContext& context) {
    if (base != "aten::avg_pool2d" && base != "aten::avg_pool3d") return std::nullopt;
    if (a.flag(4, "ceil_mode", false)) throw CannotEvaluate("a pool whose windows may begin behind the end");
    const Tensor& x = a.tensor(0);
    std::vector<int64_t> taps = a.integers(1, "kernel_size"), stride = a.integers(2, "stride");
    taps.resize(base == "aten::avg_pool2d" ? 2 : 3, taps.front());
    if (stride.empty()) stride = taps;
    OracleElement sum;
    double inside = 0, all = 1;
    window(x, index, taps, stride, a.integers(3, "padding"), {}, [&](const Index&, const Index& position) {
        const OracleElement e = context.at(x, position);
        sum = {sum.value + e.value, sum.scale + e.scale};
        inside++;
    });
    for (const int64_t tap : taps) all *= static_cast<double>(tap);
    const double terms = a.flag(5, "count_include_pad", true) ? all : inside;
    const auto divisor = static_cast<double>(a.whole(6, "divisor_override", static_cast<int64_t>(terms)));
    if (divisor == 0) throw CannotEvaluate("a mean of nothing");
    return OracleElement{context.noise(sum.value / divisor, sum.scale / divisor, inside),
                         sum.scale / divisor};
}

/// (input, output_size): windows between fractions of the sides.
std::optional<OracleElement> adaptive_average_pool(const std::string& base, int /*result*/,
                                                   const StepArguments& a, const Index& index,
                                                   ElementContext& context) {
    if (base != "aten::_adaptive_avg_pool2d" && base != "aten::_adaptive_avg_pool3d") return std::nullopt;
    const Tensor& x = a.tensor(0);
    const std::vector<int64_t> sizes = a.integers(1, "output_size");
    const size_t first = x.shape.size() - sizes.size();
    Index from(index), to(index);
    double terms = 1;
    for (size_t d = 0; d < sizes.size(); d++) {
        const int64_t side = x.shape[first + d], size = sizes[d], at = index[first + d];
        if (size < 1) throw CannotEvaluate("a pool of nothing");
        from[first + d] = at * side / size;
        to[first + d] = ((at + 1) * side + size - 1) / size;
        terms *= static_cast<double>(to[first + d] - from[first + d]);
    }
    OracleElement sum;
    for (Index position(from);;) {
        const OracleElement e = context.at(x, position);
        sum = {sum.value + e.value, sum.scale + e.scale};
        size_t d = x.shape.size();
        while (d > first && ++position[d - 1] == to[d - 1]) {
            position[d - 1] = from[d - 1];
            d--;
        }
        if (d == first) break;
    }
    return OracleElement{context.noise(sum.value / terms, sum.scale / terms, terms), sum.scale / terms};
}

std::optional<OracleElement> max_pool(const std::string& base, int result, const StepArguments& a,
                                      const Index& index, ElementContext& context) {
    if (base != "aten::max_pool2d_with_indices" && base != "aten::max_pool3d_with_indices")
        return std::nullopt;
    const Tensor& x = a.tensor(0);
    std::vector<int64_t> taps = a.integers(1, "kernel_size"), stride = a.integers(2, "stride");
    taps.resize(base == "aten::max_pool2d_with_indices" ? 2 : 3, taps.front());
    if (stride.empty()) stride = taps;
    OracleElement top{-INFINITY, 0};
    double place = -1;
    window(x, index, taps, stride, a.integers(3, "padding"), a.integers(4, "dilation"),
           [&](const Index&, const Index& position) {
               const OracleElement e = context.at(x, position);
               if (place >= 0 && !(e.value > top.value)) return;  // the first of equal ones
               top = e;
               place = 0;  // within its plane, row major
               for (size_t d = x.shape.size() - taps.size(); d < x.shape.size(); d++)
                   place = place * static_cast<double>(x.shape[d]) + static_cast<double>(position[d]);
           });
    if (result != 0) return OracleElement{place, place};
    return top;
}

}  // namespace

std::optional<OracleElement> windows(const std::string& base, int result, const StepArguments& a,
                                     const Index& index, ElementContext& context) {
    for (Family* const family : {&convolution, &average_pool, &adaptive_average_pool, &max_pool})
        if (auto element = (*family)(base, result, a, index, context)) return element;
    return std::nullopt;
}

}  // namespace tritonsmith::judge
