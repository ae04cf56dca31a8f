#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ttir/interp/interpreter.h"
#include "ttir/interp/lower/exec_layout.h"
#include "ttir/interp/simd/exec_kernels.h"
#include "ttir/ir/lanes.h"

namespace tritonsmith::ttir {

/// A pointer while interpreting: buffer number + 1 in the top 16 bits, biased byte offset below. Tag 0 is
/// wild.
constexpr uint64_t kPointerBias = uint64_t{1} << 47;
constexpr uint64_t kPointerMask = (uint64_t{1} << 48) - 1;
constexpr uint64_t make_pointer(int buffer, int64_t offset) {
    return (static_cast<uint64_t>(buffer + 1) << 48) | (static_cast<uint64_t>(offset) + kPointerBias);
}
constexpr int pointer_buffer(uint64_t p) {
    return static_cast<int>(p >> 48) - 1;
}
constexpr int64_t pointer_offset(uint64_t p) {
    return static_cast<int64_t>((p & kPointerMask) - kPointerBias);
}

/// A tensor descriptor as a value: sizes and strides in elements.
struct DescriptorValue {
    uint64_t base = 0;
    int32_t rank = 0, nan_padding = 0;
    int64_t shape[5] = {}, stride[5] = {}, block[5] = {};
};

struct Launch;
struct Context;

/// A memory operation, as the compiled kernel issues it.
struct Issued : Issue {
    bool stores = false;
};

/// One instruction: an operation with its operands resolved to places in the arena. Immutable and shared by
/// threads.
class Step {
  public:
    virtual ~Step() = default;
    virtual void run(Context& ctx) const = 0;
    int location = -1;  ///< of the operation, into Module::locations
};

/// The flat code of a module. Functions have fixed frames in one arena (there is no recursion).
struct Code {
    std::vector<std::unique_ptr<Step>> steps;
    int64_t arena_bytes = 0, scratch_bytes = 0;
    std::vector<std::pair<int64_t, std::vector<std::byte>>> constants;  ///< arena offset and contents
    int entry = 0;
};

/// The state of one program: resumable between any two steps.
struct Context {
    std::byte* arena = nullptr;
    std::byte* scratch = nullptr;
    const Code* code = nullptr;
    const Module* module = nullptr;
    Launch* launch = nullptr;
    int pc = 0;
    std::vector<int> returns;  ///< of calls
    int64_t lanes = 1;         ///< elements that a combine region works on
    int64_t program = 0;       ///< linear index
    int64_t id[3] = {};
    uint32_t plain = 0, atomic = 0;     ///< names of this program in race words
    bool acquired = false;              ///< has synchronised with another program
    uint64_t epoch = 0, epoch_end = 0;  ///< see lanes.h
    bool released = false;              ///< has released something in this epoch
    bool stop = false;                  ///< leave run(): finished, suspended or the launch ends
    bool finished = false, suspended = false;
    int64_t operations = 0, next_check = 0, flops = 0, bytes_read = 0, bytes_written = 0;
    int64_t spin = 0;  ///< repeated looks at unchanged memory
    uint64_t spin_key = 0;
    /// Lanes of address arithmetic that wrapped in 32 bits, by Builder::poison_key; empty as long as nothing
    /// did.
    std::map<int64_t, std::vector<uint8_t>> poison;
    bool overflowed = false;           ///< some address arithmetic wrapped: poison is tracked
    bool warned_masked = false;        ///< has said that a masked load's lanes are used
    bool progress = false;             ///< has changed memory since it was resumed
    std::shared_ptr<IssueLog> issues;  ///< where loops are pipelined

    std::byte* at(int64_t slot) const { return arena + slot; }
    template <class T>
    T& ref(int64_t slot) const {
        return *reinterpret_cast<T*>(arena + slot);
    }

    /// Counts work and looks at limits now and then.
    void spend(int64_t amount) {
        operations += amount;
        if (operations >= next_check) check_limits();
    }
    void check_limits();
    /// A barrier of the program's threads.
    void synchronise() {
        released = false;
        if (++epoch < epoch_end) return;
        constexpr uint64_t kAtOnce = 256;
        epoch = fresh_epochs(kAtOnce);
        epoch_end = epoch + kAtOnce;
    }
    /// Runs steps from `pc` until stop.
    void run();
    /// Runs a nested region that ends by setting pc to -1.
    void run_nested(int entry);
    /// Notes a finding (the first of its kind counts) with program id and line filled in.
    void find(const Step& step, std::string reason, std::string message, Json evidence, bool fatal = false);
    void warn(const Step& step, std::string reason, std::string message, Json evidence);
    void unsupported(const Step& step, const std::string& what);
    int line(const Step& step) const;

  private:
    Finding finding_at(const Step& step, std::string reason, const std::string& message, Json evidence) const;
};

/// Moves one value, possibly into a larger layout.
struct Move {
    int64_t from = 0, to = 0;
    int size = 1;  ///< bytes of an element
    Expand expand;
    bool lanes = false;  ///< count is Context::lanes
    void apply(Context& ctx, std::byte* out) const;
    void apply(Context& ctx) const { apply(ctx, ctx.at(to)); }
};

/// An operand of a step that needs it in a given layout, contiguous: direct, or expanded into scratch.
struct Operand {
    int64_t slot = -1;  ///< -1: absent
    Scalar elem = Scalar::none;
    Expand expand;
    int64_t scratch = 0;  ///< where in Context::scratch it is expanded to
    explicit operator bool() const { return slot >= 0; }
    const std::byte* get(Context& ctx) const {
        const std::byte* p = ctx.at(slot);
        if (expand.identity) return p;
        std::byte* out = ctx.scratch + scratch;
        expand.copy(out, p, element_size(elem), 0, expand.total);
        return out;
    }
    template <class T>
    const T* as(Context& ctx) const {
        return reinterpret_cast<const T*>(get(ctx));
    }
};

}  // namespace tritonsmith::ttir
