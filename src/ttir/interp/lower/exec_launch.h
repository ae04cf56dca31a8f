#pragma once

#include <map>

#include "ttir/interp/lower/exec.h"
#include "ttir/interp/memory/races.h"

namespace tritonsmith::ttir {

/// One buffer as a launch sees it.
struct LaunchBuffer {
    Buffer* buffer = nullptr;
    std::byte* data = nullptr;
    int64_t bytes = 0;
    bool lazy = false, sparse = false;
    bool check_written = false;  ///< reads ask written(), writes mark it
    bool mark_written = false;
    bool tracked = false;  ///< race words are kept: the kernel may write it
    RaceTable races;
    /// Lane words (lanes.h) of a buffer that lanes of one program may race on; null: they cannot.
    uint64_t *lane_readers = nullptr, *lane_writers = nullptr;
    /// One store writes it, once in a program, and nothing else touches it: an address that the program has
    /// written before is one that another lane of the same store has written.
    bool stored_once = false;
};

/// What programs of one launch share. Threads write findings under the mutex; counters are summed at the end.
struct Launch {
    const Module* module = nullptr;
    const LaunchOptions* options = nullptr;
    std::array<int64_t, 3> grid{1, 1, 1};
    std::vector<LaunchBuffer> buffers;
    PageLocks locks;
    PageLocks* page_locks = nullptr;  ///< null where there is one thread
    int granule = 1;                  ///< bytes of one race word
    /// By ordinal: the epoch in which the program last released something to others, 0: never (relaxed
    /// atomic_ref).
    std::vector<uint64_t> released;
    std::vector<int64_t> order_to_program;  ///< sampled runs: ordinal to linear index
    std::atomic<bool> stop{false};
    std::atomic<bool> timed_out{false};
    std::atomic<bool> tf32{false};
    std::mutex mutex;
    std::map<std::string, Finding> findings, warnings;
    std::vector<std::string> prints;
    std::string unsupported;

    int buffer_of(Buffer* buffer);  ///< number, registered on first use
    /// The tagged pointer for an invented device address, wild (0) where no buffer has it.
    uint64_t resolve(uint64_t address) const;
    uint64_t address(uint64_t pointer) const;  ///< the inverse; 0 of a wild pointer
    int64_t program_of(uint32_t ordinal) const {
        return order_to_program.empty() ? static_cast<int64_t>(ordinal) : order_to_program[ordinal];
    }
};

}  // namespace tritonsmith::ttir
