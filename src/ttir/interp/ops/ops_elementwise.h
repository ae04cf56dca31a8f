#pragma once

#include "ttir/interp/lower/exec_builder.h"

namespace tritonsmith::ttir {

/// One operation on blocks, element by element. Small floats are widened to float in pieces and rounded back.
class ElementwiseStep : public Step {
  public:
    struct Input {
        int64_t slot = 0;
        int size = 4;  ///< bytes of a stored element
        Expand expand;
        bool lanes = false;        ///< as many elements as Context::lanes
        KernelFn widen = nullptr;  ///< to float
        int wide = 4;              ///< bytes after widening
        int64_t poison = -1;       ///< Builder::poison_key
    };
    enum class Check : uint8_t { none, shift, division, overflow };

    KernelFn fn = nullptr;
    std::vector<Input> inputs;
    int64_t out = 0;
    int out_size = 4, wide_out = 4;
    KernelFn odd = nullptr;     ///< double to float on the way to a small float
    KernelFn narrow = nullptr;  ///< float to a small float
    int64_t count = 1;          ///< 0: Context::lanes
    int flops = 0;              ///< for each element
    bool direct = false;        ///< no widening, no expanding: one call
    Check check = Check::none;
    CheckFn bad = nullptr;
    bool unmasked = false;  ///< every lane of the result counts
    int64_t poison = -1;    ///< of the result: lanes of wrapped address arithmetic are followed
    std::string what;       ///< for messages

    void run(Context& ctx) const override;

  private:
    void run_chunks(Context& ctx, int64_t n) const;
    void follow_poison(Context& ctx, int64_t n) const;
    void report(Context& ctx, const std::byte* const* in, int64_t n, int64_t first) const;
};

/// Emits result = kernel(operands). `compute`: the type that the kernel computes in.
struct ElementwiseSpec {
    std::string kernel;
    Scalar type = Scalar::none;    ///< of the kernel's table entry
    Scalar result = Scalar::none;  ///< that the kernel gives
    int flops = 0;
    ElementwiseStep::Check check = ElementwiseStep::Check::none;
    std::string check_name;
    KernelFn fn = nullptr;  ///< used instead of a look-up
    bool rtz = false;
};
/// False where there is no such kernel.
bool emit_elementwise(Builder& b, const Operation& op, const std::vector<ValueId>& operands, ValueId result,
                      const ElementwiseSpec& spec);
/// The type in which values of `type` are computed: f32 for small floats.
Scalar compute_type(Scalar type);

}  // namespace tritonsmith::ttir
