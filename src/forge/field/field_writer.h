#pragma once

#include <map>
#include <string>
#include <vector>

#include "forge/emit/code.h"
#include "forge/emit/index_code.h"
#include "forge/emit/kernel.h"
#include "forge/field/context.h"
#include "forge/field/field.h"

namespace tritonsmith::forge {

/// How a kernel's text calls the points of its index space: names of the axes, the mask of each ("" where
/// all its points exist).
struct Space {
    Axes axes;
    std::vector<std::string> masks;
    bool fill = false;    ///< loads name what masked lanes read: they are used (reductions, products)
    bool scalar = false;  ///< some axes are single numbers in the program
};

/// Writes terms of a field as lines of a kernel: loads first met, names for what is used more than once.
class FieldWriter {
  public:
    FieldWriter(Context& context, const Field& field, Kernel& kernel)
        : context_(context), field_(field), kernel_(kernel) {}

    /// Counts uses of what these terms need; before any of them is written.
    void plan(const std::vector<int>& roots);
    /// The text of a term; lines that it needs are added to the kernel first.
    Code write(int term, const Space& space);
    /// The same as a name (or a literal).
    Code named(int term, const Space& space, const std::string& preferred = "");
    /// What has been named within a loop's body is unknown behind it.
    std::map<int, Code> known;
    std::map<std::string, std::string> places;  ///< names of positions, by their text

    /// The address of an element in a row-major tensor, and the mask it needs ("" if none).
    std::string address(int value, const std::vector<Index>& at, const std::vector<int>& chosen,
                        const Space& space);
    std::string mask(const std::vector<int>& axes, const std::vector<Guard>& guards, const Space& space);
    /// Names positions along the axes of a tensor that are more than an axis of the kernel: `y`, `channel`.
    /// @return the positions as text, one for each axis
    std::vector<Code> coordinates(int value, const std::vector<Index>& at, const std::vector<Guard>& guards,
                                  const Space& space);

    /// Names, before a loop, those positions of what a term loads that the loop's axes do not change.
    void hoist_positions(int term, const std::vector<int>& moving, const Space& space);

  private:
    Index flat_position(int value, const std::vector<Index>& at, const Space& space) const;
    std::string named_position(int value, size_t axis, const Index& at, const Space& space);
    Code constant(const graph::Number& number, DType dtype);
    Code make(int term, const Space& space);
    Code load(const Term& term, int id, const Space& space);
    std::vector<int> axes_of(const Term& term, const Space& space) const;
    std::string preferred_name(const Term& term) const;
    std::string place(const Index& index, const Space& space) const;

    Context& context_;
    const Field& field_;
    Kernel& kernel_;
    std::vector<int> uses_;
};

}  // namespace tritonsmith::forge
