#include "run/draw/alike_draws.h"

namespace tritonsmith::run {

namespace {

struct Leaf {
    int ordinal;
    plan::DType dtype;
    StepLaw law;
    std::vector<int64_t> shape;

    bool integers() const { return law.distribution.law == Law::integer && law.distribution.count > 1; }
};

int64_t last_of(const std::vector<int64_t>& shape) {
    return shape.empty() ? 1 : shape.back();
}

bool alike(const Leaf& one, const Leaf& other) {
    if (one.dtype != other.dtype) return false;
    const bool reals = one.law.variant_applies && other.law.variant_applies;
    const Distribution &a = one.law.distribution, &b = other.law.distribution;
    const bool integers = one.integers() && other.integers() && a.low == b.low && a.count == b.count;
    if (!reals && !integers) return false;
    return one.shape == other.shape ||
           (one.shape.size() > 1 && other.shape.size() > 1 && last_of(one.shape) == last_of(other.shape));
}

}  // namespace

std::map<int, AlikeDraw> alike_draws(const plan::Plan& plan) {
    std::vector<Leaf> leaves;
    std::map<int, AlikeDraw> out;
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::inputs || aten->draw < 0) continue;
        const auto law = step_law(*aten);
        const auto* result = std::get_if<plan::Tensor>(&aten->result.v);
        if (!law || !result) continue;
        const Leaf leaf{aten->draw, result->dtype, *law, result->shape};
        for (const Leaf& earlier : leaves)
            if (alike(earlier, leaf)) {
                out[leaf.ordinal] = {earlier.ordinal, earlier.law.distribution, earlier.shape};
                break;
            }
        leaves.push_back(leaf);
    }
    return out;
}

}  // namespace tritonsmith::run
