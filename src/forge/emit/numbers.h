#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tritonsmith::forge {

/// Text in which sizes are left open. The same program is written for the task at several sizes; where the
/// texts agree, the numbers at one place tell which expression of the tensors' shapes belongs there
/// (sizes.h).
class Numbers {
  public:
    /// A mark that stands for `value` until it is replaced.
    std::string open(int64_t value);
    /// The same for a float constant that may be a size's root, as attention's 1 / sqrt(width): `literal`
    /// where its number is the same at all sizes. The mark behind it is the plain number under the root.
    std::string open_root(int64_t square, bool reciprocal, const std::string& literal);
    /// A mark of another text's, with what is known of it.
    std::string open_again(const Numbers& from, int mark);
    const std::vector<int64_t>& values() const { return values_; }

    struct Root {
        bool reciprocal = false;
        std::string literal;
    };
    const std::map<int, Root>& roots() const { return roots_; }

  private:
    std::vector<int64_t> values_;
    std::map<int, Root> roots_;
};

/// The text of a mark.
std::string mark_text(int mark);
/// The text with every mark replaced by what `with` says about its number (an index into Numbers::values).
/// `whole`: the mark is all of an argument, an index or one side of a comparison, and needs no parentheses.
std::string replace_marks(const std::string& text, const std::function<std::string(int mark, bool whole)>& with);
/// The indices of the marks in a text, in order.
std::vector<int> marks_in(const std::string& text);

}  // namespace tritonsmith::forge
