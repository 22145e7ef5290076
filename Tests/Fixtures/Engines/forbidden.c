/* SPDX-License-Identifier: Apache-2.0 */
/* An engine that tries what no engine may do: in its constructor, before anybody asked it for anything, and again
 * when it renders. What came of it goes to the log, one line each: when, what, and the errno (0: it worked).
 *
 * With -DNO_EXEC it does not try to become another program, where nothing would keep it from that.
 * With -DPROGRAM it is a program that tries the same and prints it: what happens to who is not confined.
 *
 * Told by the compiler: HOME_FOLDER, with SECRET, a file of the listener, and NEW, which is not there; SESSION, a
 * socket's path; ABSTRACT, a socket's name; PORT, a TCP port where somebody listens; OWN, a file of the engine. */
#define _GNU_SOURCE
#include <rostrum/engine.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct outcome {
    const char *what;
    int error;
};
enum { MOST = 80 };
static struct outcome first[MOST], later[MOST];
static int first_count, later_count;

static int opened(const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    close(file);
    return 0;
}

static int result(long value) { return value < 0 ? errno : 0; }

static int connected(int family, const void *address, socklen_t size) {
    int s = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) return errno;
    int error = result(connect(s, address, size));
    close(s);
    return error;
}

static int to_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connected(AF_INET, &address, sizeof address);
}

static int to_path(const char *path, int is_abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + is_abstract, sizeof address.sun_path - 1, "%s", path);
    return connected(AF_UNIX, &address, sizeof address);
}

static int listening(void) {
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) return errno;
    int error = result(listen(s, 1));
    close(s);
    return error;
}

static int forked(pid_t (*how)(void)) {
    pid_t child = how();
    if (child < 0) return errno;
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}

static int executed(void) {
#if defined PROGRAM || defined NO_EXEC
    return 0;
#else
    execl("/bin/true", "true", NULL);
    return errno;
#endif
}

static int renamed(void) {
    int error = result(rename(SECRET, NEW));
    if (!error) rename(NEW, SECRET);
    return error;
}

static int folder_made(void) {
    int error = result(mkdir(NEW, 0700));
    if (!error) rmdir(NEW);
    return error;
}

static int file_made(void) {
    int error = opened(NEW, O_CREAT | O_WRONLY);
    if (!error) unlink(NEW);
    return error;
}

static int linked(void) {
    int error = result(link(SECRET, NEW));
    if (!error) unlink(NEW);
    return error;
}

/* To what it is already. */
static int slowed(void) {
    errno = 0;
    int priority = getpriority(PRIO_PROCESS, (id_t)getppid());
    return result(setpriority(PRIO_PROCESS, (id_t)getppid(), priority));
}

static int inherited(void) {
    char name[64], target[4096];
    for (int d = 0; d < 1024; d++) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", d);
        ssize_t count = readlink(name, target, sizeof target - 1);
        if (count < 0) continue;
        target[count] = 0;
        if (!strcmp(target, SECRET)) return 0;
    }
    return EBADF;
}

static int mapped(size_t size, int flags) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    munmap(memory, size);
    return 0;
}

static int written(void) {
    int file = memfd_create("x", MFD_CLOEXEC);
    if (file < 0) return errno;
    int error = result(write(file, "x", 1));
    close(file);
    return error;
}

/* Pages that no limit counts: writes to some of 1.5 GiB. */
static int filled(void *memory, size_t size) {
    if (memory == MAP_FAILED) return errno;
    for (size_t at = 0; at < size; at += size / 4) ((volatile char *)memory)[at] = 1;
    munmap(memory, size);
    return 0;
}

static int zero_mapped(void) {
    const size_t size = (size_t)3 << 29;
    int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
    if (zero < 0) return errno;
    int error = filled(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, zero, 0), size);
    close(zero);
    return error;
}

static int stack_mapped(void) {
    const size_t size = (size_t)3 << 29;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_GROWSDOWN;
    return filled(mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0), size);
}

/* A name for one end of a pair: the one socket that is there without network. */
static int named(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return errno;
    snprintf(address.sun_path + (path == NULL), sizeof address.sun_path - 1, "%s", path ? path : ABSTRACT "-squatted");
    int error = result(bind(pair[0], (struct sockaddr *)&address, sizeof address));
    if (!error && path) unlink(path);
    close(pair[0]);
    close(pair[1]);
    return error;
}

/* As the session has them: a socket, two memories, an eventfd and a socket. */
enum { SHARED_FIRST = 3, SHARED_END = 8 };

static int flags_changed(int (*how)(int)) {
    int error = 0;
    for (int d = SHARED_FIRST; d < SHARED_END; d++) {
#ifdef PROGRAM
        int own = dup2(0, d);
        (void)own;
#endif
        int one = how(d);
        if (one == 0) return 0;
        error = one;
    }
    return error;
}

static int flags_set(int d) { return result(fcntl(d, F_SETFL, 0)); }
static int flags_by_ioctl(int d) {
    int off = 0;
    return result(ioctl(d, FIONBIO, &off));
}
static int copied(int d) {
    int copy = dup(d);
    if (copy < 0) copy = fcntl(d, F_DUPFD_CLOEXEC, 100);
    if (copy < 0) return errno;
    close(copy);
    return 0;
}

static int parent_file(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", getppid());
    return opened(path, O_RDONLY);
}

static int parent_memory(void) {
    char byte;
    struct iovec own = {&byte, 1}, theirs = {(void *)&first_count, 1};
    return result(process_vm_readv(getppid(), &own, 1, &theirs, 1, 0));
}

static int signalled_by_descriptor(void) {
    int d = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int error = result(fcntl(d, F_SETOWN, getppid()));
    close(d);
    return error;
}

/* On a file of its own: whoever opens it for writing would wait. */
static int leased(void) {
    int d = open(OWN, O_RDONLY | O_CLOEXEC);
    if (d < 0) return errno;
    int error = result(fcntl(d, F_SETLEASE, F_RDLCK));
    close(d);
    return error;
}

static int notified(void) {
    int d = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d < 0) return errno;
    int error = result(fcntl(d, F_NOTIFY, DN_CREATE));
    close(d);
    return error;
}

static int shared_segment(void) {
    int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (segment < 0) return errno;
    shmctl(segment, IPC_RMID, NULL);
    return 0;
}

static void *nothing(void *data) { return data; }
static int threaded(void) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, nothing, NULL);
    if (!error) pthread_join(thread, NULL);
    return error;
}

static int tries(struct outcome *out) {
    struct rlimit none = {0, 0};
    int n = 0, pair[2];
    const struct outcome all[] = {
        {"read-file", opened(SECRET, O_RDONLY)},
        {"list-folder", opendir(HOME_FOLDER) ? 0 : errno},
        {"write-file", opened(SECRET, O_WRONLY)},
        {"make-file", file_made()},
        {"make-folder", folder_made()},
        {"link-file", linked()},
        {"rename-file", renamed()},
        {"change-mode", result(chmod(SECRET, 0600))},
        {"change-mode-2", result(syscall(452, AT_FDCWD, SECRET, 0600, 0))},
        {"read-parent", parent_file()},
        {"inherited", inherited()},
        {"environment", getenv("ROSTRUM_TEST_SECRET") ? 0 : ENOENT},
        {"tcp", to_port()},
        {"udp", result(socket(AF_INET, SOCK_DGRAM, 0))},
        {"listen", listening()},
        {"session", to_path(SESSION, 0)},
        {"abstract", to_path(ABSTRACT, 1)},
        {"datagrams", result(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))},
        {"fork", forked(fork)},
        {"clone3", result(syscall(435, NULL, 0))},
        {"exec", executed()},
        {"ptrace", result(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL))},
        {"memory-of-parent", parent_memory()},
        {"kill", result(kill(getppid(), 0))},
        {"process-descriptor", result(syscall(SYS_pidfd_open, getppid(), 0))},
        {"descriptor-owner", signalled_by_descriptor()},
        {"lease", leased()},
        {"folder-notice", notified()},
        {"leave-group", result(setpgid(0, getpgid(getppid())))},
        {"outlive", result(prctl(PR_SET_PDEATHSIG, 0))},
        {"slow-parent", slowed()},
        {"limit-parent", result(prlimit(getppid(), RLIMIT_CORE, &none, NULL))},
        {"too-much-memory", mapped((size_t)1 << 31, MAP_PRIVATE | MAP_NORESERVE)},
        {"uncounted-memory", mapped(1 << 20, MAP_SHARED)},
        {"uncounted-file", written()},
        {"uncounted-zeroes", zero_mapped()},
        {"uncounted-stack", stack_mapped()},
        {"name-abstract", named(NULL)},
        {"name-socket", named(NEW)},
        {"shared-flags", flags_changed(flags_set)},
        {"shared-waiting", flags_changed(flags_by_ioctl)},
        {"shared-copies", flags_changed(copied)},
        {"shared-segment", shared_segment()},
        {"watch", result(inotify_init1(0))},
        {"namespace", result(unshare(CLONE_NEWUSER))},
        {"unmount", result(umount2(NEW, 0))},
        {"io_uring", result(syscall(425, 1, NULL))},
        {"bpf", result(syscall(SYS_bpf, 0, NULL, 0))},
        {"perf", result(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0))},
        {"keys", result(syscall(SYS_keyctl, 0, -3, 0))},
        {"faults", result(syscall(SYS_userfaultfd, 0))},
        /* What an engine does need. */
        {"thread", threaded()},
        {"random", opened("/dev/urandom", O_RDONLY)},
        {"null", opened("/dev/null", O_RDWR)},
        {"libraries", opened("/usr/bin/env", O_RDONLY)},
        {"own-files", opened(OWN, O_RDONLY)},
        {"processors", opened("/proc/cpuinfo", O_RDONLY)},
        {"some-memory", mapped((size_t)512 << 20, MAP_PRIVATE | MAP_NORESERVE)},
    };
    for (; n < (int)(sizeof all / sizeof *all); n++) out[n] = all[n];
    return n;
}

#ifdef PROGRAM
int main(void) {
    first_count = tries(first);
    (void)later;
    (void)later_count;
    for (int i = 0; i < first_count; i++) printf("%s %d\n", first[i].what, first[i].error);
    return 0;
}
#else
__attribute__((constructor)) static void early(void) { first_count = tries(first); }

struct rostrum_engine {
    const rostrum_host *host;
    int64_t position;
};

static void tell(rostrum_engine *e, const char *when, const struct outcome *outcomes, int count) {
    for (int i = 0; i < count; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s %s %d", when, outcomes[i].what, outcomes[i].error);
        e->host->log(e->host->host_data, ROSTRUM_LOG_INFO, line);
    }
}

static rostrum_result create(const rostrum_host *host, rostrum_engine **engine) {
    rostrum_engine *e = calloc(1, sizeof *e);
    if (!e) return ROSTRUM_ERROR_MEMORY;
    e->host = host;
    *engine = e;
    return ROSTRUM_OK;
}

static void destroy(rostrum_engine *e) { free(e); }

static rostrum_result load(rostrum_engine *e, const rostrum_content *content) {
    (void)content;
    tell(e, "constructor", first, first_count);
    return ROSTRUM_OK;
}

static void unload(rostrum_engine *e) { (void)e; }

static rostrum_result media(rostrum_engine *e, rostrum_media *m) {
    (void)e;
    m->track_count = 1;
    m->chapter_count = 0;
    return ROSTRUM_OK;
}

static rostrum_result track(rostrum_engine *e, uint32_t index, rostrum_track *t) {
    (void)e;
    (void)index;
    t->sample_rate = 48000;
    t->channels = 1;
    t->encoding = ROSTRUM_ENCODING_FLOAT32;
    t->duration = 1;
    t->confidence = ROSTRUM_CONFIDENCE_EXACT;
    t->units_per_second = 48000;
    t->codec = "forbidden";
    return ROSTRUM_OK;
}

static rostrum_result chapter(rostrum_engine *e, uint32_t index, rostrum_chapter *c) {
    (void)e;
    (void)index;
    (void)c;
    return ROSTRUM_ERROR_ARGUMENT;
}

static rostrum_result render(rostrum_engine *e, rostrum_block *b) {
    later_count = tries(later);
    tell(e, "render", later, later_count);
    b->sample_rate = 48000;
    b->channels = 1;
    b->frames = 1;
    b->samples[0] = 0;
    b->track = 0;
    b->position = 0;
    b->position_end = 1;
    b->flags = ROSTRUM_BLOCK_TRACK_END | ROSTRUM_BLOCK_END;
    return ROSTRUM_OK;
}

static rostrum_result seek(rostrum_engine *e, uint32_t track, int64_t position) {
    (void)track;
    e->position = position;
    return ROSTRUM_OK;
}

static void interrupt(rostrum_engine *e) { (void)e; }

static const char *error_message(rostrum_engine *e) {
    (void)e;
    return "";
}

static const void *get_extension(rostrum_engine *e, const char *id) {
    (void)e;
    (void)id;
    return NULL;
}

ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t minor) {
    static const rostrum_engine_module module = {
        .size = sizeof module,
        .abi_major = ROSTRUM_ABI_MAJOR,
        .abi_minor = ROSTRUM_ABI_MINOR,
        .id = "forbidden",
        .version = "1",
        .functions = {sizeof(rostrum_engine_functions), 0, create, destroy, load, unload, media, track, chapter,
                      render, seek, interrupt, error_message, get_extension}};
    (void)major;
    (void)minor;
    return &module;
}
#endif
