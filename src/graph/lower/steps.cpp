#include "graph/lower/steps.h"

#include <algorithm>

#include "plan/ir/json.h"

namespace tritonsmith::graph {

Steps::Steps(plan::Plan plan) : plan_(std::move(plan)) {
    std::erase_if(plan_.steps, [](const plan::Step& step) { return step.phase == plan::Phase::forward; });
    for (const plan::Buffer& buffer : plan_.buffers)
        address_ = std::max(address_, buffer.address + static_cast<uint64_t>(buffer.bytes));
    address_ = (address_ + (uint64_t{1} << 30)) & ~uint64_t{511};
}

plan::Value Steps::dtype(DType type) {
    return {plan::Symbol{plan::Symbol::Kind::dtype, plan::dtype_name(type)}};
}
plan::Value Steps::number(const Number& number) {
    return std::visit([](auto value) { return plan::Value{value}; }, number);
}
plan::Value Steps::list(const std::vector<int64_t>& items) {
    plan::Sequence out;
    for (int64_t item : items) out.items.push_back({item});
    return {out};
}
plan::Value Steps::tensors(const std::vector<plan::Tensor>& items) {
    plan::Sequence out;
    for (const plan::Tensor& item : items) out.items.push_back({item});
    return {out};
}

plan::Tensor Steps::fresh(DType dtype, Shape shape) {
    plan::Tensor out{static_cast<int>(plan_.buffers.size()), dtype, shape, row_major(shape), 0};
    plan::Buffer buffer;
    buffer.id = out.buffer;
    buffer.bytes = element_count(shape) * plan::element_size(dtype);
    buffer.address = address_;
    buffer.line = line_;
    address_ += static_cast<uint64_t>((buffer.bytes + 1023) / 512 * 512);
    plan_.buffers.push_back(std::move(buffer));
    return out;
}

std::vector<plan::Tensor> Steps::make_all(const std::string& op, plan::List args,
                                          const std::vector<std::pair<DType, Shape>>& results,
                                          std::vector<std::pair<std::string, plan::Value>> kwargs) {
    std::vector<plan::Tensor> out;
    for (const auto& [dtype, shape] : results) out.push_back(fresh(dtype, shape));
    plan::Value result = out.size() == 1 ? plan::Value{out.front()} : tensors(out);
    plan_.steps.push_back({plan::AtenStep{op, std::move(args), std::move(kwargs), std::move(result)},
                           plan::Phase::forward, line_});
    return out;
}

plan::Tensor Steps::make(const std::string& op, plan::List args, DType dtype, Shape shape,
                         std::vector<std::pair<std::string, plan::Value>> kwargs) {
    return make_all(op, std::move(args), {{dtype, std::move(shape)}}, std::move(kwargs)).front();
}

plan::Tensor Steps::seen(const plan::Tensor& of, const Shape& shape) {
    if (of.shape == shape) return of;
    plan::Tensor out{of.buffer, of.dtype, shape, row_major(shape), of.offset};
    plan_.steps.push_back(
        {plan::AtenStep{"aten::view", {{of}, list(shape)}, {}, {out}}, plan::Phase::forward, line_});
    return out;
}

plan::Tensor Steps::filled(const Number& value, DType dtype, const Shape& shape) {
    return make("aten::full", {list(shape), number(value)}, dtype, shape,
                {{"dtype", Steps::dtype(dtype)},
                 {"device", {plan::Symbol{plan::Symbol::Kind::device, plan_.device}}}});
}

plan::Tensor Steps::cast(const plan::Tensor& of, DType dtype) {
    if (of.dtype == dtype) return of;
    return make("aten::_to_copy", {{of}}, dtype, of.shape,
                {{"dtype", Steps::dtype(dtype)},
                 {"memory_format", {plan::Symbol{plan::Symbol::Kind::memory_format, "contiguous_format"}}}});
}

void Steps::overwrite(const plan::Tensor& into, const plan::Tensor& from) {
    plan_.steps.push_back(
        {plan::AtenStep{"aten::copy_", {{into}, {from}}, {}, {into}}, plan::Phase::forward, line_});
}

plan::Tensor Steps::constant(const std::vector<uint8_t>& bytes, DType dtype, const Shape& shape) {
    const plan::Tensor held = fresh(dtype, shape);
    plan::Buffer& buffer = plan_.buffers.back();
    buffer.kind = plan::BufferKind::constant;
    buffer.data = bytes;
    return held;
}

}  // namespace tritonsmith::graph
