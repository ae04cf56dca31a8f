/* libcudart.so.13 as far as PyTorch calls it. Preloaded, so that it comes before the real library; what is
 * not here is the real one's, which finds no GPU behind it but the fake driver. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake_cuda.h"

#pragma GCC visibility push(default)
/* Copies from the device to the host since the process began: the tracer compares before and after each
 * operator, since what such a copy brings is not there. */
int tritonsmith_fake_reads = 0;

/* What orders the work of streams, in the order in which it was asked for; the tracer takes it before each
 * step (python/tritonsmith/trace/streams.py). */
enum fake_order_kind { FAKE_RECORD, FAKE_WAIT, FAKE_STREAM_ENDED, FAKE_EVENT_ENDED, FAKE_ALL_ENDED };
struct fake_order {
    uint64_t kind, stream, event;
};
#define FAKE_MOST_ORDERS 65536
int tritonsmith_fake_orders = 0; /* how many there are */
static struct fake_order orders[FAKE_MOST_ORDERS];
static pthread_mutex_t orders_mutex = PTHREAD_MUTEX_INITIALIZER;

static void order(enum fake_order_kind kind, const void* stream, const void* event) {
    pthread_mutex_lock(&orders_mutex);
    if (tritonsmith_fake_orders < FAKE_MOST_ORDERS) {
        struct fake_order* next = &orders[tritonsmith_fake_orders++];
        next->kind = kind;
        next->stream = (uint64_t)(uintptr_t)stream;
        next->event = (uint64_t)(uintptr_t)event;
    }
    pthread_mutex_unlock(&orders_mutex);
}
/* @return how many were written to `out`, which has room for FAKE_MOST_ORDERS */
int tritonsmith_fake_take_orders(struct fake_order* out) {
    pthread_mutex_lock(&orders_mutex);
    int count = tritonsmith_fake_orders;
    memcpy(out, orders, (size_t)count * sizeof *out);
    tritonsmith_fake_orders = 0;
    pthread_mutex_unlock(&orders_mutex);
    return count;
}

static _Atomic uint64_t next_address = FAKE_BASE;
static _Atomic uint64_t next_handle = 0x1000;

__attribute__((constructor)) static void reserve(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    /* Where the reservation is refused the range is merely unused; reading it faults all the same. */
    (void)!mmap((void*)(uintptr_t)FAKE_BASE, FAKE_SPAN, PROT_NONE, flags, -1, 0);
}

static void* handle(void) {
    return (void*)(uintptr_t)(next_handle += 16);
}

/* memory */
cudaError_t cudaMalloc(void** out, size_t bytes) {
    uint64_t size = (bytes + 511) / 512 * 512;
    if (bytes > FAKE_SPAN || next_address + size > FAKE_BASE + FAKE_SPAN) return cudaErrorMemoryAllocation;
    *out = (void*)(uintptr_t)atomic_fetch_add(&next_address, size ? size : 512);
    return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t s) {
    return cudaMalloc(out, bytes);
}
cudaError_t cudaFree(void* p) {
    return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** out, size_t bytes, unsigned flags) {
    return posix_memalign(out, 4096, bytes ? bytes : 1) == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFreeHost(void* p) {
    free(p);
    return cudaSuccess;
}
cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned flags) {
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* p) {
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
    *free_bytes = *total = fake_device_now()->memory;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* out, const void* p) {
    memset(out, 0, sizeof *out);
    out->type = fake_is_device(p) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    out->devicePointer = out->hostPointer = (void*)(uintptr_t)p;
    return cudaSuccess;
}
static cudaError_t copy(void* to, const void* from, size_t bytes) {
    if (fake_is_device(to)) return cudaSuccess;
    if (fake_is_device(from)) {
        ++tritonsmith_fake_reads;
        memset(to, 0, bytes);
    } else {
        memmove(to, from, bytes);
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind k) {
    return copy(to, from, bytes);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind k, cudaStream_t s) {
    return copy(to, from, bytes);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int td, const void* from, int fd, size_t bytes, cudaStream_t s) {
    return copy(to, from, bytes);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t s) {
    for (size_t row = 0; row < height && !fake_is_device(to); ++row) {
        copy((char*)to + row * to_pitch, (const char*)from + row * from_pitch, width);
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t n, size_t offset,
                               enum cudaMemcpyKind k) {
    return cudaSuccess;
}
cudaError_t cudaMemset(void* p, int value, size_t bytes) {
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* p, int value, size_t bytes, cudaStream_t s) {
    return cudaSuccess;
}
cudaError_t cudaGetSymbolAddress(void** out, const void* symbol) {
    return cudaMalloc(out, 4096);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    *pool = handle();
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, enum cudaMemPoolAttr a, void* v) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, enum cudaMemPoolAttr a, void* v) {
    memset(v, 0, 8);
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t keep) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t p, const struct cudaMemAccessDesc* d, size_t n) {
    return cudaSuccess;
}

/* the device */
cudaError_t cudaGetDeviceCount(int* n) {
    *n = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceSynchronize(void) {
    order(FAKE_ALL_ENDED, NULL, NULL);
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* v) {
    *v = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* v) {
    *v = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int a, int b) {
    *can = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return cudaErrorInvalidDevice;
}
cudaError_t cudaDeviceGetPCIBusId(char* out, int n, int device) {
    snprintf(out, (size_t)n, "0000:01:00.0");
    return cudaSuccess;
}
static void describe(const struct fake_device* d, struct cudaDeviceProp* p) {
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", d->name);
    p->major = d->capability / 10;
    p->minor = d->capability % 10;
    p->totalGlobalMem = d->memory;
    p->multiProcessorCount = d->multiprocessors;
    p->l2CacheSize = (int)d->l2;
    p->persistingL2CacheMaxSize = (int)d->l2;
    p->sharedMemPerBlock = 49152;
    p->sharedMemPerBlockOptin = d->shared_optin;
    p->sharedMemPerMultiprocessor = d->shared_per_multiprocessor;
    p->reservedSharedMemPerBlock = 1024;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->memPitch = 2147483647;
    p->totalConstMem = 65536;
    p->textureAlignment = 512;
    p->memoryBusWidth = d->bus_bits;
    p->asyncEngineCount = 3;
    p->concurrentKernels = p->unifiedAddressing = p->managedMemory = p->cooperativeLaunch = 1;
    p->canMapHostMemory = p->ECCEnabled = p->streamPrioritiesSupported = p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = p->computePreemptionSupported = p->memoryPoolsSupported = 1;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* p, int device) {
    describe(fake_device_now(), p);
    return cudaSuccess;
}
/* For the tracer: rewrites the properties that PyTorch has cached when the target changes. */
void tritonsmith_fake_properties(struct cudaDeviceProp* p) {
    describe(fake_device_now(), p);
}

cudaError_t cudaDeviceGetAttribute(int* out, enum cudaDeviceAttr attribute, int device) {
    const struct fake_device* d = fake_device_now();
    switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor:
            *out = d->capability / 10;
            break;
        case cudaDevAttrComputeCapabilityMinor:
            *out = d->capability % 10;
            break;
        case cudaDevAttrMultiProcessorCount:
            *out = d->multiprocessors;
            break;
        case cudaDevAttrClockRate:
            *out = d->clock_khz;
            break;
        case cudaDevAttrMemoryClockRate:
            *out = d->memory_clock_khz;
            break;
        case cudaDevAttrGlobalMemoryBusWidth:
            *out = d->bus_bits;
            break;
        case cudaDevAttrL2CacheSize:
            *out = (int)d->l2;
            break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            *out = (int)d->shared_optin;
            break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *out = (int)d->shared_per_multiprocessor;
            break;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            *out = 49152;
            break;
        case cudaDevAttrMaxRegistersPerBlock:
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            *out = 65536;
            break;
        case cudaDevAttrMaxThreadsPerBlock:
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
            *out = 1024;
            break;
        case cudaDevAttrMaxBlockDimZ:
            *out = 64;
            break;
        case cudaDevAttrMaxGridDimX:
            *out = 2147483647;
            break;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            *out = 65535;
            break;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            *out = 2048;
            break;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
        case cudaDevAttrWarpSize:
            *out = 32;
            break;
        case cudaDevAttrTotalConstantMemory:
            *out = 65536;
            break;
        case cudaDevAttrTextureAlignment:
            *out = 512;
            break;
        case cudaDevAttrComputeMode:
        case cudaDevAttrIntegrated:
        case cudaDevAttrKernelExecTimeout:
            *out = 0;
            break;
        default:
            *out = 1;
    }
    return cudaSuccess;
}

/* streams and events: handles, always finished */
cudaError_t cudaStreamCreate(cudaStream_t* s) {
    *s = handle();
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int priority) {
    return cudaStreamCreate(s);
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
    return cudaSuccess;
}
/* What has been told to have ended has ended. */
cudaError_t cudaStreamQuery(cudaStream_t s) {
    order(FAKE_STREAM_ENDED, s, NULL);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
    order(FAKE_STREAM_ENDED, s, NULL);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags) {
    order(FAKE_WAIT, s, e);
    return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t call, void* data, unsigned flags) {
    call(s, cudaSuccess, data);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t call, void* data) {
    call(data);
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int* priority) {
    *priority = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus* status) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                     size_t* count) {
    *status = cudaStreamCaptureStatusNone;
    if (id) *id = 0;
    if (count) *count = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, enum cudaStreamCaptureMode m) {
    return cudaErrorStreamCaptureUnsupported;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* m) {
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* e) {
    *e = handle();
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
    return cudaEventCreate(e);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
    order(FAKE_EVENT_ENDED, NULL, e);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
    order(FAKE_RECORD, s, e);
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags) {
    return cudaEventRecord(e, s);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
    order(FAKE_EVENT_ENDED, NULL, e);
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t a, cudaEvent_t b) {
    *ms = 1.0f;
    return cudaSuccess;
}

/* kernels */
cudaError_t cudaLaunchKernel(const void* f, dim3 g, dim3 b, void** args, size_t shared, cudaStream_t s) {
    return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** args) {
    return cudaSuccess;
}
cudaError_t cudaLaunchCooperativeKernel(const void* f, dim3 g, dim3 b, void** args, size_t shared,
                                        cudaStream_t s) {
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* f, enum cudaFuncAttribute a, int v) {
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* a, const void* f) {
    memset(a, 0, sizeof *a);
    a->maxThreadsPerBlock = 1024;
    a->numRegs = 32;
    a->ptxVersion = a->binaryVersion = fake_device_now()->capability;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void* f, int block, size_t shared) {
    *n = 1;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void* f, int block,
                                                                   size_t shared, unsigned flags) {
    *n = 1;
    return cudaSuccess;
}

/* errors, profiler, the driver's entry points */
cudaError_t cudaGetLastError(void) {
    return cudaSuccess;
}
cudaError_t cudaPeekAtLastError(void) {
    return cudaSuccess;
}
cudaError_t cudaProfilerStart(void) {
    return cudaSuccess;
}
cudaError_t cudaProfilerStop(void) {
    return cudaSuccess;
}
static int unsupported(void) {
    return 801; /* CUDA_ERROR_NOT_SUPPORTED */
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** out, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult* result) {
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
    void* found = driver ? dlsym(driver, name) : NULL;
    *out = found ? found : (void*)(uintptr_t)unsupported;
    if (result) *result = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}
#pragma GCC visibility pop
