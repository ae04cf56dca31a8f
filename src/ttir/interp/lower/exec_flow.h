#pragma once

#include <vector>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

// Where values go, found before a kernel runs. By root: values that are views of one memory are one.

/// Values on the way to offsets of pointers through sums, products, sign extension and control flow, and the
/// pointers themselves. Other operations (a remainder, a mask) may wrap on purpose before them.
std::vector<bool> address_values(const Function& function, const std::vector<ValueId>& root);

/// Values of which every lane counts: they go into a reduction, a scan, a product of blocks or a store
/// without mask, and nothing on the way may take lanes out (a choice, a product, bits and-ed).
std::vector<bool> unmasked_values(const Function& function, const std::vector<ValueId>& root);

}  // namespace tritonsmith::ttir
