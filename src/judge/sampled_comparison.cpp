#include "judge/sampled_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "judge/tensor_position.h"
#include "plan/flow.h"
#include "plan/json.h"
#include "plan/ops.h"

namespace tritonsmith::judge {

namespace {

bool comparable(const plan::Plan& reference, plan::DType dtype) {
    if (plan::is_floating(dtype)) return true;
    if (dtype == plan::DType::c64 || dtype == plan::DType::c128) return false;
    const std::vector<plan::Tensor> inputs = plan::tensors_in(reference.inputs);
    return std::all_of(inputs.begin(), inputs.end(),
                       [](const plan::Tensor& t) { return plan::is_floating(t.dtype); });
}

/// Buffers that operators of the forward phase write.
std::set<int> written_in_forward(const plan::Plan& plan) {
    std::set<int> buffers;
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::forward) continue;
        const plan::OpClass kind = plan::op_class(aten->op);
        if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) continue;
        for (const plan::Tensor& tensor : plan::tensors_in(aten->result)) buffers.insert(tensor.buffer);
    }
    return buffers;
}

}  // namespace

std::vector<SampledOutput> sampled_outputs(const plan::Plan& reference, const plan::Plan& candidate) {
    std::vector<SampledOutput> out;
    std::set<int> returned;
    const auto add = [&](const char* kind, const std::vector<plan::Tensor>& want,
                         const std::vector<plan::Tensor>& got, const auto& wanted) {
        for (size_t i = 0; i < std::min(want.size(), got.size()); i++)
            if (wanted(want[i]) && comparable(reference, got[i].dtype) && plan::element_count(got[i]) > 0)
                out.push_back({fmt::format("{}/{}", kind, i), want[i], got[i]});
    };
    const std::vector<plan::Tensor> outputs = plan::tensors_in(reference.output);
    for (const plan::Tensor& tensor : outputs) returned.insert(tensor.buffer);
    add("output", outputs, plan::tensors_in(candidate.output), [](const plan::Tensor&) { return true; });
    const std::set<int> written = written_in_forward(reference);
    add("input", plan::tensors_in(reference.inputs), plan::tensors_in(candidate.inputs),
        [&](const plan::Tensor& t) { return written.contains(t.buffer) && !returned.contains(t.buffer); });
    return out;
}

std::vector<int64_t> position_of(const plan::Tensor& tensor, int64_t element) {
    std::vector<int64_t> position(tensor.shape.size());
    for (size_t d = position.size(); d-- > 0;) {
        position[d] = element % tensor.shape[d];
        element /= tensor.shape[d];
    }
    return position;
}

int64_t storage_offset(const plan::Tensor& tensor, int64_t element) {
    int64_t at = tensor.offset;
    for (size_t d = tensor.shape.size(); d-- > 0;) {
        at += element % tensor.shape[d] * tensor.stride[d];
        element /= tensor.shape[d];
    }
    return at;
}

SampledComparison compare_sampled(const SampledOutput& output, const std::vector<int64_t>& elements,
                                  const ttir::Buffer& buffer, ElementOracle& oracle, const Tolerance& limits,
                                  std::chrono::steady_clock::time_point deadline) {
    struct Compared {
        int64_t index;
        double expected, found;
    };
    SampledComparison result;
    std::vector<Compared> compared;
    double squares = 0;
    const plan::Tensor& got = output.got;
    const int64_t size = plan::element_size(got.dtype);
    for (int64_t index : elements) {
        if (std::chrono::steady_clock::now() > deadline) break;
        std::optional<OracleElement> expected = oracle.element(output.want, index);
        if (!expected) break;  // an operator without element form: the same for all
        const std::byte* at = buffer.data() + storage_offset(got, index) * size;
        compared.push_back({index, expected->value, read_element(at, got.dtype)});
        squares += std::isfinite(expected->value) ? expected->value * expected->value : 0;
    }
    result.compared = static_cast<int64_t>(compared.size());
    const double rms = compared.empty() ? 0 : std::sqrt(squares / static_cast<double>(compared.size()));
    const double tolerance = size < 4 ? limits.low : limits.f32;
    // A rounding error turns a few integers into their neighbours, and a few comparisons over.
    const bool integers = !plan::is_floating(got.dtype);
    const double step = integers && got.dtype != plan::DType::b1 ? 1 : 0;
    const auto allowed_for = [&](const Compared& c) {
        return integers ? step : tolerance * std::max(std::abs(c.expected), rms);
    };
    const auto right = [&](const Compared& c) {
        const bool same = std::isnan(c.expected) ? std::isnan(c.found) : c.expected == c.found;
        return same || std::abs(c.found - c.expected) <= allowed_for(c);
    };
    if (integers && std::count_if(compared.begin(), compared.end(), right) * 4 >=
                        static_cast<int64_t>(compared.size()) * 3)
        return result;
    for (const Compared& c : compared) {
        if (right(c)) continue;
        const double allowed = allowed_for(c);
        const std::vector<int64_t> position = position_of(got, c.index);
        auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(fmt::format("{}", v)); };
        result.finding =
            Finding{"wrong_result",
                    fmt::format("at full size {}[{}] is {:.9g}, expected {:.9g} (allowed error {:.3g})",
                                output.name, fmt::join(position, ", "), c.found, c.expected, allowed),
                    0,
                    {{"output", output.name},
                     {"index", position},
                     {"expected", number(c.expected)},
                     {"found", number(c.found)},
                     {"allowed", allowed}}};
        break;
    }
    return result;
}

std::vector<int64_t> elements_within(const ttir::ByteRanges& bytes, const plan::Tensor& tensor, int most,
                                     std::mt19937_64& random) {
    const int64_t size = plan::element_size(tensor.dtype);
    std::vector<int64_t> before;  // elements in the ranges up to each
    std::vector<int64_t> first;
    int64_t total = 0;
    for (const ttir::ByteRange& r : bytes.ranges()) {
        const int64_t begin = (r.begin + size - 1) / size, end = r.end / size;
        if (end <= begin) continue;
        before.push_back(total);
        first.push_back(begin);
        total += end - begin;
    }
    std::set<int64_t> chosen;
    std::vector<int64_t> out;
    const auto take = [&](int64_t place) {
        const size_t range =
            static_cast<size_t>(std::upper_bound(before.begin(), before.end(), place) - before.begin()) - 1;
        const auto position = position_in(tensor, first[range] + place - before[range]);
        if (!position) return;
        int64_t linear = 0;
        for (size_t d = 0; d < position->size(); d++) linear = linear * tensor.shape[d] + (*position)[d];
        if (chosen.insert(linear).second) out.push_back(linear);
    };
    for (size_t r = 0; r < before.size() && static_cast<int>(r) < most / 4; r++) {
        take(before[r]);
        take((r + 1 < before.size() ? before[r + 1] : total) - 1);
    }
    for (int tries = 0; tries < 4 * most && total > 0 && static_cast<int>(out.size()) < most; tries++)
        take(std::uniform_int_distribution<int64_t>(0, total - 1)(random));
    std::shuffle(out.begin(), out.end(), random);
    return out;
}

}  // namespace tritonsmith::judge
