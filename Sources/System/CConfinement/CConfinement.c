/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CConfinement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/landlock.h as of interface 7; the numbers are the same on every architecture. */
enum { SYSCALL_CREATE_RULESET = 444, SYSCALL_ADD_RULE = 445, SYSCALL_RESTRICT_SELF = 446 };
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum {
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_FIRST = (1 << 13) - 1,
    FS_REFER = 1 << 13,
    FS_TRUNCATE = 1 << 14,
    FS_IOCTL_DEVICE = 1 << 15,
};
enum { NET_BIND_TCP = 1 << 0, NET_CONNECT_TCP = 1 << 1 };
enum { SCOPE_ABSTRACT_SOCKET = 1 << 0, SCOPE_SIGNAL = 1 << 1 };

struct ruleset {
    uint64_t files, network, scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

int confinement_landlock_abi(void) {
    long abi = syscall(SYSCALL_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    return abi > 0 ? (int)abi : 0;
}

int confinement_has_filters(void) {
    /* Without a program the kernel fails on the pointer, provided that it knows the call. */
    return prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, NULL, 0, 0) != 0 && errno == EFAULT;
}

int confinement_ruleset(int abi, int network) {
    struct ruleset rules = {FS_FIRST, 0, 0};
    size_t size = sizeof rules.files;
    if (abi >= 2) rules.files |= FS_REFER;
    if (abi >= 3) rules.files |= FS_TRUNCATE;
    if (abi >= 4) {
        rules.network = NET_BIND_TCP | (network ? 0 : NET_CONNECT_TCP);
        size = 2 * sizeof(uint64_t);
    }
    if (abi >= 5) rules.files |= FS_IOCTL_DEVICE;
    if (abi >= 6) {
        rules.scoped = SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL;
        size = sizeof rules;
    }
    return (int)syscall(SYSCALL_CREATE_RULESET, &rules, size, 0);
}

int confinement_allow(int ruleset, int abi, const char *path, int writable) {
    struct stat status;
    int parent = open(path, O_PATH | O_CLOEXEC), error = 0;
    if (parent < 0) return errno;
    if (fstat(parent, &status) != 0) {
        error = errno;
    } else {
        struct path_rule rule = {FS_READ_FILE, parent};
        if (S_ISDIR(status.st_mode)) rule.allowed |= FS_READ_DIR;
        if (writable && S_ISCHR(status.st_mode)) {
            rule.allowed |= FS_WRITE_FILE;
            /* Opening for writing often includes O_TRUNC. */
            if (abi >= 3) rule.allowed |= FS_TRUNCATE;
        }
        if (syscall(SYSCALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0) error = errno;
    }
    close(parent);
    return error;
}

int confinement_enforce(int ruleset) { return syscall(SYSCALL_RESTRICT_SELF, ruleset, 0) != 0 ? errno : 0; }

int confinement_drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capset, &header, none) != 0 ? errno : 0;
}

/* Lowers both the soft and the hard limit, never above the current hard limit. */
static int lower(int resource, rlim_t to) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max < to) to = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = to;
    return setrlimit(resource, &limit) != 0 ? errno : 0;
}

int confinement_limit(uint64_t memory, uint64_t descriptors, uint64_t file_bytes) {
    static const int never[] = {RLIMIT_CORE, RLIMIT_RTPRIO, RLIMIT_NICE, RLIMIT_MSGQUEUE};
    /* A write past the limit is then an error and does not end the process. */
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        int error = lower(never[i], 0);
        if (error) return error;
    }
    int error = lower(RLIMIT_NOFILE, descriptors);
    if (!error) error = lower(RLIMIT_FSIZE, file_bytes);
    if (!error && memory) error = lower(RLIMIT_DATA, memory);
    return error;
}

int confinement_threads(void) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return 1;
    for (struct dirent *task; (task = readdir(tasks));) count += task->d_name[0] != '.';
    closedir(tasks);
    return count;
}

struct visit {
    void (*body)(const char *path, void *data);
    void *data;
};

static int visit_library(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    const struct visit *visit = data;
    if (info->dlpi_name && info->dlpi_name[0] == '/') visit->body(info->dlpi_name, visit->data);
    return 0;
}

void confinement_libraries(void (*body)(const char *path, void *data), void *data) {
    struct visit visit = {body, data};
    dl_iterate_phdr(visit_library, &visit);
}
