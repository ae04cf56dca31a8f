#include "run/worker/aten/convolve.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace tritonsmith::run {
namespace {

constexpr int64_t kManyGroups = 8;

bool in_many_groups(const Convolution& of) {
    return of.groups >= kManyGroups && !of.transposed && of.x.is_cpu() && of.x.scalar_type() == at::kDouble &&
           of.weight.scalar_type() == at::kDouble && of.x.dim() == of.weight.dim() && of.x.dim() > 2 &&
           of.x.numel() > 0;
}

int64_t along(const std::vector<int64_t>& list, size_t axis) {
    return list.size() == 1 ? list[0] : list[axis];
}

/// What the window spans along an axis.
int64_t reach(const Convolution& of, size_t axis) {
    return along(of.dilation, axis) * (of.weight.size(static_cast<int64_t>(axis) + 2) - 1) + 1;
}

/// Σ over the window's places of (weights there) · (what the window sees there), of all groups at once.
class InGroups {
  public:
    explicit InGroups(const Convolution& of) : of_(of) {
        const auto axes = static_cast<size_t>(of.x.dim() - 2);
        std::vector<int64_t> pads;  // the last axis first
        for (size_t axis = axes; axis-- > 0;) pads.insert(pads.end(), 2, along(of.padding, axis));
        padded_ = at::constant_pad_nd(of.x, pads, 0);
        for (size_t axis = 0; axis < axes; ++axis) {
            kernel_.push_back(of.weight.size(static_cast<int64_t>(axis) + 2));
            places_.push_back((padded_.size(static_cast<int64_t>(axis) + 2) - reach(of, axis)) /
                                  along(of.stride, axis) +
                              1);
        }
    }
    at::Tensor run() {
        const int64_t batch = of_.x.size(0), outputs = of_.weight.size(0), inner = of_.weight.size(1);
        std::vector<int64_t> shape{batch, outputs};
        shape.insert(shape.end(), places_.begin(), places_.end());
        at::Tensor out = at::zeros(shape, of_.x.options());
        at::Tensor grouped = out.view({batch, of_.groups, outputs / of_.groups, -1});
        const at::Tensor weight = of_.weight.reshape({of_.groups, outputs / of_.groups, inner, -1});
        for (int64_t tap = 0; tap < weight.size(3); ++tap) {
            const at::Tensor seen = seen_by(tap).reshape({batch, of_.groups, inner, -1});
            const at::Tensor there = weight.select(3, tap).unsqueeze(0);  // [1, groups, outputs, inner]
            if (inner == 1)
                grouped.addcmul_(there, seen);
            else
                grouped.add_(at::matmul(there, seen));
        }
        if (of_.bias && of_.bias->defined()) {
            std::vector<int64_t> spread(shape.size(), 1);
            spread[1] = outputs;
            out.add_(of_.bias->view(spread));
        }
        return out;
    }

  private:
    /// What the window's place number `tap` lies over, wherever the window is.
    at::Tensor seen_by(int64_t tap) const {
        at::Tensor seen = padded_;
        for (size_t axis = kernel_.size(); axis-- > 0; tap /= kernel_[axis]) {
            const int64_t first = tap % kernel_[axis] * along(of_.dilation, axis),
                          step = along(of_.stride, axis);
            seen = seen.slice(static_cast<int64_t>(axis) + 2, first, first + (places_[axis] - 1) * step + 1,
                              step);
        }
        return seen;
    }

    const Convolution& of_;
    at::Tensor padded_;
    std::vector<int64_t> kernel_, places_;  ///< by spatial axis
};

bool has_places(const Convolution& of) {
    for (size_t axis = 0; axis + 2 < static_cast<size_t>(of.x.dim()); ++axis)
        if (of.x.size(static_cast<int64_t>(axis) + 2) + 2 * along(of.padding, axis) < reach(of, axis))
            return false;
    return of.x.size(1) == of.weight.size(1) * of.groups && of.weight.size(0) % of.groups == 0;
}

}  // namespace

at::Tensor convolve(const Convolution& of) {
    if (in_many_groups(of) && has_places(of)) return InGroups(of).run();
    return at::convolution(of.x, of.weight, of.bias, of.stride, of.padding, of.dilation, of.transposed,
                           of.output_padding, of.groups);
}

}  // namespace tritonsmith::run
