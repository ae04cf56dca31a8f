/* Files: nothing is reachable but the paths that the options name. The numbers are the kernel's ABI
 * (landlock(7)); written out because the headers of older distributions lack them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sandbox/sandbox_core.h"

#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446

#define FS_EXECUTE (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
#define FS_REMOVE_DIR (1ULL << 4)
#define FS_REMOVE_FILE (1ULL << 5)
#define FS_MAKE_DIR (1ULL << 7)
#define FS_MAKE_REG (1ULL << 8)
#define FS_ALL_ABI1 ((1ULL << 13) - 1)
#define FS_REFER (1ULL << 13)     /* ABI 2 */
#define FS_TRUNCATE (1ULL << 14)  /* ABI 3 */
#define FS_IOCTL_DEV (1ULL << 15) /* ABI 5 */
#define NET_ALL 3ULL              /* ABI 4: bind and connect of TCP */
#define SCOPE_ALL 3ULL            /* ABI 6: abstract sockets, signals */

struct ruleset_attr {
    uint64_t fs, net, scoped;
};
struct path_attr {
    uint64_t access;
    int32_t parent;
} __attribute__((packed));

int sandbox_landlock_abi(void) {
    long abi = syscall(CALL_CREATE_RULESET, NULL, 0, 1);
    return abi > 0 ? (int)abi : 0;
}

/* A file takes only the rights that make sense for files: the kernel refuses others. */
static int add_path(int ruleset, const char* path, uint64_t access, int must_exist, char* error,
                    size_t size) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        if (!must_exist) return 0;
        return sandbox_fail(error, size, path);
    }
    struct stat st;
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode)) {
        access &= FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
    }
    struct path_attr attr = {access, fd};
    long result = syscall(CALL_ADD_RULE, ruleset, 1, &attr, 0);
    int saved = errno;
    close(fd);
    errno = saved;
    return result == 0 ? 0 : sandbox_fail(error, size, path);
}

struct gpu_rules {
    int ruleset;
    uint64_t write;
    char* error;
    size_t size;
};
static int add_gpu_path(void* context, const char* path, int writable) {
    const struct gpu_rules* rules = context;
    const uint64_t access = FS_READ_FILE | FS_READ_DIR | (writable ? rules->write : 0);
    return add_path(rules->ruleset, path, access, 0, rules->error, rules->size);
}

int sandbox_restrict_files(const struct sandbox_options* options, int abi, char* error, size_t size) {
    struct ruleset_attr attr = {FS_ALL_ABI1, 0, 0};
    size_t attr_size = sizeof(uint64_t);
    if (abi >= 2) attr.fs |= FS_REFER;
    if (abi >= 3) attr.fs |= FS_TRUNCATE;
    if (abi >= 4) attr.net = NET_ALL, attr_size = 2 * sizeof(uint64_t);
    const int devices = options->profile == SANDBOX_WORKER || sandbox_uses_gpu(options->profile);
    if (abi >= 5 && !devices) attr.fs |= FS_IOCTL_DEV;
    if (abi >= 6) attr.scoped = SCOPE_ALL, attr_size = 3 * sizeof(uint64_t);

    int ruleset = (int)syscall(CALL_CREATE_RULESET, &attr, attr_size, 0);
    if (ruleset < 0) return sandbox_fail(error, size, "landlock_create_ruleset");
    const uint64_t read = FS_READ_FILE | FS_READ_DIR;
    const uint64_t write = (read | FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR |
                            FS_MAKE_REG | FS_REFER | FS_TRUNCATE | (devices ? FS_IOCTL_DEV : 0)) &
                           attr.fs;
    int result = 0;
    for (const char* const* p = options->read_only; result == 0 && p && *p; ++p) {
        result = add_path(ruleset, *p, read, 0, error, size);
    }
    for (const char* const* p = options->read_write; result == 0 && p && *p; ++p) {
        result = add_path(ruleset, *p, write, 1, error, size);
    }
    for (const char* const* p = options->execute; result == 0 && p && *p; ++p) {
        result = add_path(ruleset, *p, FS_READ_FILE | FS_EXECUTE, 1, error, size);
    }
    if (result == 0 && sandbox_uses_gpu(options->profile)) {
        const uint64_t write_file = (FS_WRITE_FILE | FS_TRUNCATE) & attr.fs;
        struct gpu_rules rules = {ruleset, write_file, error, size};
        result = sandbox_gpu_paths(add_gpu_path, &rules);
    }
    if (result == 0) result = add_path(ruleset, "/dev/null", FS_READ_FILE | FS_WRITE_FILE, 0, error, size);
    if (result == 0 && syscall(CALL_RESTRICT_SELF, ruleset, 0) != 0) {
        result = sandbox_fail(error, size, "landlock_restrict_self");
    }
    close(ruleset);
    return result;
}
