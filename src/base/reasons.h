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
};

/// All codes, by stage.
std::span<const Reason> reasons();

/// Null for a code that is not in the table.
const Reason* find_reason(std::string_view code);

/// The fix of a code; empty for one that is not in the table.
std::string_view fix_of(std::string_view code);

/// "interpret", "trace" ...
const char* name(Stage stage);
const char* name(ReasonClass kind);

}  // namespace tritonsmith
