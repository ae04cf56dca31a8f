#pragma once

#include <cstdint>

namespace tritonsmith::model {

/// Calls f(first, last) for parts of [0, n) of at least `grain` indices (the last part may be smaller), on as
/// many threads as at::get_num_threads() says; returns when all are done. Each thread
/// has a share of the parts and takes half of what is left of it at a time; who is done takes the last ones
/// of others. So one that the machine holds up keeps them waiting for what it took alone. For loops of
/// microseconds that follow each other closely: threads stay awake between them (at::parallel_for needs
/// OpenMP, whose threads go to sleep as soon as two threads of the program have used it). Within f, and while
/// another thread is in here, it is a call of f. What f throws is thrown here.
template <class Function>
void parallel_for(int64_t n, int64_t grain, const Function& f);

/// What the next loop will probably read in one piece, each thread its share: while threads wait for that
/// loop they ask for the first of it. Never touches memory, so that it may be gone.
void expect_to_read(const void* from, int64_t bytes);

namespace detail {
using Part = void (*)(const void* function, int64_t first, int64_t last);
void parallel_for(int64_t n, int64_t grain, Part part, const void* function);
}  // namespace detail

template <class Function>
void parallel_for(int64_t n, int64_t grain, const Function& f) {
    detail::parallel_for(
        n, grain,
        [](const void* function, int64_t first, int64_t last) {
            (*static_cast<const Function*>(function))(first, last);
        },
        &f);
}

}  // namespace tritonsmith::model
