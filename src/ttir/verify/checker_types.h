#pragma once

#include <string>

#include "ttir/ir/type_text.h"
#include "ttir/verify/checker.h"
#include "ttir/verify/op_specs.h"

namespace tritonsmith::ttir {

bool is_class(const Type& type, Class of);  ///< numbers only: no pointers, no descriptors
bool is_pointer(const Type& type);          ///< pointers and tensors of pointers, not block pointers
bool is_block_pointer(const Type& type);
Type of_shape(Scalar scalar, const Type& like);
/// What a load through `pointer` gives. Requires a pointer.
Type loaded(const Type& pointer);

/// One operation with the types of its operands and results; requirements throw CheckError.
class View {
  public:
    View(const Function& function, const Operation& op) : function_(function), op_(op) {}

    const Type& in(size_t i) const;
    const Type& out(size_t i) const;
    const Type& type(ValueId id) const { return function_.values.at(id); }
    [[noreturn]] void fail(const std::string& what) const;
    void require(bool holds, const char* what) const {
        if (!holds) fail(what);
    }
    void counts(size_t operands, size_t results) const;
    void same_shape(const Type& a, const Type& b) const {
        require(a.shape == b.shape, "operands and result have one shape");
    }
    int64_t number(const char* attribute) const;
    const std::vector<int64_t>& array(const char* attribute) const;
    std::string keyword(const char* attribute) const;
    /// The axis attribute, within the rank.
    size_t axis(size_t rank) const;
    /// Region `i` has one block with arguments of these types.
    void block(size_t i, const std::vector<Type>& arguments) const;
    void regions(size_t count) const { require(op_.regions.size() == count, "wrong number of regions"); }
    /// The operands of the terminator of region `i`'s only block, by name.
    std::vector<Type> ends(size_t region, const char* terminator) const;
    std::vector<Type> inputs(size_t from = 0) const;
    std::vector<Type> outputs() const;

  private:
    const Function& function_;
    const Operation& op_;
};

}  // namespace tritonsmith::ttir
