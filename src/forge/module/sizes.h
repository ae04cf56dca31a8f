#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "forge/emit/code.h"

namespace tritonsmith::forge {

/// A number of the program at each size at which it was written.
using Series = std::vector<int64_t>;

/// A size that the program has a name for.
struct Symbol {
    std::string name;
    Series values;
    std::string definition;  ///< in forward: "x.shape[0]"
    bool windows = false;  ///< how many windows of a layer there are: other expressions of it hold by chance
};

/// Whether a number is the same at all sizes.
bool constant(const Series& series);

/// The expression of named sizes that gives a number at every size: a small constant, a size, a product, a
/// quotient of products, an affine form with a floor division. Nothing where none does.
/// @param used gets the indices of the symbols in it
std::optional<Code> fit(const Series& series, const std::vector<Symbol>& symbols, std::set<size_t>& used);
/// Only a constant, a product of sizes, or such a product times or divided by a number without a rest.
std::optional<Code> fit_ratio(const Series& series, const std::vector<Symbol>& symbols,
                              std::set<size_t>& used);
/// Only what divides with a rest, where fit_ratio() has found nothing.
std::optional<Code> fit_rounded(const Series& series, const std::vector<Symbol>& symbols,
                                std::set<size_t>& used);
/// Only a size and a little more or less: such a form does not hold by chance.
std::optional<Code> fit_beside(const Series& series, const std::vector<Symbol>& symbols,
                               std::set<size_t>& used);
/// Only a small constant, a size or a product of sizes; of a number that is the same everywhere too.
std::optional<Code> fit_product(const Series& series, const std::vector<Symbol>& symbols,
                                std::set<size_t>& used);

}  // namespace tritonsmith::forge
