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

/// Convolutions by PyTorch's own kernels, which multiply by cuBLAS: in float64 cuDNN's are many times slower.
class WithoutCudnn {
  public:
    /// @param wanted false: nothing changes
    explicit WithoutCudnn(bool wanted) : before_(at::globalContext().userEnabledCuDNN()) {
        if (wanted) at::globalContext().setUserEnabledCuDNN(false);
    }
    ~WithoutCudnn() { at::globalContext().setUserEnabledCuDNN(before_); }
    WithoutCudnn(const WithoutCudnn&) = delete;
    WithoutCudnn& operator=(const WithoutCudnn&) = delete;

  private:
    const bool before_;
};

}  // namespace tritonsmith::run
