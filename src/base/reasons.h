#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tritonsmith {

/// What a reason says about whom: a verdict's status follows from it.
enum class ReasonClass : uint8_t {
    rejected,     ///< the candidate is wrong
    unjudgeable,  ///< the task is: no candidate could be accepted, and none can bring it about
    machine,      ///< this machine failed: nothing is said about candidate or task
    note,         ///< a warning or a remark in the evidence, never a verdict's reason
    internal,     ///< between our own processes: the judge translates it before anybody sees it
};

enum class Stage : uint16_t {
    batch = 1,
    answer = 2,
    lint = 4,
    task = 8,
    trace = 16,
    policy = 32,
    interpret = 64,
    compile = 128,
    correctness = 256,
    run = 512,
    timing = 1024,
};

/// The stages that a reason can come from.
struct Stages {
    uint16_t bits = 0;
    constexpr Stages(Stage stage) : bits(static_cast<uint16_t>(stage)) {}
    constexpr Stages(uint16_t all) : bits(all) {}
    constexpr bool has(Stage stage) const { return (bits & static_cast<uint16_t>(stage)) != 0; }
};
constexpr Stages operator|(Stages a, Stages b) {
    return static_cast<uint16_t>(a.bits | b.bits);
}

/// What the judge does with a finding besides concluding with it.
enum class ReasonFlag : uint8_t {
    any_size = 1,   ///< found at a scaled size it is the program's at all sizes, and is not put aside
    in_whole = 2,   ///< a sample of programs that each run once cannot show it, or its absence
    no_answer = 4,  ///< of a run after an autotuner's benchmark: the check cannot be made, nothing is said
};

struct ReasonFlags {
    uint8_t bits = 0;
    constexpr ReasonFlags() = default;
    constexpr ReasonFlags(ReasonFlag flag) : bits(static_cast<uint8_t>(flag)) {}
    constexpr bool has(ReasonFlag flag) const { return (bits & static_cast<uint8_t>(flag)) != 0; }
    constexpr ReasonFlags operator|(ReasonFlags other) const {
        ReasonFlags all;
        all.bits = static_cast<uint8_t>(bits | other.bits);
        return all;
    }
};

/// One reason code: stable, rewards and tools rely on it. docs/reasons.md shows this table.
struct Reason {
    const char* code;
    Stages stages;
    ReasonClass kind;
    /// Another run of the same candidate may end otherwise (time, memory, chance): such a verdict is not
    /// cached.
    bool transient;
    const char* meaning;  ///< for docs/reasons.md, in Markdown
    const char* fix;      ///< what would make the program right, as feedback says it; "" for internal ones
    ReasonFlags flags = {};
};

/// All codes, by stage.
std::span<const Reason> reasons();

/// Null for a code that is not in the table.
const Reason* find_reason(std::string_view code);

/// False for a code that is not in the table.
bool has_flag(std::string_view code, ReasonFlag flag);

/// The fix of a code; empty for one that is not in the table.
std::string_view fix_of(std::string_view code);

/// "interpret", "trace" ...
const char* name(Stage stage);
const char* name(ReasonClass kind);

}  // namespace tritonsmith
