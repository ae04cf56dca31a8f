#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "judge/element_oracle.h"
#include "judge/page_cache.h"
#include "plan/link.h"
#include "plan/plan.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::judge {

/// The buffers of a full-size candidate plan, made on demand: inputs and weights by counter, shared with the
/// reference's plan, so that nothing large is materialised. Knows which buffers hold what they would hold in
/// a real run. Where outputs are compared with the wide tolerance of narrow types, inputs are uneven draws
/// (run/draw.h): the mean of a part of a row would lie within it.
class FullMemory {
  public:
    /// @param written buffers of the candidate that its launches may write: of these it has inputs and
    /// weights of its own, so that the oracle reads what they were.
    FullMemory(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
               uint64_t seed, PageCache& pages, std::set<int> written);

    /// False where an input's values cannot be made (derived integers): nothing can be sampled then.
    bool usable() const { return usable_; }
    /// Does what an ATen step of the candidate does, as far as it is known: allocation, constants, copies,
    /// draws.
    void apply(const plan::AtenStep& step, plan::Phase phase);
    /// The buffer, made if it is not there yet. Null for an id out of range.
    ttir::Buffer* buffer(int id);

    bool known(int id) const { return !unknown_.contains(id); }
    void forget(int id) { unknown_.insert(id); }
    void learn(int id) { unknown_.erase(id); }
    /// Buffers of inputs and weights, which hold what the oracle reads.
    bool leaf(int id) const { return leaves_.contains(id); }
    /// Parameters of the candidate that do not lie in memory as the reference's do.
    std::vector<int> unlinked_parameters() const;
    /// An element of a reference buffer that no forward step wrote.
    std::optional<OracleElement> reference_element(const plan::Tensor& tensor, int64_t storage_offset);
    /// The same for elements that lie `stride` apart; false where that gives nothing.
    bool reference_line(const plan::Tensor& tensor, int64_t storage_offset, int64_t stride,
                        std::span<double> out);

  private:
    using Shared = std::shared_ptr<ttir::Buffer>;
    Shared make_leaf(const plan::Tensor& tensor, const std::string& name);
    bool narrow_outputs() const;
    /// The buffer for a candidate's input or weight that is `shared` with the reference.
    Shared leaf_for(int id, const Shared& shared, const plan::Tensor& theirs);
    /// What a buffer holds now, whatever launches do to it later. Lazy buffers only.
    Shared unchanged(int id);
    void write_copy(const plan::AtenStep& step);

    const plan::Plan& reference_;
    const plan::Plan& candidate_;
    uint64_t seed_;
    PageCache& pages_;
    bool usable_ = true;
    std::map<int, Shared> reference_buffers_, buffers_;
    std::set<int> unknown_, leaves_, written_;
};

}  // namespace tritonsmith::judge
