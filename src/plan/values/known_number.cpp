#include "plan/values/known_number.h"

#include <string_view>
#include <utility>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/tensor_position.h"

namespace tritonsmith::plan {
namespace {

constexpr int kMostCopies = 8;
constexpr int64_t kMostListed = 64;

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

/// What a constant holds: nothing where it is long.
std::vector<double> numbers_in_list(const Plan& plan, const Tensor& tensor) {
    const Buffer& buffer = plan.buffers[static_cast<size_t>(tensor.buffer)];
    const ByteRange range = byte_range(tensor);
    const int64_t count = element_count(tensor);
    if (buffer.kind != BufferKind::constant || range.begin < 0 || count > kMostListed ||
        range.end > static_cast<int64_t>(buffer.data.size()) || !row_major(tensor))
        return {};
    std::vector<double> out(static_cast<size_t>(count));
    read_elements(reinterpret_cast<const std::byte*>(buffer.data.data()) + range.begin,
                  element_size(tensor.dtype), tensor.dtype, out);
    return out;
}

std::vector<double> as_list(std::optional<double> number) {
    return number ? std::vector<double>{*number} : std::vector<double>{};
}

std::vector<double> stated(const Plan& plan, const Tensor& tensor, int copies) {
    if (!is_real(tensor.dtype) || element_count(tensor) == 0 || copies > kMostCopies) return {};
    bool written = false;
    const AtenStep* writer = only_writer(plan, tensor.buffer, written);
    if (!written) return numbers_in_list(plan, tensor);
    if (!writer) return {};
    const std::string_view base = OpName(writer->op).base;
    if (base == "zeros" || base == "zeros_like" || base == "zero_") return {0};
    if (base == "ones" || base == "ones_like") return {1};
    if (base == "scalar_tensor") return as_list(as_number_or_truth(find_argument(*writer, 0)));
    if (base == "full" || base == "full_like" || base == "fill_")
        return as_list(as_number_or_truth(find_argument(*writer, 1)));
    if (op_class(writer->op) != OpClass::copy) return {};
    const auto* from = argument<Tensor>(*writer, in_place(writer->op) ? 1 : 0);
    return from ? stated(plan, *from, copies + 1) : std::vector<double>{};
}

}  // namespace

std::optional<double> known_number(const Plan& plan, const Tensor& tensor) {
    if (element_count(tensor) != 1) return std::nullopt;
    const std::vector<double> numbers = stated(plan, tensor, 0);
    return numbers.size() == 1 ? std::optional(numbers[0]) : std::nullopt;
}

std::vector<double> known_numbers(const Plan& plan, const Tensor& tensor) {
    return stated(plan, tensor, 0);
}

}  // namespace tritonsmith::plan
