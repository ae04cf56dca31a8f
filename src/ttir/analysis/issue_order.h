#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "ttir/ir/ir.h"

/// Software pipelining: the compiled kernel issues loads of a loop's round some rounds earlier, whatever the
/// rounds between store (Triton's pipeliner looks at no memory dependence). Which, and how early, its TTGIR
/// says (python/tritonsmith/services/pipelined.py).
namespace tritonsmith::ttir {

/// When the compiled loop executes a memory operation of round i: in its step i - ahead, at this place among
/// the operations of that step.
struct Issue {
    int loop =
        -1;  ///< of the compiled kernel, by number; it may be made of several that were nested. -1: none
    int ahead = 0;
    int place = 0;
};
/// By number of the operation (memory_operations).
using IssueOrder = std::map<int, Issue>;

/// Loads, stores and atomics of the entry function in the order of its text, descriptors' included.
std::vector<const Operation*> memory_operations(const Module& module);

/// The module with each of these operations at the location "operation":NUMBER+1, all others at none, so that
/// the compiler's output can be read against it.
Module with_numbered_locations(const Module& module);

/// Parameters of the entry function that one of its loops loads from, and that it stores to.
struct LoopAccesses {
    std::set<int> loaded, stored;
};
/// One for each scf.for that does both.
std::vector<LoopAccesses> loop_accesses(const Module& module);

/// What one program has stored in the pipelined loops that it is in: enough to tell what memory held when a
/// load was issued.
class IssueLog {
  public:
    void enter(int loop) { rounds_[loop] = {}; }
    void next_round(int loop) { ++rounds_[loop].round; }

    /// A store or atomic is about to change `bytes` bytes at `address`, which hold `old`.
    void stored(const Issue& issue, uint64_t address, const uint8_t* old, int64_t bytes);
    /// How many rounds before the load's own a store has put there what the load finds and the compiled
    /// kernel does not, since it has issued the load before; -1 where there is no such byte.
    int64_t missed(const Issue& issue, uint64_t address, const uint8_t* now, int64_t bytes) const;

  private:
    struct Change {
        int64_t round;
        Issue issue;
        uint8_t old;
    };
    struct Rounds {
        int64_t round = -1;
        std::unordered_map<uint64_t, std::vector<Change>> changes;  ///< by byte
    };
    std::unordered_map<int, Rounds> rounds_;
};

}  // namespace tritonsmith::ttir
