#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/arguments.h"

/// Kernels are checked by the same code on a GPU and, emulated, on the CPU.
namespace tritonsmith::kernels::testing {

/// Where kernels run: memory, and the library's functions. Failures are thrown.
class Machine {
  public:
    virtual ~Machine() = default;
    virtual void* allocate(size_t bytes) = 0;  ///< 256-byte aligned, freed with the machine
    virtual void to_device(void* to, const void* from, size_t bytes) = 0;
    virtual void from_device(void* to, const void* from, size_t bytes) = 0;  ///< after all launches
    /// Whether shapes that a model has are worth checking: emulation takes seconds for those.
    virtual bool is_fast() const = 0;
#define X(function, arguments) virtual void function(const arguments&) = 0;
#include "kernels/functions.inc"
#undef X

    template <typename T>
    T* put(const std::vector<T>& values) {
        void* memory = allocate(values.size() * sizeof(T));
        to_device(memory, values.data(), values.size() * sizeof(T));
        return static_cast<T*>(memory);
    }
    template <typename T>
    std::vector<T> get(const void* memory, size_t count) {
        std::vector<T> values(count);
        from_device(values.data(), memory, count * sizeof(T));
        return values;
    }
};

/// Floats as they are kept in a dtype: in memory, and rounded.
std::vector<unsigned char> encoded(const std::vector<float>& values, DType dtype);
std::vector<float> decoded(const std::vector<unsigned char>& bytes, DType dtype);
float rounded(float value, DType dtype);
/// Half a unit in the last place, relative.
double rounding_of(DType dtype);
/// A byte of e4m3 (OCP's OFP8: 4 bits of exponent, 3 of mantissa, 448 the greatest), and the nearest one to a
/// number, of two the even one.
float value_of_e4m3(uint8_t byte);
uint8_t nearest_e4m3(float value);
const char* name_of(DType dtype);

/// Floats on a machine, in a dtype.
struct Floats {
    void* memory = nullptr;
    size_t count = 0;
    DType dtype = DType::bf16;

    static Floats put(Machine& machine, const std::vector<float>& values, DType dtype);
    std::vector<float> get(Machine& machine) const;
};

/// Normal values, rounded to the dtype.
std::vector<float> random_values(size_t count, DType dtype, uint64_t seed, float scale = 1);

}  // namespace tritonsmith::kernels::testing
