#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "plan/ir/plan.h"

namespace tritonsmith::numerics {

/// What float32 operands may be rounded to (docs/judge.md, Numerics).
enum class Precision : uint8_t {
    defaults,  ///< PyTorch's: TF32 in cuDNN's convolutions, IEEE in cuBLAS's products
    ieee,      ///< nothing, anywhere
    tf32       ///< TF32 in convolutions and products
};
const char* name(Precision precision);
std::optional<Precision> precision_from_name(std::string_view name);

/// Spacing of TF32's numbers next to one.
constexpr double kTf32Spacing = 0x1p-10;
/// KernelBench's published tolerance, relative and absolute, by which it accepts TF32 for float32.
constexpr double kTf32Tolerance = 1e-2;

bool is_convolution(const plan::AtenStep& step);
/// A matrix product, or an operator that is made of them.
bool is_product(const plan::AtenStep& step);
/// The step may round its operands to TF32, where they are float32.
bool rounds_to_tf32(const plan::AtenStep& step, Precision precision);
/// A forward step does.
bool rounds_to_tf32(const plan::Plan& plan, Precision precision);

/// A forward step of the plan convolves float32 tensors: PyTorch's defaults differ from IEEE there.
bool convolves_float32(const plan::Plan& plan);

}  // namespace tritonsmith::numerics
