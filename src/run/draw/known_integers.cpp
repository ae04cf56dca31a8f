#include "run/draw/known_integers.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::run {

namespace {

/// The one step that writes the buffer before the forward phase, or null.
const plan::AtenStep* only_writer(const plan::Plan& plan, int buffer) {
    const plan::AtenStep* writer = nullptr;
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (step.phase == plan::Phase::forward) continue;
        if (!aten && !std::holds_alternative<plan::FreeStep>(step.what))
            return nullptr;  // anything may write
        if (!aten) continue;
        for (const plan::ByteRange& range : plan::flow_of(*aten).writes) {
            if (range.buffer != buffer) continue;
            if (writer) return nullptr;
            writer = aten;
        }
    }
    return writer;
}

bool whole(const plan::Tensor& tensor) {
    return tensor.offset == 0 && plan::byte_range(tensor).covers;
}

std::optional<std::vector<uint8_t>> copied(const plan::Plan& plan, const plan::AtenStep& step,
                                           const plan::Tensor& result, int64_t bytes) {
    const auto* from = plan::argument<plan::Tensor>(step, 0);
    if (!from || from->dtype != result.dtype || from->shape != result.shape ||
        from->stride != result.stride || !whole(*from))
        return std::nullopt;
    const plan::Buffer& source = plan.buffers[static_cast<size_t>(from->buffer)];
    if (source.kind != plan::BufferKind::constant || plan::byte_count(*from) > source.bytes)
        return std::nullopt;
    std::vector<uint8_t> out(source.data.begin(), source.data.begin() + plan::byte_count(*from));
    out.resize(static_cast<size_t>(bytes));
    return out;
}

/// arange(end), arange(start, end) or arange(start, end, step) of integers.
std::optional<std::vector<uint8_t>> counted(const plan::AtenStep& step, const plan::Tensor& result,
                                            int64_t bytes) {
    std::vector<int64_t> numbers;
    for (const plan::Value& value : step.args)
        if (const auto* number = std::get_if<int64_t>(&value.v))
            numbers.push_back(*number);
        else
            return std::nullopt;
    if (numbers.empty() || numbers.size() > 3) return std::nullopt;
    const int64_t start = numbers.size() > 1 ? numbers[0] : 0, by = numbers.size() > 2 ? numbers[2] : 1;
    const int size = plan::element_size(result.dtype);
    std::vector<uint8_t> out(static_cast<size_t>(bytes));
    for (int64_t i = 0; i < plan::element_count(result) && (i + 1) * size <= bytes; ++i) {
        const int64_t value = start + i * by;  // the low bytes, which is what narrower types hold
        std::memcpy(out.data() + i * size, &value, static_cast<size_t>(size));
    }
    return out;
}

}  // namespace

std::optional<std::vector<uint8_t>> known_integers(const plan::Plan& plan, int buffer) {
    const plan::AtenStep* step = only_writer(plan, buffer);
    const auto* result = step ? std::get_if<plan::Tensor>(&step->result.v) : nullptr;
    if (!result || result->buffer != buffer || plan::is_floating(result->dtype) || !whole(*result))
        return std::nullopt;
    const int64_t bytes = plan.buffers[static_cast<size_t>(buffer)].bytes;
    if (plan::byte_count(*result) > bytes) return std::nullopt;
    const std::string_view base = plan::OpName(step->op).base;
    if (base == "_to_copy" || base == "clone") return copied(plan, *step, *result, bytes);
    if (base == "arange") return counted(*step, *result, bytes);
    if (base == "zeros") return std::vector<uint8_t>(static_cast<size_t>(bytes));
    return std::nullopt;
}

}  // namespace tritonsmith::run
