#include "plan/values/known_number.h"

#include <string_view>
#include <utility>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

constexpr int kMostCopies = 8;

bool is_real(DType dtype) {
    return dtype != DType::c64 && dtype != DType::c128;
}

/// The step that writes the buffer; null where there is none, or more than one.
const AtenStep* only_writer(const Plan& plan, int buffer, bool& written) {
    const AtenStep* writer = nullptr;
    for (const Executed& executed : executed_steps(plan))
        for (const ByteRange& range : flow_of(plan, *executed.step, {}).writes) {
            if (range.buffer != buffer) continue;
            const bool first = !std::exchange(written, true);
            writer = first ? std::get_if<AtenStep>(&executed.step->what) : nullptr;
        }
    return writer;
}

std::optional<double> stated(const Plan& plan, const Tensor& tensor, int copies) {
    if (element_count(tensor) != 1 || !is_real(tensor.dtype) || copies > kMostCopies) return std::nullopt;
    bool written = false;
    const AtenStep* writer = only_writer(plan, tensor.buffer, written);
    if (!written) {
        const Buffer& buffer = plan.buffers[static_cast<size_t>(tensor.buffer)];
        const ByteRange range = byte_range(tensor);
        if (buffer.kind != BufferKind::constant || range.begin < 0 ||
            range.end > static_cast<int64_t>(buffer.data.size()))
            return std::nullopt;
        return read_element(reinterpret_cast<const std::byte*>(buffer.data.data()) + range.begin,
                            tensor.dtype);
    }
    if (!writer) return std::nullopt;
    const std::string_view base = OpName(writer->op).base;
    if (base == "zeros" || base == "zeros_like" || base == "zero_") return 0;
    if (base == "ones" || base == "ones_like") return 1;
    if (base == "scalar_tensor") return as_number_or_truth(find_argument(*writer, 0));
    if (base == "full" || base == "full_like" || base == "fill_")
        return as_number_or_truth(find_argument(*writer, 1));
    if (op_class(writer->op) != OpClass::copy) return std::nullopt;
    const auto* from = argument<Tensor>(*writer, in_place(writer->op) ? 1 : 0);
    return from ? stated(plan, *from, copies + 1) : std::nullopt;
}

}  // namespace

std::optional<double> known_number(const Plan& plan, const Tensor& tensor) {
    return stated(plan, tensor, 0);
}

}  // namespace tritonsmith::plan
