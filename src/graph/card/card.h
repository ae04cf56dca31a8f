#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "graph/card/signature.h"
#include "graph/lift.h"
#include "plan/ir/plan.h"

namespace tritonsmith::graph {

/// The canonical description of what a task computes: signatures from its text; inputs, state and operators
/// from its traced reference. Deterministic. docs/card.md says how to read it.
struct Card {
    std::string text;
    Json json;
    std::optional<Refusal> refusal;  ///< why there are no operators
    /// About how many tokens the text has: bytes / 3.5.
    int64_t tokens() const;
};
/// @param entry the class that the task defines
Card describe(std::string_view source, const std::string& entry, const plan::Plan& reference);

/// Only its text, where the signatures and the graph are known already.
std::string card_text(const Signatures& signatures, const std::string& entry, const plan::Plan& reference,
                      const Graph& graph);

}  // namespace tritonsmith::graph
