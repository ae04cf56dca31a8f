#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/lift.h"
#include "plan/ir/ops.h"
#include "plan/ir/plan.h"

namespace tritonsmith::graph {

/// Thrown by rules; `lift` returns it with operator and line.
struct Unliftable {
    std::string why;
};

/// The arguments of one ATen step, by position or name. Absent and None are alike.
class Call {
  public:
    explicit Call(const plan::AtenStep& step);

    const plan::AtenStep& step() const { return step_; }
    const plan::OpName& name() const { return name_; }
    const plan::Value* value(size_t position, const char* name) const;
    const plan::Tensor* tensor_if(size_t position, const char* name) const;
    const plan::Tensor& tensor(size_t position, const char* name) const;
    /// Entries of a list; nullptr where one is None.
    std::vector<const plan::Tensor*> tensors(size_t position, const char* name) const;
    std::optional<Number> number_if(size_t position, const char* name) const;
    double real(size_t position, const char* name, double otherwise) const;
    int64_t integer(size_t position, const char* name, int64_t otherwise) const;
    bool flag(size_t position, const char* name, bool otherwise) const;
    std::string word(size_t position, const char* name, const std::string& otherwise) const;
    /// A list, or one number as a list of one; empty where absent.
    std::vector<int64_t> integers(size_t position, const char* name) const;
    std::vector<double> reals(size_t position, const char* name) const;

    /// Result tensors, depth first.
    const std::vector<plan::Tensor>& results() const { return results_; }
    const plan::Tensor& result() const;

  private:
    const plan::AtenStep& step_;
    plan::OpName name_;
    std::vector<plan::Tensor> results_;
};

/// Numbers of a plan value; nothing for anything else.
std::optional<Number> number_of(const plan::Value& value);
/// 0 ≤ axis < rank, from Python's counting.
int wrapped(int64_t axis, size_t rank);
/// All axes where none is named; sorted.
std::vector<int> wrapped_axes(const std::vector<int64_t>& axes, size_t rank);

}  // namespace tritonsmith::graph
