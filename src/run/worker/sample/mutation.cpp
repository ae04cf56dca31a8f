#include "run/worker/sample/mutation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/tensor_position.h"
#include "run/worker/sample/elements.h"

namespace tritonsmith::run::sample {

std::vector<Kept> kept_tensors(const Context& context, const std::vector<plan::Executed>& steps,
                               const Memory& memory) {
    std::set<int> written;
    for (const plan::Executed& e : steps) {
        if (e.step->phase != plan::Phase::forward) continue;
        if (const auto* launch = std::get_if<plan::LaunchStep>(&e.step->what))
            written.merge(written_by(*launch, context.kernels));
        if (const auto* aten = std::get_if<plan::AtenStep>(&e.step->what))
            for (const plan::ByteRange& range : plan::flow_of(*aten).writes) written.insert(range.buffer);
    }
    std::vector<Kept> out;
    const auto add = [&](const std::string& name, const plan::Tensor& tensor) {
        const auto& may_change = context.request.may_change;
        if (written.contains(tensor.buffer) && memory.leaf(tensor.buffer) &&
            std::find(may_change.begin(), may_change.end(), name) == may_change.end())
            out.push_back({name, tensor});
    };
    const std::vector<plan::Tensor> inputs = plan::tensors_in(context.plan().inputs);
    for (size_t i = 0; i < inputs.size(); i++) add(fmt::format("input/{}", i), inputs[i]);
    for (const plan::Weight& weight : context.plan().weights) add("weight/" + weight.name, weight.tensor);
    return out;
}

std::vector<int64_t> changed_elements(ttir::Buffer& buffer, const plan::Tensor& tensor, size_t most,
                                      std::mt19937_64& random) {
    std::vector<int64_t> all;
    const int64_t size = plan::element_size(tensor.dtype);
    std::vector<std::byte> made;
    buffer.for_each_present([&](int64_t offset, int64_t count) {
        made.resize(static_cast<size_t>(count));
        buffer.source()(offset, made.data(), count);
        const std::byte* now = buffer.data() + offset;
        if (std::memcmp(now, made.data(), made.size()) == 0) return;
        for (int64_t at = 0; at + size <= count; at += size) {
            if (std::memcmp(now + at, made.data() + at, static_cast<size_t>(size)) == 0) continue;
            if (const auto linear = plan::linear_index(tensor, (offset + at) / size)) all.push_back(*linear);
        }
    });
    if (all.size() <= most) return all;
    std::vector<int64_t> out{all.back(), all.front()};
    while (out.size() < most)
        out.push_back(all[std::uniform_int_distribution<size_t>(0, all.size() - 1)(random)]);
    out.resize(most);
    return out;
}

std::vector<int64_t> written_by_host(const std::vector<plan::Executed>& steps, const plan::Tensor& tensor,
                                     std::mt19937_64& random) {
    constexpr int of_each = 3;
    std::vector<int64_t> out;
    for (const plan::Executed& e : steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&e.step->what);
        if (!aten || e.step->phase != plan::Phase::forward) continue;
        for (const plan::ByteRange& range : plan::flow_of(*aten).writes) {
            if (range.buffer != tensor.buffer || range.empty()) continue;
            ttir::ByteRanges bytes;
            bytes.add(range.begin, range.end);
            for (int64_t element : elements_within(bytes, tensor, of_each, random)) out.push_back(element);
        }
    }
    return out;
}

Finding mutated(const Kept& kept, int64_t element) {
    const std::vector<int64_t> position = plan::position_of(kept.tensor, element);
    return {"input_mutated",
            fmt::format("at full size the candidate changes {}[{}], which the reference leaves alone",
                        kept.name, fmt::join(position, ", ")),
            0,
            {{"mutated", Json::array({kept.name})}, {"index", position}}};
}

}  // namespace tritonsmith::run::sample
