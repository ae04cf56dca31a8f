#pragma once

#include <cstdint>

namespace tritonsmith::model {

/// Calls f(first, last) for parts of [0, n) of at least `grain` indices (the last part may be smaller) on
/// at::get_num_threads() threads; returns when all are done. Each thread has a contiguous share and takes
/// half of what is left of it at a time; a thread that is done takes the last parts of others' shares, so a
/// thread that is descheduled delays the loop only by the parts it has taken. Made for loops of microseconds
/// in close succession: threads stay awake between them (at::parallel_for uses OpenMP, whose threads go to
/// sleep as soon as two threads of the program have used it). Nested calls, and calls while another thread is
/// in here, run f on the calling thread. Exceptions of f are rethrown here.
template <class Function>
void parallel_for(int64_t n, int64_t grain, const Function& f);

/// Announces what the next loop will probably read, each thread a contiguous share: threads that wait for
/// that loop prefetch the beginning of theirs. Only prefetches, so the memory may be freed.
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
