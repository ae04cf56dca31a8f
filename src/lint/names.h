#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/facts.h"

namespace tritonsmith::lint {

/// What names stand for: follows imports, aliases and `self.x = ...` to full paths. Built once from the
/// facts, which must outlive it.
class Names {
  public:
    explicit Names(const Facts& facts);

    /// The full path of a name used in a function: "F.relu" → "torch.nn.functional.relu", "self.linear" →
    /// "torch.nn.Linear()". Unknown names come back as they are. The view lives until the next call.
    std::string_view resolve(std::string_view name, int function);

    /// True if the first part of the name was bound by an import.
    bool imported(std::string_view name, int function) const;

    int find_function(std::string_view name) const;         ///< a function outside classes, or -1
    int find_class(std::string_view name) const;            ///< or -1
    int find_method(int cls, std::string_view name) const;  ///< also of base classes in the file; or -1
    int owner(
        int function) const;  ///< the class that a function (or its enclosing function) belongs to, or -1

  private:
    const Binding* find(std::string_view name, int scope) const;
    const Binding* lookup(std::string_view name, int function) const;

    const Facts& facts_;
    std::vector<const Binding*> sorted_;
    std::string buffer_[2];
};

}  // namespace tritonsmith::lint
