/* What NVIDIA's user-mode driver opens when it starts inside the sandbox: its libraries, its device nodes,
 * and what the kernel says about the machine. A path that does not exist is skipped. */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sandbox/sandbox_core.h"

static const char* const readable[] = {"/usr/lib",
                                       "/usr/lib64",
                                       "/lib",
                                       "/lib64",
                                       "/usr/local/nvidia",
                                       "/usr/share/nvidia",
                                       "/usr/local/cuda/compat",
                                       "/etc/ld.so.cache",
                                       "/etc/localtime",
                                       "/etc/nvidia",
                                       "/proc/self",
                                       "/proc/driver/nvidia",
                                       "/proc/driver/nvidia-uvm",
                                       "/proc/devices",
                                       "/proc/modules",
                                       "/proc/cpuinfo",
                                       "/proc/meminfo",
                                       "/proc/stat",
                                       "/proc/version",
                                       "/proc/sys/vm",
                                       "/proc/sys/kernel/osrelease",
                                       "/sys/devices",
                                       "/sys/bus/pci",
                                       "/sys/module",
                                       "/sys/class/drm",
                                       "/sys/kernel/mm/transparent_hugepage",
                                       "/dev/urandom",
                                       "/dev/random",
                                       "/dev/zero",
                                       NULL};

/* The folder of `folder`/libcuda.so.1, links followed: containers mount the driver where they like. */
static int driver_in(const char* folder, size_t length, sandbox_visit visit, void* context) {
    char path[PATH_MAX], real[PATH_MAX];
    if (length == 0 || length > PATH_MAX - 32) return 0;
    snprintf(path, sizeof path, "%.*s/libcuda.so.1", (int)length, folder);
    if (!realpath(path, real)) return 0;
    char* slash = strrchr(real, '/');
    if (!slash || slash == real) return 0;
    *slash = 0;
    int result = visit(context, real, 0);
    if (result != 0) return result;
    snprintf(path, sizeof path, "%.*s", (int)length, folder);
    return visit(context, path, 0);
}

static int drivers(sandbox_visit visit, void* context) {
    const char* folders[] = {
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
        "/usr/lib/wsl/lib",          "/run/opengl-driver/lib"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
        if (driver_in(folders[i], strlen(folders[i]), visit, context) != 0) return -1;
    }
    for (const char* p = getenv("LD_LIBRARY_PATH"); p && *p;) {
        const size_t length = strcspn(p, ":");
        if (*p == '/' && driver_in(p, length, visit, context) != 0) return -1;
        p += length + (p[length] == ':');
    }
    return 0;
}

static int devices(sandbox_visit visit, void* context) {
    DIR* folder = opendir("/dev");
    if (!folder) return 0;
    int result = 0;
    for (struct dirent* entry; result == 0 && (entry = readdir(folder));) {
        char path[PATH_MAX];
        if (strncmp(entry->d_name, "nvidia", 6) != 0)
            continue; /* nvidia0, nvidiactl, nvidia-uvm, nvidia-caps/ */
        snprintf(path, sizeof path, "/dev/%s", entry->d_name);
        result = visit(context, path, 1);
    }
    closedir(folder);
    return result;
}

int sandbox_gpu_paths(sandbox_visit visit, void* context) {
    /* The driver names its threads, and gives up where it cannot: /proc/self/task/N/comm. */
    if (visit(context, "/proc/self/task", 1) != 0) return -1;
    for (const char* const* p = readable; *p; ++p) {
        if (visit(context, *p, 0) != 0) return -1;
    }
    if (drivers(visit, context) != 0) return -1;
    return devices(visit, context);
}
