/* System calls: an allow-list. What is on no list fails with ENOSYS, as on an older kernel, so that libraries
 * fall back; what only an attack (or a program that does not belong here) asks for ends the process with
 * SIGSYS. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sandbox/sandbox_core.h"

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "the sandbox knows x86_64 and aarch64"
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

#define KILL SECCOMP_RET_KILL_PROCESS
#define ALLOW SECCOMP_RET_ALLOW
#define FAIL(number) (SECCOMP_RET_ERRNO | ((number)&SECCOMP_RET_DATA))
#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define LOW_WORD(argument) (offsetof(struct seccomp_data, args) + 8 * (argument))

static const int allowed[] = {
#include "base/sandbox/sandbox_allowed.inc"
};
static const int killed[] = {
#include "base/sandbox/sandbox_killed.inc"
};
/* Known, harmless to ask, never granted: files' modes and owners, which Landlock does not guard. */
static const int refused[] = {
    SYS_fchmod,       SYS_fchmodat,     SYS_fchown,     SYS_fchownat,    SYS_utimensat, SYS_truncate,
    SYS_linkat,       SYS_symlinkat,    SYS_setxattr,   SYS_lsetxattr,   SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, SYS_socketpair, SYS_setpriority, SYS_setsid,    SYS_setpgid,
#ifdef SYS_chmod
    SYS_chmod,        SYS_chown,        SYS_lchown,     SYS_utime,       SYS_utimes,    SYS_futimesat,
    SYS_link,         SYS_symlink,
#endif
};
static const int worker_allowed[] = {
    SYS_ioctl,         SYS_memfd_create,  SYS_sendmsg, SYS_recvmsg,           SYS_sendto,
    SYS_recvfrom,      SYS_shutdown,      SYS_fcntl,   SYS_sched_setaffinity, SYS_mbind,
    SYS_set_mempolicy, SYS_get_mempolicy, SYS_mlock,   SYS_munlock,           SYS_getsockopt,
    SYS_setsockopt,
};
/* NVIDIA's driver, beside what the worker may do; its fcntl and ioctl have rules of their own. */
static const int gpu_allowed[] = {
    SYS_memfd_create,
    SYS_sendmsg,
    SYS_recvmsg,
    SYS_sendto,
    SYS_recvfrom,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_mbind,
    SYS_mlock,
    SYS_mlock2,
    SYS_munlock,
    SYS_get_mempolicy,
    SYS_sched_setaffinity,
    SYS_set_mempolicy,
    /* Of local sockets, which it makes to hand memory to other processes. It may wait there, and connect to
     * nobody. */
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_getsockname,
};
static const int compile_allowed[] = {
    SYS_execve,
#ifdef SYS_vfork
    SYS_vfork,
    SYS_fork,
#endif
};

struct program {
    struct sock_filter code[1024];
    size_t size;
    int report; /* sandbox_options.report */
};

static void emit(struct program* p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
    if (p->size < COUNT(p->code)) p->code[p->size] = (struct sock_filter){code, yes, no, k};
    ++p->size;
}
static void load(struct program* p, size_t offset) {
    emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}
static void give(struct program* p, uint32_t action) {
    if (p->report && action != ALLOW) {
        action = SECCOMP_RET_TRAP | (action == KILL ? 0 : action & SECCOMP_RET_DATA);
    }
    emit(p, BPF_RET | BPF_K, action, 0, 0);
}
static void if_equal(struct program* p, uint32_t value, uint32_t action) {
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    give(p, action);
}
static void all(struct program* p, const int* calls, size_t count, uint32_t action) {
    for (size_t i = 0; i < count; ++i) if_equal(p, (uint32_t)calls[i], action);
}

/* Opens a rule for one call; the caller emits `length` instructions that end in a return. */
static void rule(struct program* p, int call, uint8_t length) {
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, length);
}
/* `call` is allowed where the low word of an argument is one of `values`, else `otherwise`. */
static void only(struct program* p, int call, int argument, const uint32_t* values, size_t count,
                 uint32_t otherwise) {
    rule(p, call, (uint8_t)(2 + 2 * count));
    load(p, LOW_WORD(argument));
    for (size_t i = 0; i < count; ++i) if_equal(p, values[i], ALLOW);
    give(p, otherwise);
}
/* `call`, a signal to process or thread group `self`, is allowed unless the signal is SIGKILL. */
static void other_than_kill(struct program* p, int call, int argument, uint32_t self, uint32_t otherwise) {
    rule(p, call, 6);
    load(p, LOW_WORD(0));
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, self, 0, 3);
    load(p, LOW_WORD(argument));
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, 9 /* SIGKILL */, 1, 0);
    give(p, ALLOW);
    give(p, otherwise);
}
/* `call` fails unless the pointer to what it should set is null; a rule for the rest follows. */
static void only_asked(struct program* p, int call, int argument, uint32_t otherwise) {
    rule(p, call, 6);
    load(p, LOW_WORD(argument));
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
    load(p, LOW_WORD(argument) + 4);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    give(p, otherwise);
    load(p, offsetof(struct seccomp_data, nr));
}
/* `call` gets `action` where (low word & mask) == value, else `otherwise`. */
static void masked(struct program* p, int call, int argument, uint32_t mask, uint32_t value, uint32_t action,
                   uint32_t otherwise) {
    rule(p, call, 5);
    load(p, LOW_WORD(argument));
    emit(p, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    if_equal(p, value, action);
    give(p, otherwise);
}

/* The driver's own requests are of many kinds; those of terminals and sockets are named one by one. */
static void gpu_ioctls(struct program* p) {
    const uint32_t plain[] = {FIONREAD, FIOCLEX, FIONCLEX, FIONBIO, 0x5401 /* TCGETS */,
                              0x5413 /* TIOCGWINSZ */};
    rule(p, SYS_ioctl, (uint8_t)(7 + 2 * COUNT(plain)));
    load(p, LOW_WORD(1));
    for (size_t i = 0; i < COUNT(plain); ++i) if_equal(p, plain[i], ALLOW);
    emit(p, BPF_ALU | BPF_AND | BPF_K, 0xFF00, 0, 0); /* _IOC_TYPE */
    if_equal(p, 'T' << 8, FAIL(ENOTTY));
    if_equal(p, 0x8900, FAIL(ENOTTY));
    give(p, ALLOW);
}

static void argument_rules(struct program* p, enum sandbox_profile profile) {
    const uint32_t self = (uint32_t)getpid();
    const uint32_t self_or_zero[] = {0, self};
    /* Threads only: a new process would escape the deadline and the memory watch. clone3 hides its flags in
     * memory. */
    const uint32_t namespaces = 0x7E020000U | 0x80U | 0x2000U; /* CLONE_NEW*, CLONE_NEWTIME, CLONE_PTRACE */
    const int gpu = sandbox_uses_gpu(profile), programs = sandbox_starts_programs(profile);
    const uint32_t attempt = gpu ? FAIL(EPERM) : KILL;
    if (programs) {
        masked(p, SYS_clone, 0, namespaces, 0, ALLOW, attempt);
    } else {
        masked(p, SYS_clone, 0, namespaces | 0x00010100U, 0x00010100U, ALLOW,
               attempt); /* CLONE_THREAD, CLONE_VM */
    }
    /* libc tries it with all signals blocked, when a report of it would end the process, and does without. */
    const int report = p->report;
    p->report = 0;
    if_equal(p, SYS_clone3, FAIL(ENOSYS));
    p->report = report;
    /* Signals to oneself (abort, raise), but for SIGKILL: whoever sees that knows that somebody else sent it.
     * A filter is inherited: children of the compiler may signal nobody. */
    const uint32_t others = programs ? FAIL(EPERM) : attempt;
    other_than_kill(p, SYS_kill, 1, self, others);
    other_than_kill(p, SYS_tgkill, 2, self, others);
    other_than_kill(p, SYS_rt_sigqueueinfo, 1, self, others);
    other_than_kill(p, SYS_rt_tgsigqueueinfo, 2, self, others);
    /* Nor may a program have the system send it: by a timer, or by a limit of its own. */
    if (profile == SANDBOX_TRACE) only_asked(p, SYS_prlimit64, 2, FAIL(EPERM));
    only(p, SYS_prlimit64, 0, self_or_zero, 2, attempt);
    /* Local and routing sockets are probed by libc (nscd, interfaces): refused; any other family is an
     * attempt. */
    const uint32_t harmless[] = {1, 16};
    rule(p, SYS_socket, 6);
    load(p, LOW_WORD(0));
    for (size_t i = 0; i < COUNT(harmless); ++i)
        if_equal(p, harmless[i], gpu && harmless[i] == 1 ? ALLOW : FAIL(EACCES));
    give(p, gpu ? FAIL(EACCES) : KILL);
    /* Truncation through a read-only descriptor passes Landlock before ABI 3. */
    masked(p, SYS_openat, 2, O_ACCMODE | O_TRUNC, O_TRUNC, FAIL(EPERM), ALLOW);
#ifdef SYS_open
    masked(p, SYS_open, 1, O_ACCMODE | O_TRUNC, O_TRUNC, FAIL(EPERM), ALLOW);
#endif
    const uint32_t prctls[] = {PR_SET_NAME,     PR_GET_NAME,       PR_GET_PDEATHSIG,
                               PR_GET_DUMPABLE, PR_CAPBSET_READ,   PR_GET_NO_NEW_PRIVS,
                               PR_GET_SECCOMP,  PR_GET_TIMERSLACK, 40 /* PR_GET_TID_ADDRESS */,
                               0x53564d41 /* PR_SET_VMA */};
    only(p, SYS_prctl, 0, prctls, COUNT(prctls), FAIL(EPERM));
    if (profile == SANDBOX_WORKER) return;
    /* No F_SETOWN or F_SETSIG (signals to others), no terminal injection. */
    const uint32_t fcntls[] = {F_ADD_SEALS, F_GET_SEALS, /* for memfds, which only some may make */
                               F_DUPFD,     F_GETFD,     F_SETFD,     F_GETFL,         F_SETFL,
                               F_GETLK,     F_SETLK,     F_SETLKW,    F_DUPFD_CLOEXEC, F_GETPIPE_SZ,
                               F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW};
    only(p, SYS_fcntl, 1, fcntls, COUNT(fcntls), FAIL(EPERM));
    if (gpu) {
        gpu_ioctls(p);
        return;
    }
    const uint32_t ioctls[] = {FIONREAD, FIOCLEX, FIONCLEX, FIONBIO, 0x5401 /* TCGETS */,
                               0x5413 /* TIOCGWINSZ */};
    only(p, SYS_ioctl, 1, ioctls, COUNT(ioctls), FAIL(ENOTTY));
}

int sandbox_restrict_calls(const struct sandbox_options* options, char* error, size_t size) {
    const enum sandbox_profile profile = options->profile;
    static struct program p;
    p.size = 0;
    p.report = options->report;
    load(&p, offsetof(struct seccomp_data, arch));
    emit(&p, BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
    give(&p, KILL);
    load(&p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    emit(&p, BPF_JMP | BPF_JGE | BPF_K, 0x40000000U, 0, 1); /* x32 calls would pass under other numbers */
    give(&p, KILL);
#endif
    if (profile == SANDBOX_WORKER) all(&p, worker_allowed, COUNT(worker_allowed), ALLOW);
    if (sandbox_uses_gpu(profile)) all(&p, gpu_allowed, COUNT(gpu_allowed), ALLOW);
    if (sandbox_starts_programs(profile)) all(&p, compile_allowed, COUNT(compile_allowed), ALLOW);
    if (profile == SANDBOX_TRACE) if_equal(&p, SYS_timer_create, FAIL(ENOSYS));
    all(&p, allowed, COUNT(allowed), ALLOW);
    argument_rules(&p, profile);
    all(&p, refused, COUNT(refused), FAIL(EPERM));
    all(&p, killed, COUNT(killed), sandbox_uses_gpu(profile) ? FAIL(EPERM) : KILL);
    give(&p, FAIL(ENOSYS));
    if (p.size > COUNT(p.code)) {
        errno = E2BIG;
        return sandbox_fail(error, size, "seccomp filter");
    }
    struct sock_fprog filter = {(unsigned short)p.size, p.code};
    /* All threads, should there be any. */
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0) {
        return sandbox_fail(error, size, "seccomp");
    }
    return 0;
}
