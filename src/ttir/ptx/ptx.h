#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tritonsmith::ttir {

/// Inline assembly that only works on registers: PTX instructions of an allow-list (docs/interpreter.md).
/// What touches memory, waits, branches or reads special registers is not in it, but for griddepcontrol:
/// launches follow each other here, so that there is nothing to wait for.
enum class PtxType : uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    f32,
    f64,
    e4m3x2,
    e5m2x2
};

/// A register, a number, or a vector {a, b} of either (mov packs and unpacks it).
struct PtxOperand {
    int reg = -1;        ///< -1: a number
    uint64_t value = 0;  ///< the number's bits
    std::vector<PtxOperand> parts;
};

struct PtxInstruction {
    /// Result from sources; sources are zero-extended to 64 bits, the result is cut to the destination.
    using Function = uint64_t (*)(const PtxInstruction&, const uint64_t* sources);
    Function run = nullptr;
    PtxType type = PtxType::none, from = PtxType::none;  ///< of the result, of the sources where another
    bool flush = false, saturate = false, toward_zero = false, nan = false, wide = false, high = false;
    size_t arity = 0;  ///< sources that it reads
    int mode = 0;      ///< comparison, rounding to an integer
    int guard = -1;
    bool guard_not = false;
    PtxOperand destination;
    std::vector<PtxOperand> sources;
};

/// One asm string. Immutable.
class PtxCode {
  public:
    /// @param results, arguments how many there are: $0 ... are the results, then come the arguments; they
    /// are the first registers. Not understood, or not allowed: `refusal()` says what.
    PtxCode(const std::string& text, int results, int arguments);
    const std::string& refusal() const { return refusal_; }
    /// Whether it always comes to griddepcontrol.wait.
    bool waits_for_grid() const { return waits_for_grid_; }
    int registers() const { return static_cast<int>(widths_.size()); }
    /// Runs on `registers()` values of 64 bits.
    void run(uint64_t* registers) const;

  private:
    friend class PtxParser;
    std::vector<PtxInstruction> instructions_;
    std::vector<int> widths_;
    std::string refusal_;
    bool waits_for_grid_ = false;
};

int ptx_bits(PtxType type);
/// Fills `run` from a mnemonic without its types and modifiers; false where it is not in the list.
bool resolve_ptx(const std::vector<std::string>& words, PtxInstruction& instruction);

}  // namespace tritonsmith::ttir
