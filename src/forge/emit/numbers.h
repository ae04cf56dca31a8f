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
    /// A mark that stands for `value` until it is replaced. @param name of the kernel's size that it is, or
    /// of several as a product, where others of its sizes may have this number
    std::string open(int64_t value, const std::string& name = "");
    /// The same for a float constant that may be an argument of forward's or a size's root, as
    /// attention's 1 / sqrt(width): `literal` where its number is the same at all sizes. The mark behind it
    /// is the plain number under the root. `literal` itself where it can be neither.
    std::string open_real(double value, const std::string& literal);
    /// A mark of another text's, with what is known of it.
    std::string open_again(const Numbers& from, int mark);
    const std::vector<int64_t>& values() const { return values_; }

    struct Real {
        double value = 0;
        std::string literal;
        int64_t square = 0;  ///< of the value, or of its reciprocal; 0 where that is no whole number
        bool reciprocal = false;
    };
    const std::map<int, Real>& reals() const { return reals_; }
    const std::map<int, std::string>& names() const { return names_; }
    /// forward takes Python numbers: any float constant may be one of them.
    bool arguments = false;

  private:
    std::string open(const Real& real);

    std::vector<int64_t> values_;
    std::map<int, Real> reals_;
    std::map<int, std::string> names_;
};

/// The text of a mark.
std::string mark_text(int mark);
/// The text with every mark replaced by what `with` says about its number (an index into Numbers::values).
/// `whole`: the mark is all of an argument, an index or one side of a comparison, and needs no parentheses.
std::string replace_marks(const std::string& text,
                          const std::function<std::string(int mark, bool whole)>& with);
bool has_marks(const std::string& text);
/// The indices of the marks in a text, in order.
std::vector<int> marks_in(const std::string& text);

}  // namespace tritonsmith::forge
