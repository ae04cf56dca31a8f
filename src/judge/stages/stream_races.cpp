#include "judge/stages/stream_races.h"

#include <functional>
#include <map>

#include "base/error.h"
#include "plan/ir/json.h"
#include "ttir/footprint/footprint.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::judge {

namespace {

/// Programs of one launch whose addresses are worked out; of more, any may meet any.
constexpr int64_t kMostPrograms = 1 << 16;

using BufferOf = std::function<ttir::Buffer*(int id)>;

ttir::PointerArgument pointer_to(const plan::Tensor& tensor, const BufferOf& of) {
    return {of(tensor.buffer), tensor.offset * plan::element_size(tensor.dtype)};
}

ttir::Argument argument(const plan::Value& value, const BufferOf& of) {
    if (const auto* tensor = std::get_if<plan::Tensor>(&value.v)) return pointer_to(*tensor, of);
    if (const auto* descriptor = std::get_if<plan::Descriptor>(&value.v))
        return ttir::DescriptorArgument{pointer_to(descriptor->base, of), descriptor->base.shape,
                                        descriptor->base.stride, descriptor->block,
                                        descriptor->padding == "nan"};
    if (const auto* pointer = std::get_if<plan::Pointer>(&value.v); pointer && pointer->buffer >= 0)
        return ttir::PointerArgument{of(pointer->buffer), pointer->offset};
    if (const auto* number = std::get_if<double>(&value.v)) return *number;
    if (const auto* flag = std::get_if<bool>(&value.v)) return static_cast<int64_t>(*flag);
    const auto* number = std::get_if<int64_t>(&value.v);
    return number ? *number : int64_t{0};
}

/// What all programs of a launch touch of one buffer; nothing where it is not known.
std::optional<ttir::Footprint::Bytes> touched(const plan::Plan& plan, const plan::LaunchStep& launch,
                                              const ttir::Module& module, int buffer,
                                              std::map<int, std::unique_ptr<ttir::Buffer>>& buffers) {
    const int64_t programs = launch.grid[0] * launch.grid[1] * launch.grid[2];
    if (programs > kMostPrograms) return std::nullopt;
    const BufferOf of = [&](int id) {
        std::unique_ptr<ttir::Buffer>& held = buffers[id];
        const plan::Buffer& described = plan.buffers[static_cast<size_t>(id)];
        if (!held)
            held = std::make_unique<ttir::Buffer>(described.bytes, described.address, "", Touch::sparse);
        return held.get();
    };
    std::vector<ttir::Argument> arguments;
    for (const plan::Value& value : launch.args) arguments.push_back(argument(value, of));
    ttir::Footprint footprint(module, launch.grid, arguments, {of(buffer)});
    if (!footprint.followed()) return std::nullopt;
    ttir::Footprint::Bytes out;
    for (int64_t program = 0; program < programs; ++program) {
        const ttir::Footprint::Bytes bytes = footprint.of(program);
        for (const auto& [held, ranges] : bytes.read) out.read[held].add(ranges);
        for (const auto& [held, ranges] : bytes.written) out.written[held].add(ranges);
    }
    return out;
}

}  // namespace

std::optional<Finding> unordered_streams(const plan::Plan& plan, const plan::KernelEffects& effects,
                                         const std::vector<std::shared_ptr<const ttir::Module>>& modules) {
    std::map<int, std::unique_ptr<ttir::Buffer>> buffers;
    const auto module = [&](const plan::LaunchStep& launch) -> const ttir::Module& {
        return *modules[static_cast<size_t>(launch.kernel)];
    };
    return plan::unordered_access(
        plan, effects, [&](const plan::LaunchStep& one, const plan::LaunchStep& other, int buffer) {
            const auto a = touched(plan, one, module(one), buffer, buffers);
            const auto b = touched(plan, other, module(other), buffer, buffers);
            return a && b && !ttir::meet(a->written, b->written) && !ttir::meet(a->written, b->read) &&
                   !ttir::meet(a->read, b->written);
        });
}

}  // namespace tritonsmith::judge
