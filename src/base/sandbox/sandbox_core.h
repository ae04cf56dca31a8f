/* The sandbox, in plain C and without libraries, so that the C++ worker and the Python extension share one
 * text.
 *
 * It is entered once by a process of one thread, for good: Landlock for files, seccomp for everything else,
 * rlimits, no capabilities, no new privileges, no descriptors but those named. What it protects is the
 * machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sandbox_profile {
    SANDBOX_TRACE = 0,   /* host code of a candidate: threads, no processes, no sockets */
    SANDBOX_COMPILE = 1, /* the compiler: as above, but it may start the files in `execute` */
    SANDBOX_WORKER = 2,  /* runs plans: talks on inherited sockets, makes memfds */
    SANDBOX_GPU = 3, /* as the worker, and NVIDIA's driver may start inside: its files (sandbox_gpu.c), its
                        devices. What is forbidden fails with an error, for the driver tries a lot */
    SANDBOX_GPU_COMPILE =
        4, /* as above, and it may start the files in `execute` (Triton in Python: ptxas, cc) */
};

struct sandbox_options {
    enum sandbox_profile profile;
    const char* const*
        read_only; /* folders and files, NULL at the end; those that do not exist are skipped */
    const char* const* read_write; /* folders, NULL at the end; each must exist */
    const char* const* execute;    /* files, NULL at the end; the compiling profiles only */
    const int* keep;               /* descriptors that stay open beside 0, 1 and 2 */
    size_t keep_count;
    int64_t data_bytes;  /* RLIMIT_DATA; 0: not limited */
    int64_t file_bytes;  /* RLIMIT_FSIZE; 0: not limited */
    int64_t cpu_seconds; /* RLIMIT_CPU; 0: not limited */
    int64_t open_files;  /* RLIMIT_NOFILE; 0: not limited */
    int parent; /* process that must still be the parent (else: ESRCH), whose death kills this one; 0: none */
    int no_landlock; /* for tests of the lower layers: leave Landlock out */
    int report; /* for diagnosis: whatever the filter would refuse raises SIGSYS, with si_errno the error that
                   it would give (0: it would end the process). Guards nothing: the handler decides */
};

struct sandbox_features {
    int landlock_abi;    /* 0: the kernel has none */
    int seccomp;         /* filters with kill-process */
    int user_namespaces; /* may be made here (not used by the sandbox) */
};

void sandbox_probe(struct sandbox_features* features);

/* Returns 0, or -1 with one line in `error`; the process is then half restricted and must end. */
int sandbox_enter(const struct sandbox_options* options, char* error, size_t error_size);

/* The two halves; same results. */
int sandbox_restrict_files(const struct sandbox_options* options, int abi, char* error, size_t error_size);
int sandbox_restrict_calls(const struct sandbox_options* options, char* error, size_t error_size);
int sandbox_uses_gpu(enum sandbox_profile profile);
int sandbox_starts_programs(enum sandbox_profile profile);
/* Calls `visit` for each path that NVIDIA's driver needs, until it does not return 0. */
typedef int (*sandbox_visit)(void* context, const char* path, int writable);
int sandbox_gpu_paths(sandbox_visit visit, void* context);
int sandbox_landlock_abi(void);
int sandbox_fail(char* error, size_t error_size, const char* what);

#ifdef __cplusplus
}
#endif
