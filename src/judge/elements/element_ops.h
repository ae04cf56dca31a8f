#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "judge/elements/element_oracle.h"
#include "plan/ir/plan.h"
#include "plan/ir/pointwise.h"

namespace tritonsmith::judge {

using Index = std::vector<int64_t>;
using plan::CannotEvaluate;
using plan::StepArguments;

/// What an operator's element is computed from.
class ElementContext {
  public:
    virtual ~ElementContext() = default;
    /// Element of a tensor as it is before the step. Index has the tensor's rank.
    virtual OracleElement at(const plan::Tensor& tensor, const Index& index) = 0;
    /// The elements of a tensor along one dimension; what `index` says of that dimension is not looked at.
    virtual void line(const plan::Tensor& tensor, Index index, size_t dim,
                      std::vector<OracleElement>& out) = 0;
    /// Which of the families of operators a step belongs to; -1 as long as nobody has found out.
    virtual int& family(const plan::AtenStep& step) = 0;
    /// Values kept for a step, such as the statistics of a row: computed once for each key.
    virtual const std::vector<OracleElement>& kept(
        const Index& key, const std::function<std::vector<OracleElement>()>& make) = 0;
    /// Counts work that reads no element.
    virtual void work(int64_t operations) = 0;
    /// The value itself; or, where the oracle asks how sure it is, one as a computation in float32 may have
    /// it after so many roundings relative to `scale`.
    virtual double noise(double value, double scale, double roundings = 1) = 0;
    /// The same of a sum of products, whose operands the step may round to TF32. @param squares of the
    /// products
    virtual double noise_of_products(double value, double scale, double roundings, double squares) = 0;
    /// The same of a number that kernels of narrow types round once more within the step
    /// (run/worker/oracle/inner_rounding.h).
    virtual double noise_inside(double value) = 0;
};

/// Element `index` of result number `result` of a step. @throws CannotEvaluate
OracleElement evaluate_element(const plan::AtenStep& step, int result, const Index& index,
                               ElementContext& context);

}  // namespace tritonsmith::judge
