#include "run/worker/launch_arguments.h"

#include "plan/ir/json.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

ttir::PointerArgument pointer_to(const plan::Tensor& tensor, const BufferOf& buffer_of) {
    int64_t offset = 0;
    if (__builtin_mul_overflow(tensor.offset, int64_t{plan::element_size(tensor.dtype)}, &offset))
        throw StepError("plan_invalid", "a launch's tensor argument has an impossible offset");
    return {buffer_of(tensor.buffer), offset};
}

ttir::Argument argument(const plan::Value& value, size_t index, const BufferOf& buffer_of) {
    if (const auto* tensor = std::get_if<plan::Tensor>(&value.v)) return pointer_to(*tensor, buffer_of);
    if (const auto* pointer = std::get_if<plan::Pointer>(&value.v)) {
        if (pointer->buffer < 0) return pointer->offset;  // a null pointer
        return ttir::PointerArgument{buffer_of(pointer->buffer), pointer->offset};
    }
    if (const auto* descriptor = std::get_if<plan::Descriptor>(&value.v))
        return ttir::DescriptorArgument{pointer_to(descriptor->base, buffer_of), descriptor->base.shape,
                                        descriptor->base.stride, descriptor->block,
                                        descriptor->padding == "nan"};
    if (const auto* number = std::get_if<int64_t>(&value.v)) return *number;
    if (const auto* flag = std::get_if<bool>(&value.v)) return static_cast<int64_t>(*flag);
    if (const auto* number = std::get_if<double>(&value.v)) return *number;
    throw StepError("plan_invalid",
                    "argument " + std::to_string(index) + " of a launch is no tensor and no number");
}

}  // namespace

std::vector<ttir::Argument> launch_arguments(const plan::LaunchStep& launch, const BufferOf& buffer_of) {
    std::vector<ttir::Argument> out;
    out.reserve(launch.args.size());
    for (size_t i = 0; i < launch.args.size(); ++i) out.push_back(argument(launch.args[i], i, buffer_of));
    return out;
}

}  // namespace tritonsmith::run
