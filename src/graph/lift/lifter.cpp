#include "graph/lift/lifter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

/// Calls `visit` with each tensor of an argument and its path inside of it: "", "[1]", "['mask']".
void each_tensor(const plan::Value& value, const std::string& path,
                 const std::function<void(const plan::Tensor&, const std::string&)>& visit) {
    if (const auto* tensor = std::get_if<plan::Tensor>(&value.v)) visit(*tensor, path);
    if (const auto* list = std::get_if<plan::Sequence>(&value.v))
        for (size_t i = 0; i < list->items.size(); ++i)
            each_tensor(list->items[i], fmt::format("{}[{}]", path, i), visit);
    if (const auto* dict = std::get_if<plan::Dict>(&value.v))
        for (const auto& [key, item] : dict->items)
            each_tensor(item, fmt::format("{}['{}']", path, key), visit);
}

/// No two elements at one place, and no gaps between them.
bool is_dense(const plan::Tensor& tensor) {
    std::vector<std::pair<int64_t, int64_t>> axes;
    for (size_t i = 0; i < tensor.shape.size(); ++i)
        if (tensor.shape[i] != 1) axes.emplace_back(tensor.stride[i], tensor.shape[i]);
    std::sort(axes.begin(), axes.end());
    int64_t next = 1;
    for (const auto& [stride, size] : axes) {
        if (stride != next) return false;
        next *= size;
    }
    return true;
}

bool same_place(const plan::Tensor& tensor, const Shape& shape, const std::vector<int64_t>& stride,
                int64_t offset) {
    if (tensor.shape != shape || tensor.offset != offset) return false;
    for (size_t i = 0; i < shape.size(); ++i)
        if (shape[i] > 1 && tensor.stride[i] != stride[i]) return false;
    return true;
}

template <class T>
T bits(const std::vector<uint8_t>& data, int64_t element) {
    T value;
    std::memcpy(&value, data.data() + static_cast<size_t>(element) * sizeof(T), sizeof(T));
    return value;
}

/// One element of a constant; nothing for the dtypes that a host number has no form for.
std::optional<Number> element(const plan::Buffer& buffer, const plan::Tensor& tensor) {
    const auto& data = buffer.data;
    const int64_t at = tensor.offset;
    switch (tensor.dtype) {
        case DType::f64:
            return bits<double>(data, at);
        case DType::f32:
            return static_cast<double>(bits<float>(data, at));
        case DType::i64:
            return bits<int64_t>(data, at);
        case DType::i32:
            return static_cast<int64_t>(bits<int32_t>(data, at));
        case DType::i16:
            return static_cast<int64_t>(bits<int16_t>(data, at));
        case DType::i8:
            return static_cast<int64_t>(bits<int8_t>(data, at));
        case DType::u8:
            return static_cast<int64_t>(bits<uint8_t>(data, at));
        case DType::b1:
            return bits<uint8_t>(data, at) != 0;
        default:
            return std::nullopt;
    }
}

}  // namespace

Lifter::Lifter(const plan::Plan& plan, const Names& names) : plan_(plan), names_(names) {
    for (const plan::Weight& weight : plan.weights) setup_.insert(weight.tensor.buffer);
    for (const plan::Step& step : plan.steps)
        if (const auto* aten = std::get_if<plan::AtenStep>(&step.what);
            aten && step.phase == plan::Phase::init)
            for (const plan::Tensor& made : plan::tensors_in(aten->result)) setup_.insert(made.buffer);
    for (size_t i = 0; i < plan.inputs.size(); ++i)
        each_tensor(plan.inputs[i], "", [&](const plan::Tensor& tensor, const std::string& path) {
            if (contents_.contains(tensor.buffer)) return;
            const std::string name = i < names.inputs.size() ? names.inputs[i] : fmt::format("input{}", i);
            const int value = graph_.add(
                {Input{static_cast<int>(i), path, tensor.stride, tensor.buffer}, {}, {}, -1, 0, ""},
                {{tensor.dtype, tensor.shape}}, name + path);
            leaves_[tensor.buffer] = value;
            contents_[tensor.buffer] = {graph_.whole(value), tensor.stride, tensor.offset};
        });
}

void Lifter::at(int step, int line, const std::string& op) {
    step_ = step;
    line_ = line;
    op_ = op;
}

std::vector<Operand> Lifter::emit_all(NodeKind kind, std::vector<Operand> operands,
                                      std::vector<std::pair<DType, Shape>> results) {
    const int first =
        graph_.add({std::move(kind), std::move(operands), {}, step_, line_, op_}, std::move(results));
    std::vector<Operand> out;
    for (int value = first; value < static_cast<int>(graph_.values.size()); ++value)
        out.push_back(graph_.whole(value));
    return out;
}

Operand Lifter::emit(NodeKind kind, std::vector<Operand> operands, DType dtype, Shape shape) {
    return emit_all(std::move(kind), std::move(operands), {{dtype, std::move(shape)}}).front();
}

Operand Lifter::constant(Number number, DType dtype, Shape shape) {
    Pointwise fill;
    fill.body.constant(number, dtype);
    return emit(std::move(fill), {}, dtype, std::move(shape));
}

Lifter::Contents Lifter::leaf(const plan::Tensor& tensor) {
    const plan::Buffer& buffer = plan_.buffers[static_cast<size_t>(tensor.buffer)];
    if (buffer.kind == plan::BufferKind::constant) {
        if (element_count(tensor.shape) == 1)
            if (std::optional<Number> number = element(buffer, tensor))
                return {constant(*number, tensor.dtype, tensor.shape), tensor.stride, tensor.offset};
        if (!is_dense(tensor) || tensor.offset != 0 || tensor.stride != row_major(tensor.shape))
            throw Unliftable{"a view of a constant"};
        const int value =
            graph_.add({Constant{buffer.data}, {}, {}, -1, line_, ""}, {{tensor.dtype, tensor.shape}});
        return {graph_.whole(value), tensor.stride, 0};
    }
    for (const plan::Weight& weight : plan_.weights) {
        if (weight.tensor.buffer != tensor.buffer) continue;
        const int value = graph_.add(
            {Weight{weight.name, weight.parameter, weight.tensor.stride, tensor.buffer}, {}, {}, -1, 0, ""},
            {{weight.tensor.dtype, weight.tensor.shape}}, weight.name);
        leaves_[tensor.buffer] = value;
        return {graph_.whole(value), weight.tensor.stride, weight.tensor.offset};
    }
    for (const plan::Step& step : plan_.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::init) continue;
        for (const plan::Tensor& made : plan::tensors_in(aten->result)) {
            if (made.buffer != tensor.buffer || !is_dense(made)) continue;
            const int value =
                graph_.add({Attribute{step.line, made.stride, tensor.buffer}, {}, {}, -1, step.line, ""},
                           {{made.dtype, made.shape}});
            leaves_[tensor.buffer] = value;
            return {graph_.whole(value), made.stride, made.offset};
        }
    }
    throw Unliftable{"it reads memory that nothing known has written"};
}

const Lifter::Contents& Lifter::contents(const plan::Tensor& tensor) {
    auto found = contents_.find(tensor.buffer);
    if (found == contents_.end()) found = contents_.emplace(tensor.buffer, leaf(tensor)).first;
    return found->second;
}

Operand Lifter::read(const plan::Tensor& tensor) {
    const Contents& from = contents(tensor);
    if (from.operand.dtype != tensor.dtype)
        throw Unliftable{fmt::format("it reads the bits of {} as {}", plan::dtype_name(from.operand.dtype),
                                     plan::dtype_name(tensor.dtype))};
    if (same_place(tensor, from.operand.shape(), from.stride, from.offset)) return from.operand;
    const std::optional<IndexMap> map =
        map_of(tensor.shape, {tensor.stride, tensor.offset - from.offset}, from.operand.shape(), from.stride);
    if (!map) throw Unliftable{"it reads a view that leaves the tensor in its memory"};
    return through(graph_, from.operand, *map);
}

void Lifter::write(const plan::Tensor& tensor, const Operand& operand) {
    const Operand now = converted(graph_, operand, tensor.dtype);
    if (setup_.contains(tensor.buffer)) contents(tensor);
    auto found = contents_.find(tensor.buffer);
    if (found == contents_.end()) {
        contents_[tensor.buffer] = {now, tensor.stride, tensor.offset};
        return;
    }
    Contents& old = found->second;
    if (old.operand.dtype == tensor.dtype && now == read(tensor))
        return;  // x[i] += 1 copies x[i] into itself
    if (same_place(tensor, old.operand.shape(), old.stride, old.offset)) {
        old.operand = now;
        return;
    }
    if (old.operand.dtype != tensor.dtype) throw Unliftable{"it writes bits of another dtype"};
    if (is_dense(tensor) && tensor.offset == old.offset &&
        element_count(tensor.shape) == element_count(old.operand.shape())) {
        old = {now, tensor.stride, tensor.offset};
        return;
    }
    write_part(tensor, now, old);
}

/// new[k] = inside(k) ? operand[inverse(k)] : old[k], over the old contents' axes.
void Lifter::write_part(const plan::Tensor& tensor, const Operand& operand, Contents& old) {
    const Shape& shape = old.operand.shape();
    const std::optional<IndexMap> map =
        map_of(tensor.shape, {tensor.stride, tensor.offset - old.offset}, shape, old.stride);
    if (!map) throw Unliftable{"it writes a view that leaves the tensor in its memory"};
    IndexMap inverse{shape, std::vector<Index>(tensor.shape.size(), Index(0))};
    Pointwise body;
    int inside = -1;
    auto demand = [&](ScalarOp op, const Index& at, int64_t bound) {
        const int position = body.body.index(at);
        const int number = body.body.constant(bound, DType::i64);
        const int test = body.body.apply(op, {position, number}, DType::b1);
        inside = inside < 0 ? test : body.body.apply(ScalarOp::logical_and, {inside, test}, DType::b1);
    };
    std::set<int> used;
    for (size_t k = 0; k < shape.size(); ++k) {
        const Index& at = map->index[k];
        const Index here = shape[k] == 1 ? Index(0) : Index::axis(static_cast<int>(k));
        if (at.is_constant()) {
            if (shape[k] > 1) demand(ScalarOp::eq, here, at.constant());
            inverse.guards.push_back({here - at.constant(), 1});
            continue;
        }
        if (!at.affine() || at.terms().size() != 1 || at.terms()[0].coefficient < 1 ||
            !used.insert(at.terms()[0].axis).second)
            throw Unliftable{"it writes in place through a view that cannot be inverted"};
        const auto axis = static_cast<size_t>(at.terms()[0].axis);
        const int64_t step = at.terms()[0].coefficient, first = at.constant();
        const int64_t span = step * (tensor.shape[axis] - 1) + 1;
        inverse.index[axis] = quotient(here - first, step, shape);
        if (first > 0) demand(ScalarOp::ge, here, first);
        if (first + span < shape[k]) demand(ScalarOp::lt, here, first + span);
        if (step > 1) demand(ScalarOp::eq, remainder(here - first, step, shape), 0);
        if (first > 0 || first + span < shape[k]) inverse.guards.push_back({here - first, span});
    }
    for (size_t d = 0; d < tensor.shape.size(); ++d)
        if (tensor.shape[d] > 1 && !used.contains(static_cast<int>(d)))
            throw Unliftable{"it writes in place through a view whose elements share memory"};
    std::erase_if(inverse.guards, [&](const Guard& guard) {
        const Index::Range bounds = guard.at.range(shape);
        return bounds.low >= 0 && bounds.high < guard.extent;
    });
    if (inside < 0) {
        old.operand = through(graph_, operand, inverse);
        return;
    }
    const int fresh = body.body.operand(0, tensor.dtype), before = body.body.operand(1, tensor.dtype);
    body.body.apply(ScalarOp::where, {inside, fresh, before}, tensor.dtype);
    const Operand added = through(graph_, operand, inverse);
    old.operand = emit(std::move(body), {added, old.operand}, tensor.dtype, shape);
}

Graph Lifter::finish() {
    graph_.form = plan_.output;
    for (const plan::Tensor& tensor : plan::tensors_in(plan_.output))
        graph_.outputs.push_back({read(tensor), tensor.stride});
    for (const auto& [buffer, value] : leaves_) {
        const Contents& now = contents_.at(buffer);
        if (now.operand == graph_.whole(value)) continue;
        // Its axes may be in another order after a write through a transposed view.
        const Node& leaf = graph_.maker(value);
        plan::Tensor place{buffer,
                           graph_.values[static_cast<size_t>(value)].dtype,
                           graph_.values[static_cast<size_t>(value)].shape,
                           {},
                           0};
        if (const auto* input = std::get_if<Input>(&leaf.kind)) place.stride = input->stride;
        if (const auto* weight = std::get_if<Weight>(&leaf.kind)) place.stride = weight->stride;
        if (const auto* attribute = std::get_if<Attribute>(&leaf.kind)) place.stride = attribute->stride;
        place.offset = now.offset;
        const Operand changed = read(place);
        if (!(changed == graph_.whole(value))) graph_.updates.push_back({value, changed});
    }
    name_values();
    drop_unused(graph_);
    return std::move(graph_);
}

/// Of the nodes of one statement the last one makes what the statement names.
void Lifter::name_values() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
        const Node& node = graph_.nodes[i];
        const auto name = names_.lines.find(node.line);
        if (is_leaf(node) || name == names_.lines.end()) continue;
        if (i + 1 < graph_.nodes.size() && graph_.nodes[i + 1].line == node.line &&
            !is_leaf(graph_.nodes[i + 1]))
            continue;
        graph_.values[static_cast<size_t>(node.results.front())].name = name->second;
    }
}

}  // namespace tritonsmith::graph
