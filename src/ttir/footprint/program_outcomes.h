#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ttir/footprint/footprint_evaluation.h"
#include "ttir/footprint/outcome_tree.h"
#include "ttir/footprint/program_classes.h"

namespace tritonsmith::ttir {

/// How what derives from program_id, or from the counter of a loop that stores, comes out (OutcomeTree): of
/// programs for all of a box at once, of rounds for a program alone.
class ProgramOutcomes {
  public:
    ProgramOutcomes(const Module& module, const std::array<int64_t, 3>& grid,
                    const std::vector<Argument>& arguments, const KnownMemory& memory);

    /// False: nothing depends on the program, nor on the round of a loop that stores.
    bool any() const { return tree_.outcomes > 0; }
    /// Some depend on the round and not on the program.
    bool of_rounds() const { return tree_.of_rounds; }
    /// Ranges tell little of them: single programs have to be looked at.
    bool elaborate() const { return tree_.elaborate; }

    /// A character for each outcome: which of false, true, both among lanes, and unknown were seen.
    /// Those of rounds are not told.
    struct Outcomes {
        std::string each;
        bool one = true;  ///< all programs of the box have these
    };
    Outcomes of(const ProgramBox& box);

    /// What one store of a program writes.
    struct Written {
        /// The outcomes that came before it, in its round of a loop, and those of rounds in the two rounds
        /// before, which may have handed something on.
        std::string each;
        int argument = -1;
        LaneRange offset;  ///< in bytes, of the argument's buffer
        std::vector<int64_t> shape;
        /// Lanes at which an outcome begins or ends to be true.
        std::vector<std::array<int64_t, LaneRange::kRank>> edges;
    };
    /// Of the program that was looked at last, alone.
    const std::vector<Written>& written() const { return written_; }
    int64_t spent() const { return spent_; }  ///< nodes looked at so far

  private:
    enum Seen : char { kFalse = 1, kTrue = 2, kMixed = 4, kUnknown = 8 };

    void run(const std::vector<OutcomeNode>& nodes);
    void run(const OutcomeNode& node);
    OutcomeValue evaluate(const OutcomeNode& node);
    OutcomeValue copied(const OutcomeNode& node);
    OutcomeValue load(const OutcomeNode& node);
    OutcomeValue chosen(const OutcomeNode& node);
    void loop(const OutcomeNode& node);
    void while_loop(const OutcomeNode& node);
    void choice(const OutcomeNode& node);
    void call(const OutcomeNode& node);
    void hand_over(const std::vector<size_t>& from, size_t skip, const std::vector<size_t>& to,
                   size_t skip_to);
    void forget(const std::vector<size_t>& slots, size_t skip = 0);
    void store(const OutcomeNode& node);
    void note(const OutcomeNode& node, const OutcomeValue& value);
    Seen seen(const OutcomeNode& node, const OutcomeValue& value) const;
    bool alone() const;
    void end_round();
    class InnerLoop;

    OutcomeTree tree_;
    std::array<int64_t, 3> grid_;
    const KnownMemory& memory_;
    std::vector<OutcomeValue> parameters_, values_;
    std::vector<bool> never_known_;  ///< by outcome: not even of a single program
    std::vector<char> each_, now_;   ///< all that were seen, and the last
    std::string rounds_before_;      ///< outcomes of the last two, of the innermost loop
    std::vector<Written> written_;
    struct Edge {
        LaneRange::Window window;
        std::vector<int64_t> shape;
    };
    std::map<size_t, Edge> edges_;  ///< of outcomes that are now both among lanes
    ProgramBox box_{};
    int64_t spent_ = 0, rounds_left_ = 0;
};

}  // namespace tritonsmith::ttir
