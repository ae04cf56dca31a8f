#include "ttir/interp/ops/memory_access.h"

#include <algorithm>
#include <cstring>

#include "base/json.h"

namespace tritonsmith::ttir {
namespace {

constexpr int64_t kMachinePage = 4096;

Json buffer_evidence(const LaunchBuffer& b, int64_t offset, int64_t lane) {
    return {{"buffer", b.buffer->name()}, {"offset", offset}, {"bytes", b.bytes}, {"lane", lane}};
}

std::string buffer_text(const LaunchBuffer& b) {
    return "buffer '" + b.buffer->name() + "', " + std::to_string(b.bytes) + " bytes";
}

/// Calls piece(offset, bytes) for the parts of a range that lie in one page each.
template <class F>
void by_page(int64_t offset, int64_t bytes, F&& piece) {
    while (bytes > 0) {
        const int64_t here = std::min(bytes, kMachinePage - offset % kMachinePage);
        piece(offset, here);
        offset += here;
        bytes -= here;
    }
}

/// Has the system make pages by a write: one that is first read, and then written, is made twice, and every
/// processor notified.
template <class Word>
void make_pages(Word* words, int64_t count) {
    auto* byte = reinterpret_cast<uint8_t*>(words);
    const uint8_t* end = byte + count * static_cast<int64_t>(sizeof(Word));
    for (; byte < end;
         byte += kMachinePage - static_cast<int64_t>(reinterpret_cast<uintptr_t>(byte) % kMachinePage))
        std::atomic_ref<uint8_t>(*byte).fetch_or(0, std::memory_order_relaxed);
}

/// Whether program `ordinal` has released something since its access to a granule. `lanes`: the granule's
/// lane word of that access, 0 where none is kept. A release by one thread covers what other threads of its
/// program did before the last barrier only: Triton 3.6 puts none before an atomic exchange or addition.
bool has_released(Launch& launch, uint32_t ordinal, uint64_t lanes) {
    if (ordinal >= launch.released.size()) return false;
    const uint64_t at = std::atomic_ref<uint64_t>(launch.released[ordinal]).load(std::memory_order_relaxed);
    if (at == 0 || lanes == 0) return at != 0;
    return scalar_lane(lanes) ? epoch_of(lanes) <= at : epoch_of(lanes) < at;
}

/// The lanes of one warp go together; its lane words only say when something was touched, for releases.
bool one_warp(const Context& ctx) {
    return ctx.launch->options->num_warps == 1;
}

}  // namespace

std::string Access::text(const char* verb_override) const {
    std::string s = verb_override != nullptr ? verb_override : verb;
    // A value that the source does not name has a number in the text.
    if (name != nullptr && !name->empty() && (name->front() < '0' || name->front() > '9'))
        s += " through " + *name;
    return s;
}

LaunchBuffer* Access::check(Context& ctx, uint64_t p, int64_t count, int64_t lane, int64_t& offset) const {
    const int index = pointer_buffer(p);
    if (index < 0 || index >= static_cast<int>(ctx.launch->buffers.size())) {
        if (lenient) return nullptr;
        ctx.find(*step, "out_of_bounds",
                 text(nullptr) + " at an address that belongs to no buffer (null pointer or far outside)",
                 {{"lane", lane}}, true);
        return nullptr;
    }
    LaunchBuffer& b = ctx.launch->buffers[static_cast<size_t>(index)];
    offset = pointer_offset(p);
    if (offset < 0 || offset + count * size > b.bytes) {
        if (lenient) return nullptr;
        // The first element that is outside.
        const int64_t inside = offset < 0 ? 0 : std::clamp<int64_t>((b.bytes - offset) / size, 0, count);
        const int64_t bad = offset + inside * size;
        const int64_t element = bad >= 0 ? bad / size : -((-bad + size - 1) / size);
        Json evidence = buffer_evidence(b, bad, lane + inside);
        evidence["element"] = element;
        evidence["extent"] = b.bytes / size;
        ctx.find(*step, "out_of_bounds",
                 text(nullptr) + " at element " + std::to_string(element) + " of " +
                     std::to_string(b.bytes / size) + " (" + buffer_text(b) + ")",
                 std::move(evidence), true);
        return nullptr;
    }
    if (((b.buffer->address() + static_cast<uint64_t>(offset)) & static_cast<uint64_t>(size - 1)) != 0) {
        if (lenient) return nullptr;
        ctx.find(*step, "misaligned_access",
                 text(nullptr) + " of " + std::to_string(size) + " bytes at byte " + std::to_string(offset) +
                     ", which is not aligned (" + buffer_text(b) + ")",
                 buffer_evidence(b, offset, lane), true);
        return nullptr;
    }
    if (issued.loop >= 0) note_issue(ctx, b, offset, count * size, lane);
    return &b;
}

void Access::note_issue(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes, int64_t lane) const {
    if (!ctx.issues) return;
    if (b.lazy) b.buffer->ensure(offset, bytes);
    const auto* data = reinterpret_cast<const uint8_t*>(b.data + offset);
    const uint64_t address = make_pointer(static_cast<int>(&b - ctx.launch->buffers.data()), offset);
    if (issued.stores) return ctx.issues->stored(issued, address, data, bytes);
    const int64_t rounds = ctx.issues->missed(issued, address, data, bytes);
    if (rounds < 0) return;
    Json evidence = buffer_evidence(b, offset, lane);
    evidence["ahead"] = issued.ahead;
    evidence["rounds"] = rounds;
    ctx.find(*step, "stale_pipelined_load",
             text(nullptr) + " reads what the loop has stored " +
                 (rounds == 0 ? "in the same round" : std::to_string(rounds) + " round(s) before") +
                 ", and the compiled kernel issues it " + std::to_string(issued.ahead) +
                 " round(s) earlier, before that store (software pipelining, num_stages; " + buffer_text(b) +
                 ")",
             std::move(evidence));
}

void Access::check_written(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes, int64_t lane) const {
    const uint8_t* w = b.buffer->written() + offset;
    const void* gap = std::memchr(w, 0, static_cast<size_t>(bytes));
    if (gap == nullptr) return;
    const int64_t i = static_cast<const uint8_t*>(gap) - w;
    const int64_t element = (offset + i) / size;
    Json evidence = buffer_evidence(b, offset + i, lane + i / size);
    evidence["element"] = element;
    ctx.find(*step, "uninitialised_read",
             text(nullptr) + " at element " + std::to_string(element) + " that nothing has written (" +
                 buffer_text(b) + ")",
             std::move(evidence));
}

/// Looks at each race word of a piece where the fast check failed. `value`: what is written, null for a read.
void Access::conflict(Context& ctx, LaunchBuffer& b, int index, int64_t offset, int64_t bytes,
                      const std::byte* value, int64_t lane) const {
    Launch& launch = *ctx.launch;
    const uint32_t base = b.races.base;
    const int64_t granule = launch.granule;
    for (int64_t g = offset / granule; g <= (offset + bytes - 1) / granule; ++g) {
        uint32_t& w = b.races.writers[g];
        uint32_t& r = b.races.readers[g];
        const bool other_writer = w > base && w != ctx.plain && w != ctx.atomic;
        const bool other_reader = value != nullptr && r > base && r != ctx.plain;
        const auto ordered = [&](uint32_t word, const uint64_t* lanes) {
            return ctx.acquired && (word == base + 1 || has_released(launch, (word - base - 2) / 2,
                                                                     lanes != nullptr ? lanes[g] : 0));
        };
        const auto report = [&](uint32_t word, const char* what, bool finding, const char* kind) {
            const int64_t at = g * granule, element = at / size;
            Json evidence = buffer_evidence(b, at, lane + std::max<int64_t>(0, at - offset) / size);
            evidence["element"] = element;
            std::string other = "several programs";
            if (word != base + 1) {
                const int64_t program = launch.program_of((word - base - 2) / 2);
                const int64_t x = launch.grid[0], y = launch.grid[1];
                evidence["other_program"] = {program % x, program / x % y, program / x / y};
                other = "program " + dump(evidence["other_program"]);
            }
            const std::string message = text(nullptr) + " at element " + std::to_string(element) + ": " +
                                        other + " " + what + " the same address (" + buffer_text(b) + ")";
            if (finding)
                ctx.find(*step, kind, message, std::move(evidence));
            else
                ctx.warn(*step, kind, message, std::move(evidence));
        };
        if (other_writer && !ordered(w, b.lane_writers)) {
            const bool by_atomic = w == base + 1 || ((w - base) & 1) != 0;
            if (value == nullptr) {
                if (!(atomic_like && by_atomic))
                    report(w, by_atomic ? "writes (atomically)" : "writes", true, "race");
            } else {
                // The bytes of this granule that are being written.
                const int64_t from = std::max(g * granule, offset),
                              to = std::min((g + 1) * granule, offset + bytes);
                const bool equal =
                    std::memcmp(b.data + from, value + (from - offset), static_cast<size_t>(to - from)) == 0;
                if (equal && !by_atomic)
                    report(w, "writes the same value to", false, "equal_write");
                else
                    report(w, by_atomic ? "writes (atomically) to" : "writes another value to", true, "race");
            }
        }
        if (other_reader && !ordered(r, b.lane_readers)) report(r, "reads", true, "race");
        if (value != nullptr) {
            w = ctx.plain;
            if (other_reader) r = 0;
        } else {
            r = r <= base || r == ctx.plain ? ctx.plain : base + 1;
        }
    }
    static_cast<void>(index);
}

void Access::report_lanes(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t lane, const char* what,
                          uint64_t other) const {
    Json evidence = buffer_evidence(b, offset, lane);
    evidence["element"] = offset / size;
    evidence["same_program"] = true;
    if ((other & kLaneMask) != kLaneMask) evidence["other_lane"] = other & ((1 << kElementBits) - 1);
    ctx.find(*step, "race",
             text(nullptr) + " at element " + std::to_string(offset / size) +
                 ": another lane of this program " + what + " the same address, with no barrier between (" +
                 buffer_text(b) + ")",
             std::move(evidence));
}

void Access::note_lanes_read(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes,
                             int64_t lane) const {
    const int64_t granule = ctx.launch->granule, per = size / granule, g = offset / granule;
    if (one_warp(ctx)) {
        std::fill_n(b.lane_readers + g, bytes / granule, lane_word(ctx.epoch, kScalarShape, 0));
        return;
    }
    const uint64_t mine = lane_word(ctx.epoch, shape, lane);
    if (kernels().lanes_read(b.lane_readers + g, b.lane_writers + g, bytes / granule, per, mine)) {
        // One thread stores a scalar, all load it: those of other warps perhaps too early.
        if (shape == kScalarShape && b.lane_writers[g] == mine)
            ctx.warn(*step, "scalar_without_barrier",
                     text(nullptr) + " at element " + std::to_string(offset / size) +
                         ": the program has stored there as a scalar, with no barrier between (" +
                         buffer_text(b) + ")",
                     buffer_evidence(b, offset, lane));
        return;
    }
    for (int64_t i = 0; i < bytes / granule; ++i)
        if (other_lane(b.lane_writers[g + i], mine + static_cast<uint64_t>(i / per)))
            return report_lanes(ctx, b, offset + i * granule, lane + i / per, "writes",
                                b.lane_writers[g + i]);
}

/// Where a buffer has no lane words because one store alone touches it, whom else than another lane of that
/// store can it have met?
void Access::note_stored_again(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes,
                               const std::byte* value, int64_t lane) const {
    const int64_t granule = ctx.launch->granule, g = offset / granule;
    uint32_t* writers = b.races.writers + g;
    for (int64_t i = 0; b.stored_once && i < bytes / granule; ++i)
        if (writers[i] == ctx.plain && std::memcmp(b.data + offset + i * granule, value + i * granule,
                                                   static_cast<size_t>(granule)) != 0) {
            report_lanes(ctx, b, offset + i * granule, lane + i * granule / size, "writes another value to",
                         kLaneMask);
            break;
        }
    std::fill_n(writers, (offset + bytes - 1) / granule - g + 1, ctx.plain);
}

void Access::note_lanes_write(Context& ctx, LaunchBuffer& b, int64_t offset, int64_t bytes,
                              const std::byte* value, int64_t lane) const {
    const int64_t granule = ctx.launch->granule, per = size / granule, g = offset / granule;
    const auto changes = [&](int64_t i) {
        return std::memcmp(b.data + offset + i * granule, value + i * granule,
                           static_cast<size_t>(granule)) != 0;
    };
    // What follows a release is not covered by it.
    if (ctx.released && (shape == kScalarShape || one_warp(ctx))) ctx.synchronise();
    if (one_warp(ctx)) {
        std::fill_n(b.lane_writers + g, bytes / granule, lane_word(ctx.epoch, kScalarShape, 0));
        return;
    }
    const uint64_t mine = lane_word(ctx.epoch, shape, lane);
    if (kernels().lanes_write(b.lane_readers + g, b.lane_writers + g, bytes / granule, per, mine)) return;
    for (int64_t i = 0; i < bytes / granule; ++i) {
        const uint64_t me = mine + static_cast<uint64_t>(i / per);
        const bool written = other_lane(b.lane_writers[g + i], me);
        if ((written || other_lane(b.lane_readers[g + i], me)) && changes(i))
            return report_lanes(ctx, b, offset + i * granule, lane + i / per,
                                written ? "writes another value to" : "reads",
                                written ? b.lane_writers[g + i] : b.lane_readers[g + i]);
        b.lane_writers[g + i] = me;
    }
}

void Access::note_lanes_atomic(Context& ctx, LaunchBuffer& b, int64_t g, int64_t lane) const {
    if (one_warp(ctx)) {
        b.lane_writers[g] = lane_word(ctx.epoch, kScalarShape, 0) | kAtomicLane;
        return;
    }
    const uint64_t mine = lane_word(ctx.epoch, shape, lane), w = b.lane_writers[g], r = b.lane_readers[g];
    const bool after_store = other_lane(w, mine) && (w & kAtomicLane) == 0;
    if (after_store || other_lane(r, mine))
        report_lanes(ctx, b, g * ctx.launch->granule, lane, after_store ? "writes" : "reads",
                     after_store ? w : r);
    // Atomics of several lanes: whoever loads it is another lane than some of them.
    const bool several = other_lane(w, mine) && (w & kAtomicLane) != 0;
    b.lane_writers[g] = mine | kAtomicLane | (several ? kLaneMask : 0);
}

bool Access::read(Context& ctx, uint64_t p, int64_t count, std::byte* out, int64_t lane) const {
    int64_t offset = 0;
    LaunchBuffer* found = check(ctx, p, count, lane, offset);
    if (found == nullptr) {
        // Elements of a run that ends outside are read one by one.
        for (int64_t i = 0; lenient && count > 1 && i < count; ++i)
            read(ctx, p + static_cast<uint64_t>(i * size), 1, out + i * size, lane + i);
        if (!lenient || count == 1) std::memset(out, lenient ? 0xFF : 0, static_cast<size_t>(count * size));
        return false;
    }
    LaunchBuffer& b = *found;
    const int64_t bytes = count * size;
    if (b.lazy) b.buffer->ensure(offset, bytes);
    if (!b.tracked) {
        if (b.check_written) check_written(ctx, b, offset, bytes, lane);
        std::memcpy(out, b.data + offset, static_cast<size_t>(bytes));
        return true;
    }
    const int64_t granule = ctx.launch->granule;
    const int index = pointer_buffer(p);
    by_page(offset, bytes, [&](int64_t from, int64_t here) {
        PageGuard guard(ctx.launch->page_locks, index, from);
        if (b.check_written) check_written(ctx, b, from, here, lane + (from - offset) / size);
        if (b.races.writers != nullptr) {
            const int64_t g = from / granule, n = (from + here - 1) / granule - g + 1;
            if (!kernels().note_read(b.races.readers + g, b.races.writers + g, n, b.races.base, ctx.plain,
                                     ctx.atomic))
                conflict(ctx, b, index, from, here, nullptr, lane + (from - offset) / size);
            if (b.lane_writers != nullptr && !atomic_like)
                note_lanes_read(ctx, b, from, here, lane + (from - offset) / size);
        }
        std::memcpy(out + (from - offset), b.data + from, static_cast<size_t>(here));
    });
    return true;
}

bool Access::write(Context& ctx, uint64_t p, int64_t count, const std::byte* in, int64_t lane) const {
    int64_t offset = 0;
    LaunchBuffer* found = check(ctx, p, count, lane, offset);
    if (found == nullptr) return false;
    LaunchBuffer& b = *found;
    const int64_t bytes = count * size;
    if (b.lazy) b.buffer->ensure(offset, bytes);
    const int64_t granule = ctx.launch->granule;
    const int index = pointer_buffer(p);
    by_page(offset, bytes, [&](int64_t from, int64_t here) {
        PageGuard guard(ctx.launch->page_locks, index, from);
        const std::byte* source = in + (from - offset);
        if (b.races.writers != nullptr) {
            const int64_t g = from / granule, n = (from + here - 1) / granule - g + 1;
            if (b.sparse) {
                make_pages(b.races.writers + g, n);
                if (b.lane_writers != nullptr) make_pages(b.lane_writers + g, n);
            }
            bool again = false;
            if (!kernels().note_write(b.races.readers + g, b.races.writers + g, n, b.races.base, ctx.plain,
                                      ctx.atomic, &again))
                conflict(ctx, b, index, from, here, source, lane + (from - offset) / size);
            else if (again)
                note_stored_again(ctx, b, from, here, source, lane + (from - offset) / size);
            if (b.lane_writers != nullptr)
                note_lanes_write(ctx, b, from, here, source, lane + (from - offset) / size);
        }
        std::memcpy(b.data + from, source, static_cast<size_t>(here));
        if (b.mark_written) std::memset(b.buffer->written() + from, 1, static_cast<size_t>(here));
    });
    ctx.spin = 0;
    ctx.progress = true;
    return true;
}

void Access::gather(Context& ctx, const uint64_t* p, std::byte* out, int64_t n, int64_t lane) const {
    uint64_t lowest = 0, highest = 0;
    const int index = pointer_buffer(p[0]);
    if (n > 1 && index >= 0 && index < static_cast<int>(ctx.launch->buffers.size()) &&
        kernels().pointer_range(p, n, &lowest, &highest)) {
        const LaunchBuffer& b = ctx.launch->buffers[static_cast<size_t>(index)];
        if (!b.tracked && !b.lazy && !b.check_written && pointer_offset(lowest) >= 0 &&
            pointer_offset(highest) + size <= b.bytes) {
            uint64_t low_bits = 0;
            const uint64_t shift = b.buffer->address() - kPointerBias;
            for (int64_t i = 0; i < n; ++i) low_bits |= p[i] + shift;
            if ((low_bits & static_cast<uint64_t>(size - 1)) == 0) {
                kernels().gather(out, p, b.data, make_pointer(index, 0), size, n);
                return;
            }
        }
    }
    for (int64_t i = 0; i < n && !ctx.stop; ++i) read(ctx, p[i], 1, out + i * size, lane + i);
}

void Access::check_overflow(Context& ctx, const uint8_t* mask, int64_t n) const {
    const auto it = ctx.poison.find(poison);
    if (it == ctx.poison.end()) return;
    std::vector<uint8_t> lanes(static_cast<size_t>(n));
    poison_expand.copy(reinterpret_cast<std::byte*>(lanes.data()),
                       reinterpret_cast<const std::byte*>(it->second.data()), 1, 0, n);
    for (int64_t i = 0; i < n; ++i) {
        if (lanes[static_cast<size_t>(i)] == 0 || (mask != nullptr && mask[i] == 0)) continue;
        return ctx.find(*step, "address_overflow",
                        text(nullptr) + ": its offset was computed in 32 bits and overflowed", {{"lane", i}});
    }
}

namespace {

/// Calls `act` for each run of lanes that the mask has, `idle` for each that it leaves out (first lane,
/// lanes).
/// @return the lanes of the former
template <class Act, class Idle>
int64_t for_runs(const Context& ctx, const uint8_t* mask, int64_t n, const Act& act, const Idle& idle) {
    int64_t active = 0;
    for (int64_t i = 0, run = 0; i < n && !ctx.stop; i += run) {
        run = mask != nullptr ? kernels().mask_run(mask + i, n - i) : n - i;
        if (mask != nullptr && mask[i] == 0) {
            idle(i, run);
            continue;
        }
        active += run;
        act(i, run);
    }
    return active;
}

}  // namespace

void Access::load(Context& ctx, const uint64_t* p, const uint8_t* mask, const std::byte* other,
                  std::byte* out, int64_t n) const {
    const auto fetch = [&](int64_t i, int64_t lanes) {
        const int64_t end = i + lanes;
        while (i < end && !ctx.stop) {
            const int64_t run = kernels().run_length(p + i, end - i, static_cast<uint64_t>(size));
            if (run < 4 && run < end - i) {
                gather(ctx, p + i, out + i * size, end - i, i);
                i = end;
            } else {
                read(ctx, p[i], run, out + i * size, i);
                i += run;
            }
        }
    };
    const auto fill = [&](int64_t i, int64_t lanes) {
        if (other != nullptr)
            std::memcpy(out + i * size, other + i * size, static_cast<size_t>(lanes * size));
        else
            std::memset(out + i * size, 0, static_cast<size_t>(lanes * size));
    };
    ctx.bytes_read += for_runs(ctx, mask, n, fetch, fill) * size;
}

void Access::store(Context& ctx, const uint64_t* p, const uint8_t* mask, const std::byte* in,
                   int64_t n) const {
    const auto put = [&](int64_t i, int64_t lanes) {
        const int64_t end = i + lanes;
        while (i < end && !ctx.stop) {
            const int64_t run = kernels().run_length(p + i, end - i, static_cast<uint64_t>(size));
            write(ctx, p[i], run, in + i * size, i);
            i += run;
        }
    };
    ctx.bytes_written += for_runs(ctx, mask, n, put, [](int64_t, int64_t) {}) * size;
}

void Access::look_again(Context& ctx, uint64_t p, const std::byte* seen) const {
    uint64_t value = 0;
    std::memcpy(&value, seen, static_cast<size_t>(size));
    const uint64_t key = p * 31 + value + 1;
    if (key != ctx.spin_key) {
        ctx.spin_key = key;
        ctx.spin = 0;
    } else if (++ctx.spin > kSpinLimit) {
        ctx.spin = 0;
        ctx.suspended = ctx.stop = true;
    }
}

void note_atomic(Context& ctx, const Access& access, LaunchBuffer& b, int64_t offset, int size, bool acquire,
                 bool release, int64_t lane) {
    if (b.races.writers == nullptr) return;
    Launch& launch = *ctx.launch;
    const uint32_t base = b.races.base;
    for (int64_t g = offset / launch.granule; g <= (offset + size - 1) / launch.granule; ++g) {
        uint32_t& w = b.races.writers[g];
        uint32_t& r = b.races.readers[g];
        const bool other = w > base && w != ctx.plain && w != ctx.atomic;
        const bool by_atomic = w == base + 1 || ((w - base) & 1) != 0;
        if (acquire && other && by_atomic) ctx.acquired = true;
        const auto ordered = [&](uint32_t word, const uint64_t* lanes) {
            return ctx.acquired && (word == base + 1 || has_released(launch, (word - base - 2) / 2,
                                                                     lanes != nullptr ? lanes[g] : 0));
        };
        const bool bad_writer = other && !by_atomic && !ordered(w, b.lane_writers);
        const bool bad_reader = r > base && r != ctx.plain && !ordered(r, b.lane_readers);
        if (bad_writer || bad_reader) {
            Json evidence = buffer_evidence(b, offset, lane);
            evidence["element"] = offset / size;
            const uint32_t word = bad_writer ? w : r;
            if (word != base + 1) {
                const int64_t program = launch.program_of((word - base - 2) / 2);
                const int64_t x = launch.grid[0], y = launch.grid[1];
                evidence["other_program"] = {program % x, program / x % y, program / x / y};
            }
            ctx.find(*access.step, "race",
                     std::string(access.verb) + " at element " + std::to_string(offset / size) +
                         ": another program " + (bad_writer ? "writes" : "reads") +
                         " the same address without an atomic (" + buffer_text(b) + ")",
                     std::move(evidence));
        }
        w = other && by_atomic ? base + 1 : ctx.atomic;
        if (b.lane_writers != nullptr) access.note_lanes_atomic(ctx, b, g, lane);
    }
    if (!release) return;
    // Each thread of a block's atomics releases what it has done itself.
    const uint64_t at = ctx.epoch + (access.shape == kScalarShape ? 0 : 1);
    std::atomic_ref<uint64_t> released(launch.released[(ctx.plain - base - 2) / 2]);  // ours alone to write
    released.store(std::max(at, released.load(std::memory_order_relaxed)), std::memory_order_relaxed);
    ctx.released = true;
}

}  // namespace tritonsmith::ttir
