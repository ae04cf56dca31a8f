#include "run/worker/exec/scattered.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <algorithm>

#include "run/worker/exec/draw_step.h"

namespace tritonsmith::run {
namespace {

double middle_of(int64_t kind, int64_t kinds) {
    return (static_cast<double>(kind) + 0.5) / static_cast<double>(kinds);
}

}  // namespace

at::Tensor scattered_kinds(const at::Tensor& values, const DrawKey& key, double one_in, int64_t kinds,
                           int64_t whole_rows) {
    at::Tensor out = at::empty(values.sizes(), values.options().dtype(at::kFloat));
    draw_into(out, {key, {Law::uniform, 0, one_in}});
    const int64_t length = values.dim() > 1 ? values.size(-1) : 0,
                  rows = length > 0 ? values.numel() / length : 0;
    for (int64_t kind = 0; kind < whole_rows && rows > 2; ++kind) {
        const int64_t first =
            static_cast<int64_t>(key.seed % std::min<uint64_t>(8, static_cast<uint64_t>(rows))) + 8 * kind;
        if (first < rows)
            out.view({rows, length}).slice(0, first, rows, 8 * whole_rows).fill_(middle_of(kind, kinds));
    }
    // However few elements there are; one alone may be all that the reference has to go by.
    const at::Tensor flat = out.view({-1});
    for (int64_t kind = 0; kind < kinds && kinds < flat.numel(); ++kind)
        flat.select(0, (2 * kind + 1) * flat.numel() / (2 * kinds)).fill_(middle_of(kind, kinds));
    return out;
}

at::Tensor of_kind(const at::Tensor& scattered, int64_t kind, int64_t kinds) {
    const auto all = static_cast<double>(kinds);
    return scattered.ge(static_cast<double>(kind) / all)
        .logical_and(scattered.lt(static_cast<double>(kind + 1) / all));
}

}  // namespace tritonsmith::run
