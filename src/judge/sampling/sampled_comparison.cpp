#include "judge/sampling/sampled_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "plan/analysis/flow.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/tensor_position.h"

namespace tritonsmith::judge {

namespace {

/// Elements that the oracle may not have before it is given up.
constexpr int64_t kMostNotKnown = 4;
/// Elements beyond the bound of which it is looked at how well they are conditioned: so many at least, and as
/// many as there is time for.
constexpr size_t kLeastDoubtful = 8;
/// Tries: most elements are explained by few.
constexpr size_t kNoisy[] = {6, 48};
constexpr std::chrono::milliseconds kTimeForDoubtful{50};

bool comparable(plan::DType dtype) {
    return dtype != plan::DType::c64 && dtype != plan::DType::c128;
}

}  // namespace

std::set<int> written_in_forward(const plan::Plan& plan) {
    std::set<int> buffers;
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::forward) continue;
        const plan::OpClass kind = plan::op_class(aten->op);
        if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) continue;
        for (const plan::Tensor& tensor : plan::tensors_in(aten->result)) buffers.insert(tensor.buffer);
        // Running statistics, which no result names.
        for (const plan::ByteRange& range : plan::flow_of(*aten).writes) buffers.insert(range.buffer);
    }
    return buffers;
}

std::vector<SampledOutput> sampled_outputs(const plan::Plan& reference, const plan::Plan& candidate) {
    std::vector<SampledOutput> out;
    std::set<int> returned;
    const auto add = [&](const char* kind, const std::vector<plan::Tensor>& want,
                         const std::vector<plan::Tensor>& got, const auto& wanted) {
        for (size_t i = 0; i < std::min(want.size(), got.size()); i++)
            if (wanted(want[i]) && plan::element_count(got[i]) > 0)
                out.push_back({fmt::format("{}/{}", kind, i), want[i], got[i], comparable(got[i].dtype)});
    };
    const std::vector<plan::Tensor> outputs = plan::tensors_in(reference.output);
    for (const plan::Tensor& tensor : outputs) returned.insert(tensor.buffer);
    add("output", outputs, plan::tensors_in(candidate.output), [](const plan::Tensor&) { return true; });
    const std::set<int> written = written_in_forward(reference);
    add("input", plan::tensors_in(reference.inputs), plan::tensors_in(candidate.inputs),
        [&](const plan::Tensor& t) { return written.contains(t.buffer) && !returned.contains(t.buffer); });
    return out;
}

namespace {

struct Compared {
    int64_t index;
    double expected, scale, found;
};

Finding wrong_result(const SampledOutput& output, const Compared& c, double allowed) {
    const std::vector<int64_t> position = plan::position_of(output.got, c.index);
    auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(fmt::format("{}", v)); };
    return {"wrong_result",
            fmt::format("at full size {}[{}] is {:.9g}, expected {:.9g} (allowed error {:.3g})", output.name,
                        fmt::join(position, ", "), c.found, c.expected, allowed),
            0,
            {{"index", position},
             {"expected", number(c.expected)},
             {"found", number(c.found)},
             {"allowed", allowed}},
            output.name};
}

/// Elements beyond the bound, the worst first.
std::vector<Compared> beyond(const std::vector<Compared>& compared, const SampledLimit& limit) {
    std::vector<Compared> out;
    for (const Compared& c : compared)
        if (!limit.within(c.expected, c.scale, c.found)) out.push_back(c);
    const auto how_far = [&](const Compared& c) {
        const double ratio = std::abs(c.found - c.expected) / limit.allowed(c.expected, c.scale);
        return std::isnan(ratio) ? INFINITY : ratio;
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const Compared& a, const Compared& b) { return how_far(a) > how_far(b); });
    return out;
}

/// The first that computations in float32 do not explain.
std::optional<Finding> first_beyond_noise(const SampledOutput& output, const std::vector<Compared>& doubtful,
                                          const SampledLimit& limit, const Expecting& oracle) {
    const auto deadline = std::chrono::steady_clock::now() + kTimeForDoubtful;
    for (size_t i = 0; i < doubtful.size(); i++) {
        if (i >= kLeastDoubtful && std::chrono::steady_clock::now() > deadline) break;
        const Compared& c = doubtful[i];
        const bool explained = std::any_of(std::begin(kNoisy), std::end(kNoisy), [&](size_t tries) {
            return limit.within_noise(c.expected, c.scale, c.found, oracle.noisy(c.index, tries));
        });
        if (!explained) return wrong_result(output, c, limit.allowed(c.expected, c.scale));
    }
    return std::nullopt;
}

}  // namespace

SampledComparison compare_sampled(const SampledOutput& output,
                                  const std::vector<run::SampledElement>& elements, const Expecting& oracle,
                                  const SampledBound& bound, size_t least,
                                  std::chrono::steady_clock::time_point deadline) {
    SampledComparison result;
    std::vector<Compared> compared;
    const plan::DType dtype = output.got.dtype;
    const int64_t count = plan::element_count(output.got);
    for (const run::SampledElement& element : elements) {
        if (compared.size() >= least && std::chrono::steady_clock::now() > deadline) break;
        if (element.index < 0 || element.index >= count) continue;
        const std::optional<OracleElement> expected = oracle.element(element.index);
        if (!expected) {
            if (++result.not_known > kMostNotKnown && compared.empty()) break;
            continue;
        }
        const auto* bytes = reinterpret_cast<const std::byte*>(&element.bits);
        compared.push_back(
            {element.index, expected->value, expected->scale, plan::read_element(bytes, dtype)});
        result.drawn += !element.of_sample;
        if (element.tile >= 0) result.tiles.insert(element.tile);
    }
    result.compared = static_cast<int64_t>(compared.size());
    std::vector<double> values;
    for (const Compared& c : compared) values.push_back(c.expected);
    const SampledLimit limit(dtype, bound, values);
    result.finding = first_beyond_noise(output, beyond(compared, limit), limit, oracle);
    return result;
}

std::vector<int64_t> diagonal_elements(const plan::Tensor& tensor, int most, std::mt19937_64& random) {
    const int64_t count = plan::element_count(tensor);
    std::vector<int64_t> out;
    if (count <= 0) return out;
    const int64_t step = tensor.shape.size() > 1 ? tensor.shape.back() + 1 : 1;
    const int64_t first = std::uniform_int_distribution<int64_t>(0, count - 1)(random);
    for (int64_t i = 0; i < std::min<int64_t>(most, count); i++) out.push_back((first + i * step) % count);
    return out;
}

std::vector<int64_t> choose_elements(const plan::Tensor& tensor, int most, std::mt19937_64& random) {
    const int64_t count = plan::element_count(tensor);
    if (count <= 0) return {};
    std::vector<int64_t> corners;
    const size_t rank = std::min<size_t>(tensor.shape.size(), 3);
    for (size_t corner = 0; corner < size_t{1} << rank; corner++) {
        int64_t linear = 0;
        for (size_t d = 0; d < tensor.shape.size(); d++) {
            // All but the last few dimensions go with the first bit.
            const size_t bit = d + rank < tensor.shape.size() ? 0 : d + rank - tensor.shape.size();
            linear = linear * tensor.shape[d] + ((corner >> bit & 1) != 0 ? tensor.shape[d] - 1 : 0);
        }
        corners.push_back(linear);
    }
    std::shuffle(corners.begin(), corners.end(), random);
    std::vector<int64_t> out;
    std::set<int64_t> chosen;
    const auto take = [&](int64_t linear) {
        if (chosen.insert(linear).second) out.push_back(linear);
    };
    for (int tries = 0; tries < 4 * most && static_cast<int>(out.size()) < most; tries++) {
        if (tries % 4 == 1 && !corners.empty()) {
            take(corners.back());
            corners.pop_back();
        } else {
            take(std::uniform_int_distribution<int64_t>(0, count - 1)(random));
        }
    }
    return out;
}

}  // namespace tritonsmith::judge
