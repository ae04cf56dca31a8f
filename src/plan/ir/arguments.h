#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "plan/ir/plan.h"

/// The arguments of a step, by position or keyword: the one look-up of them. Plans are untrusted: what is not
/// there, or of another kind, is answered and never assumed.
namespace tritonsmith::plan {

/// Null where it is not given; "" is no keyword.
const Value* find_argument(const AtenStep& step, size_t position, std::string_view name = "");

/// The argument, where it is of this kind; else null.
template <class Kind>
const Kind* argument(const AtenStep& step, size_t position, std::string_view name = "") {
    const Value* value = find_argument(step, position, name);
    return value ? std::get_if<Kind>(&value->v) : nullptr;
}

/// Of an integer or a float; nothing for null and for other kinds.
std::optional<double> as_number(const Value* value);
/// The same, and truths are 0 and 1.
std::optional<double> as_number_or_truth(const Value* value);

/// An element cannot be evaluated: an operator that is not known, arguments of other kinds, or too much work.
struct CannotEvaluate : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Arguments of a step for those who evaluate it. Wrong kinds throw CannotEvaluate.
class StepArguments {
  public:
    explicit StepArguments(const AtenStep& step) : step_(step) {}
    const Value* find(size_t position, const char* name = "") const;
    const Tensor& tensor(size_t position, const char* name = "") const;
    const Tensor* tensor_or_null(size_t position, const char* name = "") const;
    double real(size_t position, const char* name, double otherwise) const;
    int64_t whole(size_t position, const char* name, int64_t otherwise) const;
    bool flag(size_t position, const char* name, bool otherwise) const;
    std::string text(size_t position, const char* name, const std::string& otherwise) const;
    /// A list of integers, or one integer as a list of one.
    std::vector<int64_t> integers(size_t position, const char* name) const;

  private:
    const AtenStep& step_;
};

}  // namespace tritonsmith::plan
