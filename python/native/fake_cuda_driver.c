/* libcuda.so.1 as far as PyTorch and the CUDA libraries ask before they give up: a driver with one device and
 * a context. cuBLAS, cuDNN and their like find nothing to work with behind it, and say so. */
#include <stdint.h>
#include <string.h>

#include "fake_cuda.h"

#pragma GCC visibility push(default)
enum { SUCCESS = 0, NOT_INITIALIZED = 3, NOT_FOUND = 500, NOT_SUPPORTED = 801 };
static int context;

int cuInit(unsigned flags) {
    return SUCCESS;
}
int cuDriverGetVersion(int* v) {
    *v = 13000;
    return SUCCESS;
}
int cuDeviceGetCount(int* n) {
    *n = 1;
    return SUCCESS;
}
int cuDeviceGet(int* device, int ordinal) {
    *device = 0;
    return ordinal == 0 ? SUCCESS : 101;
}
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    *flags = 0;
    *active = 1;
    return SUCCESS;
}
int cuDevicePrimaryCtxRetain(void** c, int device) {
    *c = &context;
    return SUCCESS;
}
int cuCtxGetCurrent(void** c) {
    *c = &context;
    return SUCCESS;
}
int cuCtxSetCurrent(void* c) {
    return SUCCESS;
}
int cuCtxGetDevice(int* device) {
    *device = 0;
    return SUCCESS;
}
int cuGetErrorString(int error, const char** text) {
    *text = "not available on the tracing device";
    return SUCCESS;
}
int cuGetErrorName(int error, const char** text) {
    *text = "CUDA_ERROR_NOT_SUPPORTED";
    return SUCCESS;
}
int cuPointerGetAttribute(void* out, int attribute, uint64_t p) {
    if (attribute != 3 /* CU_POINTER_ATTRIBUTE_DEVICE_POINTER */) return NOT_SUPPORTED;
    memcpy(out, &p, sizeof p);
    return fake_is_device((void*)(uintptr_t)p) ? SUCCESS : 1;
}
/* Kernels that PyTorch compiles at run time: loaded, and launched without effect. */
int cuModuleLoadData(void** module, const void* image) {
    *module = &context;
    return SUCCESS;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned n, void* options, void** values) {
    return cuModuleLoadData(module, image);
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    *function = &context;
    return SUCCESS;
}
int cuModuleUnload(void* module) {
    return SUCCESS;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
    return SUCCESS;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* n, void* function, int block, size_t shared) {
    *n = 1;
    return SUCCESS;
}
int cuLaunchKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void* stream, void** parameters, void** extra) {
    return SUCCESS;
}
int cuLaunchCooperativeKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, void* stream, void** parameters) {
    return SUCCESS;
}
int cuGetExportTable(const void** table, const void* id) {
    return NOT_FOUND;
}
static int unsupported(void) {
    return NOT_SUPPORTED;
}
int cuGetProcAddress_v2(const char* name, void** out, int version, uint64_t flags, int* status) {
    *out = (void*)(uintptr_t)unsupported;
    if (status) *status = 0;
    return SUCCESS;
}
int cuGetProcAddress(const char* name, void** out, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, out, version, flags, 0);
}
#pragma GCC visibility pop
