#include "judge/full_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "judge/compare.h"
#include "judge/element_ops.h"
#include "judge/known_integers.h"
#include "plan/json.h"
#include "plan/ops.h"
#include "run/draw.h"

namespace tritonsmith::judge {

namespace {

/// The one drawing step that fills a buffer before the forward phase, or null.
const plan::Step* only_draw(const plan::Plan& plan, int buffer) {
    const plan::Step* draw = nullptr;
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase == plan::Phase::forward) continue;
        const plan::OpClass kind = plan::op_class(aten->op);
        if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) continue;
        for (const plan::Tensor& tensor : plan::tensors_in(aten->result))
            if (tensor.buffer == buffer) {
                if (draw || aten->draw < 0) return nullptr;
                draw = &step;
            }
    }
    return draw;
}

/// Contents that repeat one element.
ttir::PageSource repeated(std::vector<std::byte> element) {
    return [element = std::move(element)](int64_t offset, std::byte* out, int64_t count) {
        const auto size = static_cast<int64_t>(element.size());
        for (int64_t i = 0; i < count; i++) out[i] = element[static_cast<size_t>((offset + i) % size)];
    };
}

std::optional<double> constant_of(const plan::AtenStep& step) {
    const StepArguments a(step);
    const std::string base = step.op.substr(0, step.op.find('.'));
    try {
        if (base.find("zero") != std::string::npos) return 0;
        if (base.find("ones") != std::string::npos) return 1;
        if (base == "aten::full" || base == "aten::full_like" || base == "aten::fill_")
            return a.real(1, "fill_value", NAN);
        if (base == "aten::new_full") return a.real(2, "fill_value", NAN);
    } catch (const CannotEvaluate&) {
    }
    return std::nullopt;
}

std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape) {
    std::vector<int64_t> stride(shape.size());
    int64_t n = 1;
    for (size_t d = shape.size(); d-- > 0;) {
        stride[d] = n;
        n *= std::max<int64_t>(shape[d], 1);
    }
    return stride;
}

bool fills_buffer(const plan::Tensor& tensor, int64_t bytes) {
    int64_t count = 1;
    for (int64_t d : tensor.shape) count *= d;
    return tensor.offset == 0 && tensor.stride == contiguous_strides(tensor.shape) &&
           count * plan::element_size(tensor.dtype) <= bytes;
}

}  // namespace

FullMemory::FullMemory(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
                       uint64_t seed, PageCache& pages, std::set<int> written)
    : reference_(reference), candidate_(candidate), seed_(seed), pages_(pages), written_(std::move(written)) {
    const std::vector<plan::Tensor> theirs = plan::tensors_in(reference.inputs),
                                    ours = plan::tensors_in(candidate.inputs);
    for (size_t i = 0; i < std::min(theirs.size(), ours.size()); i++) {
        Shared buffer = make_leaf(theirs[i], fmt::format("input {}", i));
        reference_buffers_[theirs[i].buffer] = buffer;
        buffers_[ours[i].buffer] = leaf_for(ours[i].buffer, buffer, theirs[i]);
        leaves_.insert(ours[i].buffer);
    }
    std::map<std::string, const plan::Weight*> by_name;
    for (const plan::Weight& weight : reference.weights) {
        by_name[weight.name] = &weight;
        if (!reference_buffers_.contains(weight.tensor.buffer) && weight.parameter)
            reference_buffers_[weight.tensor.buffer] =
                make_leaf(weight.tensor, "weight '" + weight.name + "'");
    }
    for (const plan::Weight& weight : candidate.weights) {
        const auto link = links.by_candidate.find(weight.name);
        if (link == links.by_candidate.end() || !by_name.contains(link->second)) continue;
        const plan::Weight& other = *by_name[link->second];
        const auto shared = reference_buffers_.find(other.tensor.buffer);
        const int64_t bytes = candidate.buffers[static_cast<size_t>(weight.tensor.buffer)].bytes;
        if (shared == reference_buffers_.end() || other.tensor.dtype != weight.tensor.dtype ||
            !fills_buffer(weight.tensor, bytes) || shared->second->bytes() < bytes)
            continue;
        buffers_[weight.tensor.buffer] = leaf_for(weight.tensor.buffer, shared->second, other.tensor);
        leaves_.insert(weight.tensor.buffer);
    }
}

FullMemory::Shared FullMemory::leaf_for(int id, const Shared& shared, const plan::Tensor& theirs) {
    return written_.contains(id) ? make_leaf(theirs, shared->name()) : shared;
}

FullMemory::Shared FullMemory::unchanged(int id) {
    const Shared& now = buffers_[id];
    if (!written_.contains(id)) return now;
    auto copy = std::make_shared<ttir::Buffer>(now->bytes(), now->address(), now->name(), Touch::sparse);
    copy->set_source(now->source());
    return copy;
}

std::vector<int> FullMemory::unlinked_parameters() const {
    std::vector<int> out;
    for (const plan::Weight& weight : candidate_.weights)
        if (weight.parameter && !leaves_.contains(weight.tensor.buffer)) out.push_back(weight.tensor.buffer);
    return out;
}

bool FullMemory::narrow_outputs() const {
    const std::vector<plan::Tensor> outputs = plan::tensors_in(reference_.output);
    return std::any_of(outputs.begin(), outputs.end(), [](const plan::Tensor& t) {
        return plan::is_floating(t.dtype) && plan::element_size(t.dtype) < 4;
    });
}

FullMemory::Shared FullMemory::make_leaf(const plan::Tensor& tensor, const std::string& name) {
    const plan::Buffer& described = reference_.buffers[static_cast<size_t>(tensor.buffer)];
    auto buffer = std::make_shared<ttir::Buffer>(described.bytes, described.address, name, Touch::sparse);
    if (described.kind == plan::BufferKind::constant) {
        std::memcpy(buffer->data(), described.data.data(), described.data.size());
        buffer->mark_all_written();
        return buffer;
    }
    if (const plan::Step* draw = only_draw(reference_, tensor.buffer))
        if (auto source =
                run::draw_source(std::get<plan::AtenStep>(draw->what), draw->phase, seed_, run::Variant{},
                                 draw->phase == plan::Phase::inputs && narrow_outputs())) {
            buffer->set_source(pages_.cached(tensor.buffer, *source));
            return buffer;
        }
    if (auto known = known_integers(reference_, tensor.buffer)) {
        std::memcpy(buffer->data(), known->data(),
                    std::min<size_t>(known->size(), static_cast<size_t>(buffer->bytes())));
        buffer->mark_all_written();
        return buffer;
    }
    if (!plan::is_floating(tensor.dtype)) {  // indices that were computed: no made-up value is safe
        usable_ = false;
        buffer->mark_all_written();
        return buffer;
    }
    // A derived floating tensor, or a weight that starts as a constant: any well-scaled values do, since the
    // oracle reads the same.
    const run::DrawKey key{seed_, run::kRedrawStream + 1, static_cast<uint32_t>(tensor.buffer)};
    run::Distribution law{run::Law::uniform, 0.25, 1.0, 0, 1};
    const int size = plan::element_size(tensor.dtype);
    const plan::DType dtype = tensor.dtype;
    if (size == 1) {  // 8-bit floats have no draws: zeros
        buffer->mark_all_written();
        return buffer;
    }
    buffer->set_source(
        pages_.cached(tensor.buffer, [key, law, dtype, size](int64_t offset, std::byte* out, int64_t count) {
            run::fill(key, law, run::Variant{}, dtype, offset / size, count / size, out);
        }));
    return buffer;
}

ttir::Buffer* FullMemory::buffer(int id) {
    if (id < 0 || static_cast<size_t>(id) >= candidate_.buffers.size()) return nullptr;
    Shared& buffer = buffers_[id];
    if (!buffer) {
        const plan::Buffer& described = candidate_.buffers[static_cast<size_t>(id)];
        buffer = std::make_shared<ttir::Buffer>(
            described.bytes, described.address,
            fmt::format("the buffer allocated at line {}", described.line), Touch::sparse);
        if (described.kind == plan::BufferKind::constant) {
            std::memcpy(buffer->data(), described.data.data(), described.data.size());
            buffer->mark_all_written();
        }
    }
    return buffer.get();
}

void FullMemory::apply(const plan::AtenStep& step, plan::Phase phase) {
    const plan::OpClass kind = plan::op_class(step.op);
    if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) return;
    for (const plan::Tensor& tensor : plan::tensors_in(step.result)) {
        if (leaves_.contains(tensor.buffer)) {  // initialisation that the linked weight replaces
            if (phase == plan::Phase::forward) forget(tensor.buffer);
            continue;
        }
        ttir::Buffer* target = buffer(tensor.buffer);
        if (!target) continue;
        const bool whole = fills_buffer(tensor, target->bytes());
        const std::optional<double> constant = constant_of(step);
        std::optional<ttir::PageSource> draw;
        if (kind == plan::OpClass::draw) draw = run::draw_source(step, phase, seed_, run::Variant{});
        if (whole && constant && *constant == 0 && !target->lazy()) {
            target->mark_all_written();
        } else if (whole && constant && tensor.dtype == plan::DType::f32) {
            const auto value = static_cast<float>(*constant);
            std::vector<std::byte> element(sizeof value);
            std::memcpy(element.data(), &value, sizeof value);
            target->set_source(repeated(std::move(element)));
        } else if (draw) {
            target->set_source(*draw);
        } else if (kind == plan::OpClass::copy && whole) {
            write_copy(step);
        } else {
            target->mark_all_written();
            forget(tensor.buffer);
        }
    }
}

void FullMemory::write_copy(const plan::AtenStep& step) {
    const auto results = plan::tensors_in(step.result);
    const bool into = step.op == "aten::copy_";
    const size_t position = into ? 1 : 0;
    const auto* from =
        position < step.args.size() ? std::get_if<plan::Tensor>(&step.args[position].v) : nullptr;
    const plan::Tensor& to = results.front();
    ttir::Buffer* target = buffer(to.buffer);
    target->mark_all_written();
    if (!from || !known(from->buffer) || from->dtype != to.dtype || from->shape != to.shape ||
        !buffer(from->buffer)->lazy()) {
        forget(to.buffer);
        return;
    }
    Shared source = unchanged(from->buffer);
    const plan::Tensor view = *from;
    const int64_t size = plan::element_size(to.dtype);
    target->set_source([source, view, size](int64_t offset, std::byte* out, int64_t count) {
        for (int64_t i = 0; i < count / size; i++) {
            int64_t rest = offset / size + i, at = view.offset;
            for (size_t d = view.shape.size(); d-- > 0;) {
                at += rest % view.shape[d] * view.stride[d];
                rest /= view.shape[d];
            }
            if (rest != 0) continue;  // past the tensor: padding of the allocation
            source->ensure(at * size, size);
            std::memcpy(out + i * size, source->data() + at * size, static_cast<size_t>(size));
        }
    });
}

std::optional<OracleElement> FullMemory::reference_element(const plan::Tensor& tensor,
                                                           int64_t storage_offset) {
    const auto found = reference_buffers_.find(tensor.buffer);
    const int64_t size = plan::element_size(tensor.dtype);
    if (found == reference_buffers_.end()) {
        const plan::Buffer& described = reference_.buffers[static_cast<size_t>(tensor.buffer)];
        if (described.kind != plan::BufferKind::constant || (storage_offset + 1) * size > described.bytes)
            return std::nullopt;
        const double v = read_element(
            reinterpret_cast<const std::byte*>(described.data.data()) + storage_offset * size, tensor.dtype);
        return OracleElement{v, std::abs(v)};
    }
    ttir::Buffer& buffer = *found->second;
    if (storage_offset < 0 || (storage_offset + 1) * size > buffer.bytes()) return std::nullopt;
    buffer.ensure(storage_offset * size, size);
    const double v = read_element(buffer.data() + storage_offset * size, tensor.dtype);
    return OracleElement{v, std::abs(v)};
}

bool FullMemory::reference_line(const plan::Tensor& tensor, int64_t storage_offset, int64_t stride,
                                std::span<double> out) {
    const auto found = reference_buffers_.find(tensor.buffer);
    const int64_t size = plan::element_size(tensor.dtype), last = static_cast<int64_t>(out.size()) - 1;
    const int64_t end = storage_offset + last * stride;
    if (found == reference_buffers_.end() || out.empty() || std::min(storage_offset, end) < 0 ||
        (std::max(storage_offset, end) + 1) * size > found->second->bytes()) {
        for (size_t i = 0; i < out.size(); i++) {
            const auto e = reference_element(tensor, storage_offset + static_cast<int64_t>(i) * stride);
            if (!e) return false;
            out[i] = e->value;
        }
        return true;
    }
    ttir::Buffer& buffer = *found->second;
    if (stride == 1) {
        buffer.ensure(storage_offset * size, (last + 1) * size);
    } else {
        for (int64_t i = 0; i <= last; i++) buffer.ensure((storage_offset + i * stride) * size, size);
    }
    read_elements(buffer.data() + storage_offset * size, stride * size, tensor.dtype, out);
    return true;
}

}  // namespace tritonsmith::judge
