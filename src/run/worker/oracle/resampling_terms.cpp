#include "run/worker/oracle/resampling_terms.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/grid_sampler_2d.h>
#include <ATen/ops/grid_sampler_3d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool3d.h>
#include <ATen/ops/maximum.h>

#include <string_view>
#include <vector>

#include "plan/ir/arguments.h"
#include "plan/ir/ops.h"

namespace tritonsmith::run {
namespace {

/// As ATen numbers them.
enum : int64_t { kBilinear = 0, kNearest = 1, kBicubic = 2 };
enum : int64_t { kBorder = 1, kReflection = 2 };
/// A place p = ((g + 1) · size - 1) / 2 is wrong by three roundings of numbers as large as (|g| + 1) · size /
/// 2 at most: in the units of a bound's eight spacings. Twice that: both neighbours' shares change by it.
constexpr double kOfPlace = 0.5;

at::Tensor sampled(const at::Tensor& x, const at::Tensor& grid, int64_t mode, int64_t padding, bool corners) {
    return x.dim() == 5 ? at::grid_sampler_3d(x, grid, mode, padding, corners)
                        : at::grid_sampler_2d(x, grid, mode, padding, corners);
}

/// The largest of the neighbours so many steps away.
at::Tensor largest_near(const at::Tensor& x, int64_t steps) {
    const std::vector<int64_t> window(static_cast<size_t>(x.dim() - 2), 2 * steps + 1),
        stride(window.size(), 1), padding(window.size(), steps);
    return x.dim() == 5 ? at::max_pool3d(x, window, stride, padding)
                        : at::max_pool2d(x, window, stride, padding);
}

}  // namespace

bool samples_by_grid(const plan::AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    return base == "grid_sampler_2d" || base == "grid_sampler_3d";
}

at::Tensor resampling_terms(const plan::AtenStep& step, Memory& memory) {
    const plan::StepArguments arguments(step);
    const int64_t mode = arguments.whole(2, "interpolation_mode", kBilinear),
                  padding = arguments.whole(3, "padding_mode", 0);
    const bool corners = arguments.flag(4, "align_corners", false);
    const at::Tensor x = memory.view(arguments.tensor(0)).abs(),
                     grid = memory.view(arguments.tensor(1)).to(x.scalar_type());
    at::Tensor out = sampled(x, grid, mode, padding, corners).abs_();
    if (mode == kNearest || out.numel() == 0) return out;
    const at::Tensor near =
        sampled(largest_near(x, mode == kBicubic ? 2 : 1), grid, kBilinear, kBorder, corners);
    at::Tensor doubt;
    for (int64_t d = 0; d < grid.size(-1); ++d) {
        // The last coordinate but one is of the last dimension but one, and so on.
        const auto size = static_cast<double>(x.size(x.dim() - 1 - d));
        at::Tensor place = grid.select(-1, d).abs().add_(1).mul_(size / 2);
        // Beyond the edges nothing changes any more.
        if (padding != kReflection) place = place.clamp_max(2 * size);
        doubt = doubt.defined() ? doubt.add_(place) : place;
    }
    // Of cubic weights, which may be negative, the largest neighbour is the bound as well.
    if (mode == kBicubic) out = at::maximum(out, near);
    return out.add_(doubt.mul_(kOfPlace).unsqueeze(1).mul(near));
}

}  // namespace tritonsmith::run
