#pragma once

#include <ATen/Context.h>

#include "numerics/precision.h"

namespace tritonsmith::run {

/// PyTorch's libraries as a precision says, and IEEE again afterwards.
class LibraryPrecision {
  public:
    explicit LibraryPrecision(numerics::Precision precision) {
        set(precision == numerics::Precision::tf32, precision != numerics::Precision::ieee);
    }
    ~LibraryPrecision() { set(false, false); }
    LibraryPrecision(const LibraryPrecision&) = delete;
    LibraryPrecision& operator=(const LibraryPrecision&) = delete;

  private:
    static void set(bool products, bool convolutions) {
        at::globalContext().setAllowTF32CuBLAS(products);
        at::globalContext().setAllowTF32CuDNN(convolutions);
    }
};

}  // namespace tritonsmith::run
