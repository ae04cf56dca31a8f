/* The CUDA device that computes nothing: what its runtime and driver libraries share.
 *
 * PyTorch believes in one GPU and chooses its operators as on a real one; allocations are addresses in a
 * range that nothing can read, launches and copies do nothing. Loaded by tracer processes alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Device addresses: one inaccessible reservation, handed out upwards and never twice. */
#define FAKE_BASE UINT64_C(0x200000000000)
#define FAKE_SPAN (UINT64_C(1) << 46)

static inline int fake_is_device(const void* p) {
    uint64_t a = (uint64_t)(uintptr_t)p;
    return a >= FAKE_BASE && a < FAKE_BASE + FAKE_SPAN;
}

/* One row of the table of devices; kHz, bytes and bits as CUDA counts them. */
struct fake_device {
    int capability; /* 90 for sm_90 */
    const char* name;
    int multiprocessors, clock_khz, memory_clock_khz, bus_bits;
    size_t memory, l2, shared_optin, shared_per_multiprocessor;
};

const struct fake_device* fake_device_of(int capability); /* NULL where unknown */
const struct fake_device* fake_device_now(void);
