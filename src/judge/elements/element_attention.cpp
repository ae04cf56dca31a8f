#include <algorithm>
#include <cmath>

#include "judge/elements/element_families.h"

namespace tritonsmith::judge {

namespace {

/// Places of what not every operator has in one place (run/worker/aten/attention.cpp).
struct Places {
    size_t mask, dropout, causal;
};
constexpr size_t kByName = 99;

Places places_of(const std::string& base) {
    if (base == "aten::_scaled_dot_product_flash_attention") return {kByName, 3, 4};
    if (base == "aten::_scaled_dot_product_flash_attention_for_cpu") return {kByName, 3, 4};
    return {3, 5, 6};
}

}  // namespace

std::optional<OracleElement> attention(const std::string& base, int result, const StepArguments& a,
                                       const Index& index, ElementContext& context) {
    if (!base.starts_with("aten::_scaled_dot_product_")) return std::nullopt;
    if (result != 0) throw CannotEvaluate("the statistics of an attention");
    const Places places = places_of(base);
    const plan::Tensor &q = a.tensor(0), &k = a.tensor(1), &v = a.tensor(2);
    const plan::Tensor* bias =
        a.tensor_or_null(places.mask, places.mask == kByName ? "attn_mask" : "attn_bias");
    if (a.real(places.dropout, "dropout_p", 0) != 0) throw CannotEvaluate("attention with dropout");
    // Consecutive heads of queries share one of keys.
    const int64_t heads = q.shape.at(1), shared = k.shape.at(1);
    if (shared < 1 || heads % shared != 0) throw CannotEvaluate("grouped attention");
    const int64_t head = index[1] / (heads / shared);
    const bool causal = a.flag(places.causal, "is_causal", false);
    const int64_t length = k.shape.at(2), depth = q.shape.at(3), row = index[2];
    const double scale = a.real(kByName, "scale", 1 / std::sqrt(static_cast<double>(depth)));
    const Line& p = context.kept({index[0], index[1], row}, [&] {
        Line scores, query, key;
        context.line(q, {index[0], index[1], row, 0}, 3, query);
        for (OracleElement& e : query) e.value = context.noise_inside(e.value);
        double top = -INFINITY, sum = 0;
        for (int64_t j = 0; j < (causal ? std::min(length, row + 1) : length); j++) {
            context.line(k, {index[0], head, j, 0}, 3, key);
            scores.push_back(dot(query, key, context));
            OracleElement& score = scores.back();
            score = {score.value * scale, score.scale * std::abs(scale)};
            if (bias) {
                const OracleElement more = broadcast(*bias, {index[0], index[1], row, j}, context);
                const bool flag = bias->dtype == plan::DType::b1,
                           hidden = flag ? more.value == 0 : std::isinf(more.value);
                if (hidden)
                    score = {-INFINITY, 0};
                else if (!flag)
                    score = {score.value + more.value, score.scale + more.scale};
            }
            top = std::max(top, score.value);
        }
        if (!std::isfinite(top)) throw CannotEvaluate("a row of which all keys are hidden");
        for (OracleElement& s : scores) sum += std::exp(s.value - top);
        for (OracleElement& s : scores) {
            const double shifted = s.value - top, probability = std::exp(shifted) / sum;
            s.value = context.noise_inside(probability);
            s.scale = probability > 0 ? probability * (1 + std::abs(shifted) + s.scale) : 0;
        }
        return scores;
    });
    Line values;
    context.line(v, {index[0], head, 0, index[3]}, 2, values);
    return dot(p, values, context);
}

}  // namespace tritonsmith::judge
