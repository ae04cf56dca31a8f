#pragma once

#include <c10/core/ScalarType.h>

#include "kernels/arguments.h"
#include "run/worker/oracle/element_kernels.h"

namespace tritonsmith::run {

/// ElementKernels by functions with the arguments of kernels/element_arguments.h. `Calls` has count_alike,
/// element_limits and compare_elements.
template <class Calls>
class ElementCalls : public ElementKernels {
  public:
    explicit ElementCalls(Calls calls) : calls_(calls) {}

    void count_alike(const ReferencePiece& piece, const numerics::Bound& bound, bool outliers,
                     at::Tensor& counts, at::Tensor& greatest_own) const override {
        kernels::CountAlike a;
        a.elements = elements(piece, bound);
        a.outliers = outliers ? 1 : 0;
        a.counts = totals_of(counts);
        a.greatest_own = totals_of(greatest_own);
        calls_.count_alike(a);
    }

    void limits(const ReferencePiece& piece, const numerics::Bound& bound, const at::Tensor& alike,
                double slack, double factor, at::Tensor& limits, at::Tensor& totals) const override {
        kernels::ElementLimits a;
        a.elements = elements(piece, bound);
        a.alike = alike.const_data_ptr<double>();
        a.limits = limits.data_ptr();
        a.limit_bytes = static_cast<int32_t>(limits.element_size());
        a.slack = slack;
        a.factor = factor;
        a.totals = totals_of(totals);
        a.greatest_undecided = totals_of(totals) + 3;
        calls_.element_limits(a);
    }

    void compare(const at::Tensor& expected, const at::Tensor& found, const at::Tensor& limits,
                 at::Tensor& totals) const override {
        kernels::CompareElements a;
        a.expected = typed(expected);
        a.found = typed(found);
        a.limits = typed(limits);
        a.count = expected.numel();
        a.beyond = totals_of(totals);
        a.greatest = totals_of(totals) + 1;
        calls_.compare_elements(a);
    }

  private:
    static uint64_t* totals_of(at::Tensor& totals) {
        return reinterpret_cast<uint64_t*>(totals.data_ptr<int64_t>());
    }
    static kernels::TypedElements typed(const at::Tensor& values) {
        using Typed = kernels::TypedElements;
        const at::ScalarType type = values.scalar_type();
        return {values.const_data_ptr(), type == at::kFloat      ? Typed::f32
                                         : type == at::kHalf     ? Typed::f16
                                         : type == at::kBFloat16 ? Typed::bf16
                                                                 : Typed::f64};
    }
    static kernels::ReferenceElements elements(const ReferencePiece& piece, const numerics::Bound& bound) {
        kernels::ReferenceElements out;
        out.oracle = piece.oracle.const_data_ptr<double>();
        out.native = piece.native.const_data_ptr<double>();
        if (piece.absolute.defined()) out.absolute = piece.absolute.const_data_ptr<double>();
        if (piece.others.defined()) out.others = piece.others.const_data_ptr<float>();
        out.count = piece.oracle.numel();
        out.bound = {bound.stored.spacing,
                     bound.stored.subnormal,
                     bound.stored.least,
                     bound.sums,
                     bound.root,
                     bound.tolerance,
                     bound.rms,
                     bound.uneven,
                     bound.wide};
        return out;
    }

    Calls calls_;
};

}  // namespace tritonsmith::run
