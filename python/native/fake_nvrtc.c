/* libnvrtc.so.13: PyTorch compiles some operators (prod, complex functions) when they are first used, for a
 * second each. Nothing runs here, so nothing is compiled. */
#include <string.h>

#include "fake_cuda.h"

#pragma GCC visibility push(default)
static char nothing[] = "";

int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return 0;
}
int nvrtcCreateProgram(void** program, const char* text, const char* name, int n, const char* const* headers,
                       const char* const* names) {
    *program = nothing;
    return 0;
}
int nvrtcDestroyProgram(void** program) {
    return 0;
}
int nvrtcAddNameExpression(void* program, const char* name) {
    return 0;
}
int nvrtcCompileProgram(void* program, int n, const char* const* options) {
    return 0;
}
int nvrtcGetLoweredName(void* program, const char* expression, const char** name) {
    *name = nothing;
    return 0;
}
static int size_of_nothing(size_t* size) {
    *size = sizeof nothing;
    return 0;
}
static int copy_nothing(char* out) {
    memcpy(out, nothing, sizeof nothing);
    return 0;
}
int nvrtcGetPTXSize(void* program, size_t* size) {
    return size_of_nothing(size);
}
int nvrtcGetPTX(void* program, char* out) {
    return copy_nothing(out);
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
    return size_of_nothing(size);
}
int nvrtcGetCUBIN(void* program, char* out) {
    return copy_nothing(out);
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
    return size_of_nothing(size);
}
int nvrtcGetProgramLog(void* program, char* out) {
    return copy_nothing(out);
}
const char* nvrtcGetErrorString(int error) {
    return nothing;
}
#pragma GCC visibility pop
