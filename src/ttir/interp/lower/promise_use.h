#pragma once

#include <vector>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// How much of a promise about a value (tl.multiple_of and others) the compiler can make use of: vectors of
/// at most 16 bytes access memory, so that nothing is taken for true of more neighbours than such a vector
/// holds, in the accesses that the value leads to.
class PromiseUse {
  public:
    explicit PromiseUse(const Function& function);

    /// Of pointers bytes, else elements; 0 where it leads to no access.
    int64_t of(ValueId v) const { return needed_[static_cast<size_t>(v)]; }

  private:
    void visit(const Region& region, const Operation* parent);
    void visit(const Operation& op);
    void need(ValueId v, int64_t amount);
    int64_t most(const std::vector<ValueId>& values) const;
    int64_t behind(const Operation& op) const;

    const Function& function_;
    std::vector<int64_t> needed_;
    bool changed_ = false;
};

}  // namespace tritonsmith::ttir
