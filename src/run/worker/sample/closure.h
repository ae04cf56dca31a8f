#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "run/worker/sample/events.h"

namespace tritonsmith::run::sample {

/// What has to run so that some bytes hold what a run of everything leaves there.
struct Selection {
    std::vector<std::set<int64_t>> programs;   ///< by launch
    std::map<size_t, ttir::ByteRanges> bytes;  ///< by event: what of its result a copy or a fill has to write
    /// The last launch that may write the bytes, and one of its programs that does; -1: none does.
    int launch = -1;
    int64_t program = -1;

    void add(const Selection& other);
};

/// Finds, from the last step to the first, the programs on which bytes depend: those that may write them,
/// those of the same launch that add to them, and those of all launches before that may write what any of
/// these read.
class Closure {
  public:
    explicit Closure(const Events& events);

    /// @param seconds that the programs may take. Nothing where there are too many, or what happens to the
    /// bytes cannot be known.
    std::optional<Selection> of(ttir::BufferBytes wanted, double seconds);
    /// Whether some launch may write the bytes, as far as that can be known.
    std::optional<bool> written(ttir::BufferBytes wanted);
    /// Seconds of those of `more` that are not in `chosen`.
    double seconds(const Selection& more, const Selection& chosen) const;

  private:
    bool host_event(const Event& event, ttir::BufferBytes& wanted, ttir::ByteRanges* done) const;
    bool take(const plan::Tensor& to, const plan::Tensor* from, ttir::BufferBytes& wanted,
              ttir::ByteRanges* done) const;
    bool launch_event(size_t index, ttir::BufferBytes& wanted, Selection& selection, double& seconds);
    const ttir::BufferBytes& read_by(size_t launch, int64_t program);

    const Events& events_;
    std::vector<std::map<int64_t, ttir::BufferBytes>> reads_;  ///< by launch and program
    /// What may still be looked at (Footprint::writers), in all.
    int64_t work_, work_for_written_;
};

}  // namespace tritonsmith::run::sample
