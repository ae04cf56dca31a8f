#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "numerics/precision.h"
#include "plan/analysis/narrow_products.h"
#include "plan/ir/plan.h"
#include "run/draw/draw.h"
#include "run/worker/exec/executor.h"

namespace tritonsmith::run {

/// How often the oracle of a reference is executed with other roundings, besides the reference's own run:
/// 0 where that one shows enough by itself (many elements, no narrow types, nothing decided by comparing).
/// @param library what the reference's own run may round to TF32 but need not, by the choice of a library
int perturbed_runs(const plan::Plan& native, numerics::Precision library);

/// Other roundings in a run of the promoted plan, as many as correct programs may have:
/// - each result that is not exact moves by a random part of its unit in the last place (of the type that the
///   reference stores it in) and of what sums lose;
/// - sums move by the rounding of partial sums to that type: kernels split them (split_sums.h), and PyTorch's
///   own products may (allow_bf16_reduced_precision_reduction);
/// - so do numbers inside of an operator that kernels round once more (inner_rounding.h), and operands of
///   products that kernels round to the type of the other one (plan/analysis/narrow_products.h);
/// - a factor of a narrow type times a difference of integers (quantised weights less their zero points)
/// moves
///   by the roundings of both terms' products: kernels distribute the factor;
/// - of recurrent layers, whose steps carry errors on and may enlarge them, operands move by what the sums
///   that they are part of lose: a sum with rounding errors is one of other operands (Wilkinson's backward
///   analysis);
/// - operands in TF32 are rounded in even runs, and cut in odd ones, as tensor cores do where nothing rounds
///   before;
/// - a value that is rounded to integers is shifted to one side, and equal elements whose order nobody
///   promises are distinguished at random.
/// So elements that small errors decide are found (docs/judge.md, Numerics).
class Perturbation {
  public:
    /// @param native the plan before it was promoted: it says what is stored in which dtype. @param seed of
    /// the set of inputs @param run 0, 1 …: even ones shift to the upper side, odd ones to the lower
    Perturbation(const plan::Plan& native, numerics::Precision precision, uint64_t seed, int run);
    /// Sets the executor's hooks; this must outlive its run.
    void attach(Executor& promoted);

  private:
    void before(const plan::AtenStep& step, Executor& executor);
    void after(const plan::AtenStep& step, Executor& executor);
    /// The dtype in which the reference stores a buffer of the promoted plan.
    plan::DType stored(const plan::Tensor& promoted) const;
    bool computed(const plan::Tensor& tensor) const { return computed_.contains(tensor.buffer); }
    /// Saves the operand's buffer; what is done to it holds for this step only.
    at::Tensor borrow(const plan::Tensor& operand, Executor& executor);
    /// Uniform in [-1, 1), or normal with a standard deviation of one. Where many results follow from few
    /// numbers (the rates of angles), few draws would say little of how large it may be: -1 or 1.
    /// On the CPU from a pool of draws: many times faster than others for each result.
    at::Tensor noise(const at::Tensor& like, Law law);
    at::Tensor drawn(at::IntArrayRef sizes, const at::TensorOptions& options, Law law);
    /// By a random part of a size that is a function of the values' magnitudes [first, first + count).
    using SizeOf = std::function<at::Tensor(const at::Tensor& magnitudes, int64_t first, int64_t count)>;
    void move(at::Tensor values, const SizeOf& size_of, Law law = Law::uniform);
    void move(const at::Tensor& values, double relative);
    /// What the roundings of a step's partial results change in its first result, as a standard deviation: of
    /// sums (split sums stored as the result is, and float32 accumulation), by the square root of the sum of
    /// squares of their terms, which is what to expect of parts whose terms have random signs, or of such
    /// parts, if that is more; of inner_rounding. Undefined: the step has none.
    at::Tensor spread_of(const plan::AtenStep& step, Executor& executor) const;

    /// What rounding an operand (plan::NarrowProducts) changes in the product's elements, or the roundings of
    /// its scores in attention that no narrow type rounds. Undefined: neither.
    at::Tensor rounded_operand_spread(const plan::AtenStep& step, Executor& executor) const;
    /// Magnitudes of both terms, where the step subtracts integers.
    void keep_terms(const plan::AtenStep& step, Executor& executor);
    /// Of a factor of a narrow type times such a difference, what kernels that multiply both terms by it
    /// round: the sum of both products' magnitudes. [the result's shape] Undefined: the step is none.
    at::Tensor distributed(const plan::AtenStep& step, Executor& executor) const;

    const numerics::Precision precision_;
    const double side_;
    const uint64_t seed_;
    uint32_t drawn_ = 0;
    const double root_;                        ///< square root of the plan's longest sum
    const int64_t few_;                        ///< elements of a tensor
    const std::map<int, plan::DType> stored_;  ///< in which the reference stores buffers
    const plan::NarrowProducts narrow_;
    at::Tensor spread_, operand_spread_;  ///< of the step that is being executed
    std::set<int> computed_;              ///< buffers whose values are not exact
    struct Saved {
        at::Tensor where, values;
        int buffer;
    };
    std::vector<Saved> saved_;
    struct Terms {
        at::Tensor values;  ///< flat, in elements of the buffer from `offset` on
        int64_t offset;
    };
    std::map<int, Terms> terms_;  ///< by buffer
};

}  // namespace tritonsmith::run
