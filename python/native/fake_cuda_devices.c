/* Properties of the devices that a trace may be made for: NVIDIA's data sheets and cudaGetDeviceProperties of
 * the GPUs named. */
#include "fake_cuda.h"

static const struct fake_device devices[] = {
    {90, "NVIDIA H200", 132, 1980000, 3201000, 6144, (size_t)150122856448, 62914560, 232448, 233472},
    {80, "NVIDIA A100-SXM4-80GB", 108, 1410000, 1593000, 5120, (size_t)85093253120, 41943040, 166912, 167936},
    {100, "NVIDIA B200", 148, 1965000, 3996000, 8192, (size_t)191510085632, 132644864, 232448, 233472},
};
static const struct fake_device* current = &devices[0];

const struct fake_device* fake_device_of(int capability) {
    for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i) {
        if (devices[i].capability == capability) return &devices[i];
    }
    return NULL;
}

const struct fake_device* fake_device_now(void) {
    return current;
}

/* Called through ctypes by the tracer. Returns 0, or -1 for a capability that is not in the table. */
__attribute__((visibility("default"))) int tritonsmith_fake_set_target(int capability) {
    const struct fake_device* device = fake_device_of(capability);
    if (!device) return -1;
    current = device;
    return 0;
}
