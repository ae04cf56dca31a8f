#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "ttir/interp/lower/exec.h"
#include "ttir/interp/lower/promise_use.h"

namespace tritonsmith::ttir {

/// Combine regions work on this many elements at once.
constexpr int64_t kLaneChunk = 512;

class Builder;
/// Turns one operation into steps.
using Emitter = void (*)(Builder&, const Operation&);
using Emitters = std::unordered_map<std::string_view, Emitter>;
const Emitters& emitters();

/// Names of operations that work element by element on operands of one shape (their results are stored where
/// any operand is).
bool is_elementwise(std::string_view name);
/// Whether the result is the operand's memory under another type or shape.
bool is_view(const Operation& op, const Layout& from, const Layout& to);

/// Layouts and lifetimes of one function's values, found before code is emitted.
struct FunctionAnalysis {
    std::vector<Layout> layouts;
    std::vector<ValueId> root;   ///< the value whose memory this value is
    std::vector<int> last_use;   ///< of a root, in positions; kPinned: never freed
    std::vector<bool> address;   ///< of a root: 32-bit arithmetic on the way to a pointer's offset
    std::vector<bool> unmasked;  ///< of a root: every lane counts, see unmasked_values()
    std::unordered_map<const Operation*, int> position;  ///< after the operation and all nested ones
    static constexpr int kPinned = 1 << 30;

    explicit FunctionAnalysis(const Function& function);
};

/// Emits the flat code of a module. One use.
class Builder {
  public:
    Builder(const Module& module, Code& code, const IssueOrder& issued);
    void build();

    // For emitters.
    const Module& module() const { return module_; }
    const Function& function() const { return *function_; }
    const Type& type(ValueId v) const { return function_->values[static_cast<size_t>(v)]; }
    const Layout& layout(ValueId v) const { return analysis_->layouts[static_cast<size_t>(v)]; }
    std::string name(ValueId v) const;  ///< for messages
    /// Names a value in Context::poison; -1 where its lanes are not followed.
    int64_t poison_key(ValueId v) const;
    /// Whether every lane of a value counts, whatever loads and stores mask.
    bool unmasked(ValueId v) const;
    /// How much of a promise about a value matters (promise_use.h).
    int64_t promise_use(ValueId v);
    /// The number of a block's shape and stored dimensions in lane words (lanes.h); scalars are 0.
    int lane_shape(const std::vector<int64_t>& shape, uint64_t stored);
    /// When the compiled kernel issues a memory operation; `loop` is -1 where that is not looked at.
    Issued issued(const Operation& op) const;
    /// Loops of the compiled kernel whose rounds an scf.for begins, and those whose rounds are its own.
    struct CompiledLoops {
        std::vector<int> begun, counted;
    };
    const CompiledLoops& compiled_loops(const Operation& loop) { return compiled_loops_[&loop]; }
    /// Where a value lies; results get memory at the first call.
    int64_t slot(ValueId v);
    /// Whether a value's memory is its own: no view of another's, no constant.
    bool owns_memory(ValueId v) const;
    /// The result's memory may be that of `operand` if this is its last use.
    int64_t slot_in_place(ValueId result, const std::vector<ValueId>& operands);
    /// An operand as a block with the dimensions `stored` (of its own shape).
    Operand operand(ValueId v, uint64_t stored);
    Operand full_operand(ValueId v) { return operand(v, layout(v).full()); }
    Operand optional_operand(const Operation& op, size_t segment, uint64_t stored);
    Move move(ValueId from, int64_t to, const Layout& layout);
    /// Memory for the current operation only.
    int64_t temporary(int64_t bytes);
    int64_t scratch(int64_t bytes);
    /// A result that is the same in every program: written once, never given away.
    void place_constant(ValueId value, const std::vector<std::byte>& data);
    /// Adds a step and returns it.
    template <class S>
    S& emit(const Operation& op, S step) {
        auto owned = std::make_unique<S>(std::move(step));
        owned->location = op.location;
        S& ref = *owned;
        code_.steps.push_back(std::move(owned));
        return ref;
    }
    int pc() const { return static_cast<int>(code_.steps.size()); }
    void emit_unsupported(const Operation& op, std::string what);
    /// Emits a region whose blocks end in a terminator that `finish` emits (yield, return of a combine
    /// region).
    using Finish = std::function<void(const Operation& terminator)>;
    void emit_region(const Region& region, const Finish& finish);
    /// Copies values to places at once (sources may be destinations).
    struct Transfer {
        ValueId from;
        int64_t to;
        const Layout* layout;
        std::vector<ValueId> values = {};  ///< that lie there, for what is known of wrapped addresses
    };
    void emit_transfers(const Operation& op, const std::vector<Transfer>& transfers);
    /// Memory of a block argument or carried value; `hint`: a value that would like to be computed right
    /// there.
    void prefer(ValueId value, ValueId place);
    void share(ValueId value, ValueId place);  ///< value's memory is place's
    void place(ValueId value, int64_t slot);   ///< value's memory is this, lent to it
    int64_t bytes(ValueId value) const;
    void emit_copy(const Operation& op, int64_t from, ValueId to, const Layout& layout);

    struct Frame {
        int entry = -1;
        std::vector<int64_t> parameters, results;
        std::vector<Layout> parameter_layouts, result_layouts;
    };
    Frame& frame(const std::string& name) { return frames_[name]; }
    void call_finish(const Operation& terminator) { (*finish_)(terminator); }
    /// Blocks of the region being emitted: steps whose target is the block's first step.
    struct Targets {
        const Region* region;
        std::vector<int> starts;
        std::vector<std::pair<int*, int>> waiting;  ///< place to fill, block
    };
    Targets& targets() { return *targets_; }

  private:
    void emit_function(const Function& function);
    void emit_block(const Block& block);
    void emit_operation(const Operation& op);
    int64_t allocate(int64_t bytes, int64_t hint = -1);
    void release(int64_t slot);

    const Module& module_;
    Code& code_;
    const Function* function_ = nullptr;
    std::unique_ptr<FunctionAnalysis> analysis_;
    std::unique_ptr<PromiseUse> promise_use_;  ///< of function_, where it has promises
    std::vector<int64_t> slots_;
    std::map<int, std::vector<ValueId>> releases_;
    std::vector<bool> owns_;  ///< value's slot is to be released by it
    std::map<ValueId, ValueId> preferred_;
    std::map<int64_t, int64_t> sizes_;  ///< slot to capacity
    std::map<int64_t, int64_t> free_;   ///< slot to capacity
    std::vector<int64_t> created_, temporaries_;
    std::map<std::string, Frame> frames_;
    int64_t scratch_used_ = 0;
    const Finish* finish_ = nullptr;
    Targets* targets_ = nullptr;
    int position_ = 0;
    int64_t function_number_ = 0;
    std::map<const Operation*, Issue> issued_;
    std::map<const Operation*, CompiledLoops> compiled_loops_;  ///< by scf.for
    std::map<std::pair<std::vector<int64_t>, uint64_t>, int> lane_shapes_;
};

// Attributes that the checker guarantees.
int64_t int_attribute(const Operation& op, const std::string& name, int64_t fallback = 0);
bool bool_attribute(const Operation& op, const std::string& name);
std::string enum_attribute(const Operation& op, const std::string& name, const std::string& fallback = "");
std::string string_attribute(const Operation& op, const std::string& name);
std::vector<int64_t> array_attribute(const Operation& op, const std::string& name);

/// Checks what tt.divisibility, tt.contiguity and tt.constancy promise about an operation's result.
void emit_promises(Builder& b, const Operation& op);

void add_elementwise_emitters(Emitters& table);
void add_shape_emitters(Emitters& table);
void add_control_emitters(Emitters& table);
void add_memory_emitters(Emitters& table);
void add_atomic_emitters(Emitters& table);
void add_dot_emitters(Emitters& table);
void add_dot_scaled_emitters(Emitters& table);
void add_reduce_emitters(Emitters& table);
void add_inline_asm_emitters(Emitters& table);
void add_misc_emitters(Emitters& table);
void add_descriptor_emitters(Emitters& table);

}  // namespace tritonsmith::ttir
