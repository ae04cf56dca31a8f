#include "kernels/cuda/emulation.h"

#include <ucontext.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace tritonsmith::kernels::emulation {
namespace {

constexpr size_t stack_bytes = 64 * 1024, most_exchanged = 64;

struct Copy {
    void* to;
    const void* from;
    bool valid;

    void land() const {
        if (valid)
            std::memcpy(to, from, 16);
        else
            std::memset(to, 0, 16);
    }
};

struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    Place place;
    bool ended = false;
    std::deque<std::vector<Copy>> groups;  ///< of copies on their way; the last one is not committed yet
};

/// Where threads meet: a warp's lanes or a block's threads.
struct Meeting {
    int expected = 0, arrived = 0;
    uint64_t generation = 0;
    std::vector<char> values[2];
};

struct Block {
    std::vector<Fiber> fibers;
    std::vector<Meeting> warps;
    Meeting all;
    std::vector<char> shared;
    ucontext_t scheduler;
    Fiber* running = nullptr;
    const std::function<void()>* body = nullptr;
    uint64_t progress = 0;
    std::exception_ptr error;
};

Block* block = nullptr;
Landing landing = Landing::late;

void yield() {
    ::swapcontext(&block->running->context, &block->scheduler);
}

/// Waits until all that are expected are here.
uint64_t meet(Meeting& meeting) {
    const uint64_t generation = meeting.generation;
    ++block->progress;
    if (++meeting.arrived == meeting.expected) {
        meeting.arrived = 0;
        ++meeting.generation;
    } else {
        while (meeting.generation == generation) yield();
    }
    return generation;
}

void enter() {
    Fiber& fiber = *block->running;
    try {
        (*block->body)();
    } catch (...) {
        block->error = std::current_exception();
    }
    fiber.ended = true;
    ++block->progress;
    ::swapcontext(&fiber.context, &block->scheduler);
}

void run_block() {
    for (Fiber& fiber : block->fibers) {
        ::getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = stack_bytes;
        fiber.context.uc_link = nullptr;
        fiber.ended = false;
        fiber.groups.assign(1, {});
        ::makecontext(&fiber.context, enter, 0);
    }
    for (bool alive = true; alive;) {
        alive = false;
        const uint64_t before = block->progress;
        for (Fiber& fiber : block->fibers) {
            if (fiber.ended) continue;
            alive = true;
            block->running = &fiber;
            ::swapcontext(&block->scheduler, &fiber.context);
            if (block->error) std::rethrow_exception(block->error);
        }
        if (alive && block->progress == before)
            throw std::runtime_error("deadlock between threads of a block");
    }
    if (block->all.arrived != 0) throw std::runtime_error("some threads of a block ended while others wait");
}

}  // namespace

void set_landing(Landing value) {
    landing = value;
}

void run_grid(dim3 grid, int threads, size_t shared_bytes, const std::function<void()>& body) {
    Block made;
    made.fibers.resize(static_cast<size_t>(threads));
    made.warps.resize(static_cast<size_t>((threads + 31) / 32));
    made.body = &body;
    for (Meeting& warp : made.warps) warp.expected = 32;
    made.all.expected = threads;
    for (int i = 0; i < threads; ++i) {
        made.fibers[i].stack = std::make_unique<char[]>(stack_bytes);
        made.fibers[i].place = {dim3(i), dim3(), dim3(threads), grid};
    }
    block = &made;
    for (unsigned z = 0; z < grid.z; ++z)
        for (unsigned y = 0; y < grid.y; ++y)
            for (unsigned x = 0; x < grid.x; ++x) {
                for (Fiber& fiber : made.fibers) fiber.place.block = dim3(x, y, z);
                made.shared.assign(shared_bytes + 64,
                                   '\x7f');  // makes reads of uninitialised memory visible: 3e38
                run_block();
            }
    block = nullptr;
}

const Place& here() {
    return block->running->place;
}

char* shared_memory() {
    auto address = reinterpret_cast<uintptr_t>(block->shared.data());
    return block->shared.data() + (64 - address % 64) % 64;
}

void synchronize_block() {
    meet(block->all);
}

const char* exchange(const void* value, size_t bytes) {
    if (bytes > most_exchanged) throw std::logic_error("too much for one exchange");
    const unsigned thread = block->running->place.thread.x;
    Meeting& warp = block->warps[thread / 32];
    std::vector<char>& values = warp.values[warp.generation % 2];
    values.resize(32 * most_exchanged);
    std::memcpy(values.data() + thread % 32 * bytes, value, bytes);
    return warp.values[meet(warp) % 2].data();
}

void copy_async(void* to, const void* from, bool valid) {
    Copy copy{to, from, valid};
    if (landing == Landing::at_once)
        copy.land();
    else
        block->running->groups.back().push_back(copy);
}

void commit_copies() {
    block->running->groups.emplace_back();
}

void copies_arrived(int pending) {
    auto& groups = block->running->groups;
    while (static_cast<int>(groups.size()) - 1 > pending) {
        for (const Copy& copy : groups.front()) copy.land();
        groups.pop_front();
    }
}

}  // namespace tritonsmith::kernels::emulation
