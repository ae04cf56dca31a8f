#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "plan/ir/plan.h"
#include "run/draw/leaves.h"
#include "run/worker/sample/buffers/page_cache.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::run::sample {

/// The buffers of a full-size candidate plan, made on demand: inputs and linked weights by counter, so that
/// nothing large is materialised. Knows which buffers hold what they would hold in a real run.
class Memory {
  public:
    /// @param reference its plan before the forward phase (leaf_plan). @param links candidate's weight →
    /// reference's. @param pages of `leaves`; both must outlive this
    Memory(const plan::Plan& reference, const plan::Plan& candidate,
           const std::map<std::string, std::string>& links, const Leaves& leaves, uint64_t seed,
           PageCache& pages);

    /// Does what an ATen step of the candidate does: allocation, constants, copies, draws, of whole buffers.
    /// False, and nothing done, where that is not known.
    bool apply(const plan::AtenStep& step, plan::Phase phase);
    /// The same; what is not known is forgotten, and counts as written.
    void apply_or_forget(const plan::AtenStep& step, plan::Phase phase);
    /// The buffer, made if it is not there yet. Null for an id out of range.
    ttir::Buffer* buffer(int id);

    bool known(int id) const { return !unknown_.contains(id); }
    void forget(int id) { unknown_.insert(id); }
    /// Buffers of inputs and weights, which hold what the reference's hold.
    bool leaf(int id) const { return leaves_.contains(id); }
    /// Parameters of the candidate that do not lie in memory as the reference's do.
    std::vector<int> unlinked_parameters() const;

  private:
    void make_leaf(int id, const std::string& name, int reference_buffer, const ttir::PageSource& source);
    bool apply(const plan::AtenStep& step, plan::Phase phase, const plan::Tensor& tensor);
    bool copy(const plan::AtenStep& step);

    const plan::Plan& candidate_;
    uint64_t seed_;
    PageCache& pages_;
    std::map<int, int> draw_links_;  ///< ordinals of the candidate's init draws → the reference's
    std::map<int, std::unique_ptr<ttir::Buffer>> buffers_;
    std::set<int> unknown_, leaves_;
};

}  // namespace tritonsmith::run::sample
