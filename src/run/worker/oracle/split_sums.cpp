#include "run/worker/oracle/split_sums.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <string_view>

#include "plan/ir/arguments.h"
#include "plan/ir/ops.h"

namespace tritonsmith::run {
namespace {

/// In so many, where nothing says in how many. (Sums of one sign in n parts round by 1/sqrt(n) of what they
/// round by in one.)
constexpr int64_t kParts = 4;

}  // namespace

at::Tensor squares_of_parts(const plan::AtenStep& step, Memory& memory) {
    const std::string_view base = plan::OpName(step.op).base;
    const bool adds = base == "addmm" || base == "baddbmm";
    if (!adds && base != "mm" && base != "bmm") return {};
    const auto* first = plan::argument<plan::Tensor>(step, adds ? 1 : 0);
    const auto* second = plan::argument<plan::Tensor>(step, adds ? 2 : 1);
    if (!first || !second) return {};
    const at::Tensor a = memory.view(*first), b = memory.view(*second);
    const int64_t terms = a.size(-1), length = std::max<int64_t>((terms + kParts - 1) / kParts, 1);
    at::Tensor squares, whole;
    for (int64_t k = 0; k < terms; k += length) {
        const int64_t count = std::min(length, terms - k);
        const at::Tensor part = a.narrow(-1, k, count).matmul(b.narrow(-2, k, count));
        squares = squares.defined() ? squares.addcmul_(part, part) : part.square();
        if (adds) whole = whole.defined() ? whole.add_(part) : part;
    }
    if (whole.defined()) squares.addcmul_(whole, whole);
    const plan::Value* alpha = plan::find_argument(step, step.args.size(), "alpha");  // a keyword only
    const double factor = plan::as_number(alpha).value_or(1);
    return squares.defined() ? squares.mul_(factor * factor) : squares;
}

}  // namespace tritonsmith::run
