#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/elements/element_families.h"
#include "judge/elements/element_moments.h"

namespace tritonsmith::judge {

Moments moments(const plan::Tensor& tensor, const std::vector<int64_t>& dims,
                const std::vector<Index>& starts, ElementContext& context) {
    double sum = 0, magnitude = 0, squares = 0, count = 0;
    for (const Index& at : starts)
        over(tensor, dims, at, context, [&](const OracleElement& e) {
            sum += e.value;
            magnitude += e.scale;
            count++;
        });
    const double mean = context.noise(sum / count, magnitude / count, count);
    for (const Index& at : starts)
        over(tensor, dims, at, context, [&](const OracleElement& e) {
            const double d = context.noise(e.value - mean, e.scale + std::abs(mean));
            squares += context.noise(d * d, 0);
        });
    return {mean, magnitude / count, context.noise(squares, squares, count), count};
}

namespace {

using Tensor = plan::Tensor;
/// {mean, magnitude}, {1 / deviation, 0}
using Statistics = std::vector<OracleElement>;

Statistics statistics(const Moments& m, double eps) {
    return {{m.mean, m.magnitude}, {1 / std::sqrt(m.squares / m.count + eps), 0}};
}

/// (x - mean) / deviation · weight + bias. @param at of weight and bias
OracleElement normalised(const OracleElement& x, const Statistics& row, const Tensor* weight,
                         const Tensor* bias, const Index& at, ElementContext& context) {
    OracleElement out{context.noise_inside((x.value - row[0].value) * row[1].value),
                      (x.scale + row[0].scale) * row[1].value};
    if (weight) {
        const OracleElement w = context.at(*weight, at);
        out = {context.noise_inside(out.value * w.value), out.scale * w.scale};
    }
    if (bias) {
        const OracleElement b = context.at(*bias, at);
        out = {out.value + b.value, out.scale + b.scale};
    }
    return out;
}

std::vector<int64_t> dimensions_from(size_t first, const Tensor& x) {
    std::vector<int64_t> dims(x.shape.size() - std::min(first, x.shape.size()));
    std::iota(dims.begin(), dims.end(), static_cast<int64_t>(first));
    return dims;
}

/// (input, normalized_shape, weight?, bias?, eps)
std::optional<OracleElement> layer_norm(const std::string& base, int result, const StepArguments& a,
                                        const Index& index, ElementContext& context) {
    if (base != "aten::native_layer_norm") return std::nullopt;
    if (result != 0) throw CannotEvaluate("the statistics of a norm");
    const Tensor& x = a.tensor(0);
    const size_t outer = x.shape.size() - a.integers(1, "normalized_shape").size();
    const auto split = index.begin() + static_cast<int64_t>(outer);
    const Statistics& row = context.kept(Index(index.begin(), split), [&] {
        return statistics(moments(x, dimensions_from(outer, x), {index}, context), a.real(4, "eps", 1e-5));
    });
    return normalised(context.at(x, index), row, a.tensor_or_null(2, "weight"), a.tensor_or_null(3, "bias"),
                      Index(split, index.end()), context);
}

/// (input, weight?, bias?, N, C, HxW, group, eps)
std::optional<OracleElement> group_norm(const std::string& base, int result, const StepArguments& a,
                                        const Index& index, ElementContext& context) {
    if (base != "aten::native_group_norm") return std::nullopt;
    if (result != 0) throw CannotEvaluate("the statistics of a norm");
    const Tensor& x = a.tensor(0);
    const int64_t channels = x.shape.at(1), groups = a.whole(6, "group", 1);
    if (groups < 1 || channels < groups) throw CannotEvaluate("a norm of empty groups");
    const int64_t length = channels / groups, group = index.at(1) / length;
    const Statistics& row = context.kept({index[0], group}, [&] {
        std::vector<Index> starts;
        for (int64_t c = group * length; c < (group + 1) * length; ++c) {
            starts.push_back(index);
            starts.back()[1] = c;
        }
        return statistics(moments(x, dimensions_from(2, x), starts, context), a.real(7, "eps", 1e-5));
    });
    return normalised(context.at(x, index), row, a.tensor_or_null(1, "weight"), a.tensor_or_null(2, "bias"),
                      {index[1]}, context);
}

/// (input, weight?, bias?, running_mean?, running_var?, training, momentum, eps), of cuDNN too; and without
/// statistics to run along, or for inference only.
std::optional<OracleElement> batch_norm(const std::string& base, int result, const StepArguments& a,
                                        const Index& index, ElementContext& context) {
    const bool inference = base == "aten::_native_batch_norm_legit_no_training";
    if (!inference && base != "aten::native_batch_norm" && base != "aten::cudnn_batch_norm" &&
        base != "aten::_native_batch_norm_legit")
        return std::nullopt;
    if (result != 0) throw CannotEvaluate("the statistics of a norm");
    const plan::Value* fourth = a.find(3);
    const bool alone = fourth && std::holds_alternative<bool>(fourth->v);  // no running statistics at all
    const bool training = !inference && a.flag(alone ? 3 : 5, "training", true);
    const double eps = a.real(alone ? 5 : inference ? 6 : 7, "eps", 1e-5);
    const Tensor& x = a.tensor(0);
    const Index channel{index.at(1)};
    const Statistics& row = context.kept(channel, [&] {
        if (!training) {
            const OracleElement mean = context.at(a.tensor(3), channel),
                                var = context.at(a.tensor(4), channel);
            return Statistics{mean, {1 / std::sqrt(var.value + eps), 0}};
        }
        std::vector<int64_t> dims = dimensions_from(1, x);
        dims.front() = 0;  // all but the channels
        return statistics(moments(x, dims, {index}, context), eps);
    });
    return normalised(context.at(x, index), row, a.tensor_or_null(1, "weight"), a.tensor_or_null(2, "bias"),
                      channel, context);
}

}  // namespace

std::optional<OracleElement> norms(const std::string& base, int result, const StepArguments& a,
                                   const Index& index, ElementContext& context) {
    if (!base.ends_with("_norm") && !base.starts_with("aten::_native_batch_norm_legit")) return std::nullopt;
    for (Family* const family : {&layer_norm, &group_norm, &batch_norm})
        if (auto element = (*family)(base, result, a, index, context)) return element;
    return std::nullopt;
}

}  // namespace tritonsmith::judge
