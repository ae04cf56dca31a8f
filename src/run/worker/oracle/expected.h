#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "numerics/precision.h"
#include "numerics/tolerance.h"
#include "plan/ir/plan.h"

/// The comparison of docs/judge.md (numerics) where the answers lie: on a device, in pieces, at any size. The
/// formulas are those of numerics/bound.h, as judge/compare/compare.h applies them to single elements on the
/// CPU (judge/parity/parity_test.cpp).
namespace tritonsmith::run {

struct BoundOptions {
    numerics::Tolerance tolerance;
    int64_t longest_reduction = 1;
    numerics::Precision precision = numerics::Precision::defaults;
    bool wide = false, uneven = false;  ///< numerics::Bound
    bool chooses = false;               ///< plan::chooses
    bool decides = false;               ///< as judge::BoundOptions
    /// Of results of float32 and narrower half of the memory is kept: the oracle in float32 (half a unit of
    /// it is a small part of any limit), the limits in bfloat16, rounded up.
    bool compact = false;
};

/// What other roundings of the reference change in an output (run/worker/oracle/perturbation.h), run by run.
class OtherRoundings {
  public:
    /// @param perturbed of the same shape, on the oracle's device, contiguous
    void add(const at::Tensor& oracle, const at::Tensor& perturbed);

    at::Tensor largest;    ///< flat, floating outputs: of the differences, in float32
    at::Tensor low, high;  ///< flat, integers
};

class ElementKernels;

/// Where pieces are computed: by torch's operators, or by a device's own kernels where there are some.
struct ElementDevice {
    at::Device device;
    const ElementKernels* kernels = nullptr;
    ElementDevice(at::Device device, const ElementKernels* kernels = nullptr)
        : device(device), kernels(kernels) {}
};

/// One output of the reference on one input set.
struct ExpectedOutput {
    std::string name;  ///< "output/0"
    plan::DType dtype = plan::DType::f32;
    std::vector<int64_t> shape;  ///< complex: with a last dimension of 2
    at::Tensor oracle;           ///< flat: float64, or float32 where compact
    at::Tensor limit;            ///< flat: the error that each element may have; undefined for integers
    at::Tensor native;           ///< flat: integers may equal the reference's own result as well
    at::Tensor low, high;        ///< flat: what integers may be; undefined where they must be equal
    int64_t undecided = 0, forgiven = 0;  ///< as judge::Expected
    double forgiven_error = 0;
    bool meaningless = false;
    double rms = 0, reference_error = 0;

    bool floating() const { return limit.defined(); }
    int64_t bytes() const;
    /// To the CPU's memory, where the device's is needed for other things.
    void spill();
};

/// Elements worked on at a time: a dozen float64 tensors of this size are alive at once.
constexpr int64_t kPiece = int64_t{1} << 24;

/// @param oracle float64 (or complex128), @param native in its own dtype, @param absolute S, may be
/// undefined: of one shape, contiguous, on `device` or on the CPU
ExpectedOutput expect(const std::string& name, const at::Tensor& oracle, const at::Tensor& native,
                      const at::Tensor& absolute, const OtherRoundings& others, const BoundOptions& options,
                      const ElementDevice& where, int64_t at_a_time = kPiece);

struct OutputComparison {
    int64_t out_of_bound = 0, elements = 0;
    int64_t index = -1;  ///< linear, of the element that is furthest out of its bound
    double expected = 0, found = 0, allowed = 0;
    double worst_error = 0, worst_ratio = 0;
};
/// @param found contiguous, in the dtype and shape of the reference's output
OutputComparison compare(const ExpectedOutput& expected, const at::Tensor& found, const ElementDevice& where,
                         int64_t at_a_time = kPiece);

/// {"name","mismatch":null|{"index":[…],"expected",…},"worst_error","worst_ratio"}
Json comparison_json(const ExpectedOutput& expected, const OutputComparison& comparison);

}  // namespace tritonsmith::run
