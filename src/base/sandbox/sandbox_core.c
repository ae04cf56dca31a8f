#define _GNU_SOURCE
#include "base/sandbox/sandbox_core.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int sandbox_fail(char* error, size_t size, const char* what) {
    snprintf(error, size, "sandbox: %s: %s", what, strerror(errno));
    return -1;
}

int sandbox_uses_gpu(enum sandbox_profile profile) {
    return profile == SANDBOX_GPU || profile == SANDBOX_GPU_COMPILE;
}

int sandbox_starts_programs(enum sandbox_profile profile) {
    return profile == SANDBOX_COMPILE || profile == SANDBOX_GPU_COMPILE;
}

void sandbox_probe(struct sandbox_features* features) {
    features->landlock_abi = sandbox_landlock_abi();
    uint32_t action = 0x80000000U; /* SECCOMP_RET_KILL_PROCESS */
    features->seccomp = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
    long limit = 0;
    FILE* file = fopen("/proc/sys/user/max_user_namespaces", "r");
    if (file) {
        if (fscanf(file, "%ld", &limit) != 1) limit = 0;
        fclose(file);
    }
    features->user_namespaces = limit > 0;
}

/* The processor's soft limit comes a second before the hard one: SIGXCPU names the reason, SIGKILL enforces
 * it. */
static int limit(int what, int64_t value, char* error, size_t size) {
    struct rlimit now, want;
    if (getrlimit(what, &now) != 0) return sandbox_fail(error, size, "getrlimit");
    want.rlim_cur = (rlim_t)value;
    want.rlim_max = (rlim_t)value + (what == RLIMIT_CPU);
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < want.rlim_max)
        want.rlim_cur = want.rlim_max = now.rlim_max;
    return setrlimit(what, &want) == 0 ? 0 : sandbox_fail(error, size, "setrlimit");
}

static int limits(const struct sandbox_options* o, char* error, size_t size) {
    if (limit(RLIMIT_CORE, 0, error, size) != 0) return -1;
    if (o->data_bytes && limit(RLIMIT_DATA, o->data_bytes, error, size) != 0) return -1;
    if (o->file_bytes && limit(RLIMIT_FSIZE, o->file_bytes, error, size) != 0) return -1;
    if (o->cpu_seconds && limit(RLIMIT_CPU, o->cpu_seconds, error, size) != 0) return -1;
    if (o->open_files && limit(RLIMIT_NOFILE, o->open_files, error, size) != 0) return -1;
    if (o->profile == SANDBOX_WORKER || sandbox_uses_gpu(o->profile)) return 0;
    if (limit(RLIMIT_MEMLOCK, 0, error, size) != 0) return -1;
    return limit(RLIMIT_MSGQUEUE, 0, error, size);
}

/* Root keeps the right to read files that others own (an environment in a mounted home); Landlock still
 * decides which. */
static int drop_capabilities(char* error, size_t size) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) return sandbox_fail(error, size, "capget");
    const uint32_t kept = data[0].permitted & (1U << CAP_DAC_READ_SEARCH);
    data[0] = (struct __user_cap_data_struct){kept, kept, 0};
    data[1] = (struct __user_cap_data_struct){0, 0, 0};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, data) == 0 ? 0 : sandbox_fail(error, size, "capset");
}

/* Landlock binds the calling thread only: one that was started before would stay free. */
static int alone(char* error, size_t size) {
    DIR* folder = opendir("/proc/self/task");
    if (!folder) return sandbox_fail(error, size, "/proc/self/task");
    int threads = 0;
    for (struct dirent* entry; (entry = readdir(folder));) threads += entry->d_name[0] != '.';
    closedir(folder);
    if (threads == 1) return 0;
    errno = EBUSY;
    return sandbox_fail(error, size, "must be entered before threads are started");
}

static int is_kept(const struct sandbox_options* o, int fd) {
    if (fd <= 2) return 1;
    for (size_t i = 0; i < o->keep_count; ++i) {
        if (o->keep[i] == fd) return 1;
    }
    return 0;
}

static int close_others(const struct sandbox_options* o, char* error, size_t size) {
    DIR* folder = opendir("/proc/self/fd");
    if (!folder) return sandbox_fail(error, size, "/proc/self/fd");
    for (struct dirent* entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        int fd = atoi(entry->d_name);
        if (fd != dirfd(folder) && !is_kept(o, fd)) close(fd);
    }
    closedir(folder);
    return 0;
}

/* Should memory run out before the watch sees it, the kernel shall choose this process. */
static void volunteer_for_oom(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (write(fd, "1000", 4) != 4) { /* refused to some: the watch remains */
    }
    close(fd);
}

int sandbox_enter(const struct sandbox_options* o, char* error, size_t size) {
    const int abi = o->no_landlock ? 0 : sandbox_landlock_abi();
    if (o->parent) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return sandbox_fail(error, size, "PR_SET_PDEATHSIG");
        if (getppid() != o->parent) {
            errno = ESRCH;
            return sandbox_fail(error, size, "parent");
        }
    }
    setsid(); /* fails where this already leads a session, which serves as well */
    volunteer_for_oom();
    if (alone(error, size) != 0 || close_others(o, error, size) != 0 || limits(o, error, size) != 0)
        return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return sandbox_fail(error, size, "PR_SET_NO_NEW_PRIVS");
    if (abi > 0 && sandbox_restrict_files(o, abi, error, size) != 0) return -1;
    if (drop_capabilities(error, size) != 0) return -1;
    return sandbox_restrict_calls(o, error, size);
}
