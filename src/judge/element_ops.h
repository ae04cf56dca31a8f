#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "judge/element_oracle.h"
#include "plan/plan.h"

namespace tritonsmith::judge {

using Index = std::vector<int64_t>;

/// Thrown inside the oracle where an element cannot be evaluated: an operator it does not have, or too much
/// work.
struct CannotEvaluate : std::runtime_error {
    using std::runtime_error::runtime_error;
};

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
};

/// Element `index` of result number `result` of a step. @throws CannotEvaluate
OracleElement evaluate_element(const plan::AtenStep& step, int result, const Index& index,
                               ElementContext& context);

/// Arguments of a step by position or keyword. Wrong kinds throw CannotEvaluate.
class StepArguments {
  public:
    explicit StepArguments(const plan::AtenStep& step) : step_(step) {}
    const plan::Value* find(size_t position, const char* name = "") const;
    const plan::Tensor& tensor(size_t position, const char* name = "") const;
    const plan::Tensor* tensor_or_null(size_t position, const char* name = "") const;
    double real(size_t position, const char* name, double otherwise) const;
    int64_t whole(size_t position, const char* name, int64_t otherwise) const;
    bool flag(size_t position, const char* name, bool otherwise) const;
    std::string text(size_t position, const char* name, const std::string& otherwise) const;
    /// A list of integers, or one integer as a list of one.
    std::vector<int64_t> integers(size_t position, const char* name) const;

  private:
    const plan::AtenStep& step_;
};

/// f(x) for operators of one tensor and plain numbers; nothing where the operator is none of these.
std::optional<double> pointwise(const std::string& op, double x, const StepArguments& arguments);

}  // namespace tritonsmith::judge
