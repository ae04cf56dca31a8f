#include "run/worker/sample/buffers/memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plan/analysis/flow.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/tensor_position.h"
#include "run/draw/draw.h"
#include "run/draw/store.h"
#include "run/worker/sample/buffers/constants.h"

namespace tritonsmith::run::sample {

namespace {

bool fills_buffer(const plan::Tensor& tensor, int64_t bytes) {
    return tensor.offset == 0 && plan::row_major(tensor) && plan::byte_count(tensor) <= bytes;
}

/// Contents that repeat one element.
ttir::PageSource repeated(std::vector<std::byte> element) {
    return [element = std::move(element)](int64_t offset, std::byte* out, int64_t count) {
        const auto size = static_cast<int64_t>(element.size());
        for (int64_t i = 0; i < count; i++) out[i] = element[static_cast<size_t>((offset + i) % size)];
    };
}

}  // namespace

Memory::Memory(const plan::Plan& reference, const plan::Plan& candidate,
               const std::map<std::string, std::string>& links, const Leaves& leaves, uint64_t seed,
               PageCache& pages)
    : candidate_(candidate), seed_(seed), pages_(pages) {
    constexpr std::string_view draw = "draw/";
    for (const auto& [ours, theirs] : links)
        if (ours.starts_with(draw) && theirs.starts_with(draw))
            draw_links_[std::stoi(ours.substr(draw.size()))] = std::stoi(theirs.substr(draw.size()));
    const std::vector<plan::Tensor> theirs = plan::tensors_in(reference.inputs),
                                    ours = plan::tensors_in(candidate.inputs);
    for (size_t i = 0; i < std::min(theirs.size(), ours.size()); i++)
        if (const ttir::PageSource* source = leaves.source(theirs[i].buffer))
            make_leaf(ours[i].buffer, "input " + std::to_string(i), theirs[i].buffer, *source);
    std::map<std::string, const plan::Weight*> by_name;
    for (const plan::Weight& weight : reference.weights) by_name[weight.name] = &weight;
    for (const plan::Weight& weight : candidate.weights) {
        const auto link = links.find(weight.name);
        if (link == links.end() || !by_name.contains(link->second)) continue;
        const plan::Tensor& other = by_name[link->second]->tensor;
        const ttir::PageSource* source = leaves.source(other.buffer);
        const int64_t bytes = candidate.buffers[static_cast<size_t>(weight.tensor.buffer)].bytes;
        if (!source || other.dtype != weight.tensor.dtype || !fills_buffer(weight.tensor, bytes) ||
            reference.buffers[static_cast<size_t>(other.buffer)].bytes < bytes)
            continue;
        make_leaf(weight.tensor.buffer, "weight '" + weight.name + "'", other.buffer, *source);
    }
}

void Memory::make_leaf(int id, const std::string& name, int reference_buffer,
                       const ttir::PageSource& source) {
    const plan::Buffer& described = candidate_.buffers[static_cast<size_t>(id)];
    auto buffer = std::make_unique<ttir::Buffer>(described.bytes, described.address, name, Touch::sparse);
    buffer->set_source(pages_.cached(reference_buffer, source));
    buffers_[id] = std::move(buffer);
    leaves_.insert(id);
}

std::vector<int> Memory::unlinked_parameters() const {
    std::vector<int> out;
    for (const plan::Weight& weight : candidate_.weights)
        if (weight.parameter && !leaves_.contains(weight.tensor.buffer)) out.push_back(weight.tensor.buffer);
    return out;
}

ttir::Buffer* Memory::buffer(int id) {
    if (id < 0 || static_cast<size_t>(id) >= candidate_.buffers.size()) return nullptr;
    std::unique_ptr<ttir::Buffer>& buffer = buffers_[id];
    if (!buffer) {
        const plan::Buffer& described = candidate_.buffers[static_cast<size_t>(id)];
        buffer = std::make_unique<ttir::Buffer>(
            described.bytes, described.address,
            "the buffer allocated at line " + std::to_string(described.line), Touch::sparse);
        if (described.kind == plan::BufferKind::constant) {
            std::memcpy(buffer->data(), described.data.data(), described.data.size());
            buffer->mark_all_written();
        }
    }
    return buffer.get();
}

bool Memory::apply(const plan::AtenStep& step, plan::Phase phase) {
    const plan::OpClass kind = plan::op_class(step.op);
    if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) return true;
    const std::vector<plan::Tensor> results = plan::tensors_in(step.result);
    return results.size() == 1 && apply(step, phase, results.front());
}

void Memory::apply_or_forget(const plan::AtenStep& step, plan::Phase phase) {
    if (apply(step, phase)) return;
    for (const plan::Tensor& tensor : plan::tensors_in(step.result)) {
        if (ttir::Buffer* target = buffer(tensor.buffer)) target->mark_all_written();
        forget(tensor.buffer);
    }
}

bool Memory::apply(const plan::AtenStep& step, plan::Phase phase, const plan::Tensor& tensor) {
    // Initialisation that the linked weight replaces.
    if (leaves_.contains(tensor.buffer)) return phase != plan::Phase::forward;
    ttir::Buffer* target = buffer(tensor.buffer);
    if (!target || !fills_buffer(tensor, target->bytes())) return false;
    switch (plan::op_class(step.op)) {
        case plan::OpClass::draw: {
            plan::AtenStep linked = step;
            const auto link = draw_links_.find(step.draw);
            const bool same = phase == plan::Phase::init && link != draw_links_.end();
            if (same) linked.draw = link->second;
            // Its own draws are not those of the reference.
            const auto source = draw_source(linked, phase, same ? seed_ : ~seed_, Variant{});
            if (source) target->set_source(*source);
            return source.has_value();
        }
        case plan::OpClass::copy:
            return copy(step);
        default:
            break;
    }
    const std::optional<double> constant = constant_of(step);
    std::vector<std::byte> element(static_cast<size_t>(plan::element_size(tensor.dtype)));
    if (!constant || !store(element.data(), tensor.dtype, *constant)) return false;
    if (*constant == 0 && !target->lazy())
        target->mark_all_written();
    else
        target->set_source(repeated(std::move(element)));
    return true;
}

/// Made element by element when it is asked for, of what the source holds now.
bool Memory::copy(const plan::AtenStep& step) {
    const std::optional<Copy> copy = copy_of(step);
    if (!copy || !known(copy->from.buffer) || !buffer(copy->from.buffer)->lazy()) return false;
    const ttir::Buffer& now = *buffer(copy->from.buffer);
    auto source = std::make_shared<ttir::Buffer>(now.bytes(), now.address(), now.name(), Touch::sparse);
    source->set_source(now.source());
    ttir::Buffer& target = *buffer(copy->to.buffer);
    target.set_source(
        [source, view = copy->from, to = copy->to.dtype](int64_t offset, std::byte* out, int64_t count) {
            const int64_t size = plan::element_size(to), from_size = plan::element_size(view.dtype);
            for (int64_t i = 0; i < count / size; i++) {
                int64_t rest = offset / size + i, at = view.offset;
                for (size_t d = view.shape.size(); d-- > 0;) {
                    at += rest % view.shape[d] * view.stride[d];
                    rest /= view.shape[d];
                }
                if (rest != 0) continue;  // past the tensor: padding of the allocation
                source->ensure(at * from_size, from_size);
                convert(source->data() + at * from_size, view.dtype, out + i * size, to);
            }
        });
    return true;
}

}  // namespace tritonsmith::run::sample
