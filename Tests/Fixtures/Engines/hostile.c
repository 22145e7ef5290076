/* SPDX-License-Identifier: Apache-2.0 */
/* An engine that means harm: it plays a day of a quiet tone, at five times the speed of real time at most, and does one
 * deed beside that, chosen at compile time with -DDEED=FILLS_COUNTERS. It says "hostile: NAME: begins: done" before, and
 * what came of each thing that it tries once. What could harm the machine, were the session not to prevent it, is bounded
 * here. Tests/Durability/hostile.py plays it. */
#define _GNU_SOURCE
#include <rostrum/engine.h>
#include <rostrum/index.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define DEEDS(D) \
    D(CLEARS_NONBLOCK) D(FILLS_COUNTERS) D(STEALS_SIGNALS) D(RINGS_ALWAYS) D(ASKS_SOURCES) D(OPENS_SOURCES) \
    D(ASKS_MANY_INDEXES) D(FLOODS_LOG) D(FLOODS_STDERR) D(FLOODS_MARKS) D(FLOODS_TRACKS) D(FLOODS_CHAPTERS) \
    D(FLOODS_NONSENSE) D(FLOODS_PARTS) D(SENDS_DESCRIPTORS) D(CLOSES_SOCKET) D(READS_NOTHING) D(MAPS_SHARED) \
    D(MAPS_FILES) D(TAKES_MEMORY) D(TAKES_DESCRIPTORS) D(BINDS) D(FORKS) D(STARTS_THREADS) D(KILLS_PARENT) \
    D(IGNORES_SIGNALS) D(STOPS_ITSELF) D(LIES_HEAD) D(LIES_HEADERS) D(LIES_SLOWLY) D(RESIZES_RING) D(SPINS) \
    D(RENDERS_NOTHING) D(RENDERS_SLOWLY) D(RENDERS_HUGE) D(RENDERS_NAN) D(RENDERS_ODD) D(CHANGES_FORMAT) D(LIES_COUNTS) \
    D(LIES_PACE) D(LIES_LENGTH) D(HUGE_STRINGS) D(DIES) D(DIES_ON_SEEK) D(EXITS) D(HANGS_IN_CONSTRUCTOR) D(HANGS_IN_CREATE) D(HANGS_IN_LOAD) \
    D(HANGS_IN_MEDIA) D(HANGS_IN_TRACK) D(HANGS_IN_RENDER) D(HANGS_IN_SEEK) D(HANGS_IN_UNLOAD) D(HANGS_IN_DESTROY) \
    D(HANGS_IN_INTERRUPT)

#define NAME(deed) deed,
enum deed { DEEDS(NAME) LAST };
#define WORD(deed) #deed,
static const char *const names[] = {DEEDS(WORD) ""};

#ifndef DEED
#error "-DDEED=… says what it does"
#endif
#ifndef ENGINE_ID
#error "-DENGINE_ID=\"…\" is the name in the manifest"
#endif

#define LENGTH ((int64_t)86400 * RATE)
/* The longest that a track may be said to be. */
#define LONGEST (1ll << 53)
enum { RATE = 48000, SLOWEST = 1000, SOCKET = 3, MOST_FILES = 256, MIB = 1 << 20 };

struct rostrum_engine {
    const rostrum_host *host;
    uint32_t tracks, track;
    int64_t position;
    unsigned blocks;
    char *huge;
};

static const rostrum_host *the_host;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int is(enum deed deed) { return (DEED) == deed; }

static void say(const char *what, long result) {
    char line[200];
    snprintf(line, sizeof line, "hostile: %s: %s: %s", names[DEED], what, result < 0 ? strerror(errno) : "done");
    the_host->log(the_host->host_data, ROSTRUM_LOG_WARNING, line);
}

static void hang(void) { for (;;) pause(); }

static void hang_in(enum deed deed) { if (is(deed)) hang(); }

/* What it was handed without a name: doorbells. */
static int is_doorbell(int file) {
    struct stat status;
    return file > SOCKET && fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == 0;
}

static int is_memory(int file, off_t *size) {
    struct stat status;
    if (fstat(file, &status) || !S_ISREG(status.st_mode)) return 0;
    *size = status.st_size;
    return fcntl(file, F_GET_SEALS) >= 0;
}

static void put32(unsigned char **at, uint32_t value) {
    memcpy(*at, &value, 4);
    *at += 4;
}

/* Messages of the wire, by the bytes. Waits for room, but never reads an answer. */
static void send_raw(const unsigned char *bytes, size_t count) {
    while (send(SOCKET, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        struct pollfd entry = {SOCKET, POLLOUT, 0};
        if (errno != EAGAIN && errno != ENOBUFS) hang();
        poll(&entry, 1, 100);
    }
}

static void flood(unsigned char kind, uint32_t second, uint32_t third) {
    unsigned char message[40000] = {kind};
    /* Loads are numbered from 1 on. */
    for (uint32_t number = 1;; number++) {
        unsigned char *at = message + 1;
        put32(&at, kind == 3 ? number : 1 + number % 8);
        if (kind == 3) { put32(&at, 1 + number % 2); put32(&at, 0); }
        if (kind == 4 || kind == 5) put32(&at, 0);
        if (kind == 13 || kind == 14) { put32(&at, second); put32(&at, third); at += third; }
        send_raw(message, (size_t)(at - message));
    }
}

static void flood_nonsense(void) {
    unsigned char message[300];
    for (unsigned seed = 1;; seed++) {
        for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)rand();
        message[0] = (unsigned char)(seed % 18);
        send_raw(message, 1 + seed % sizeof message);
    }
}

static void send_descriptors(void) {
    for (;;) {
        char byte = 8, space[CMSG_SPACE(8 * sizeof(int))] = {0};
        struct iovec part = {&byte, 1};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(8 * sizeof(int));
        for (int i = 0; i < 8; i++) ((int *)(void *)CMSG_DATA(header))[i] = 2;
        if (sendmsg(SOCKET, &message, MSG_NOSIGNAL) < 0) { say("sendmsg", -1); hang(); }
    }
}

static void doorbells(void) {
    for (;;) {
        for (int file = 0; file < MOST_FILES; file++) {
            if (!is_doorbell(file)) continue;
            int off = 0;
            uint64_t most = is(FILLS_COUNTERS) ? 0xfffffffffffffffe : 1;
            if (is(CLEARS_NONBLOCK)) {
                int flags = fcntl(file, F_GETFL);
                if (flags >= 0) (void)fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
                (void)ioctl(file, FIONBIO, &off);
            } else if (is(STEALS_SIGNALS)) {
                (void)!read(file, &most, sizeof most);
            } else {
                struct pollfd entry = {file, POLLOUT, 0};
                if (poll(&entry, 1, 0) == 1) (void)!write(file, &most, sizeof most);
            }
        }
        if (!is(RINGS_ALWAYS)) usleep(200);
    }
}

static void ring(void) {
    unsigned char *memory = NULL;
    off_t size = 0;
    for (int file = 0; file < MOST_FILES && !memory; file++) {
        if (!is_memory(file, &size) || size < 100000) continue;
        if (is(RESIZES_RING)) {
            say("shrinks", ftruncate(file, 0));
            say("grows", ftruncate(file, (off_t)size * 2));
            say("punches", fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, size));
        }
        memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED) { say("maps", -1); hang(); }
    }
    if (!memory) { errno = ENOENT; say("finds no ring", -1); hang(); }
    for (unsigned round = 0;; round++) {
        if (is(LIES_HEAD)) {
            static const int64_t steps[] = {1ll << 40, -64, 1, INT64_MAX, INT64_MIN, 1 << 20, -(1ll << 33)};
            __atomic_fetch_add((int64_t *)(void *)memory, steps[round % 7], __ATOMIC_SEQ_CST);
            usleep(300);
        } else if (is(LIES_HEADERS)) {
            for (off_t at = 4096; at + 64 <= size; at += 64)
                for (int i = 4; i < 48; i += 8) if (rand() % 4 == 0) memory[at + i] = (unsigned char)rand();
            usleep(1000);
        } else if (is(LIES_SLOWLY)) {
            /* One word, of one record, now and then. */
            memory[4096 + rand() % (size - 4096)] = (unsigned char)rand();
            usleep(20000);
        } else {
            usleep(10000);
        }
    }
}

static void map_shared(void) {
    int file = is(MAPS_FILES) ? memfd_create("hoard", 0) : open("/dev/zero", O_RDWR);
    say("opens", file);
    for (int i = 0; i < 40; i++) {
        if (is(MAPS_FILES) && ftruncate(file, (off_t)(i + 1) * 32 * MIB)) { say("grows", -1); hang(); }
        char *part = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, file, is(MAPS_FILES) ? (off_t)i * 32 * MIB : 0);
        if (part == MAP_FAILED) { say("maps", -1); hang(); }
        memset(part, 1, 32 * MIB);
    }
    say("has 1280 MiB of shared memory", 0);
    hang();
}

static void take_memory(void) {
    for (int i = 0; i < 160; i++) {
        char *part = malloc(8 * MIB);
        if (!part) { say("malloc", -1); hang(); }
        memset(part, 1, 8 * MIB);
    }
    say("has 1280 MiB", 0);
    hang();
}

static void bind_names(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, "rostrum-hostile", 15);
    int pair[2] = {-1, -1};
    say("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    say("binds one of a pair", bind(pair[0], (struct sockaddr *)&address, sizeof address));
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    say("socket", s);
    say("binds an abstract name", bind(s, (struct sockaddr *)&address, sizeof address));
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/rostrum-hostile-%d", getpid());
    int bound = bind(pair[1], (struct sockaddr *)&address, sizeof address);
    say("binds a file", bound);
    if (bound == 0) unlink(address.sun_path);
    hang();
}

static void *idle(void *nothing) {
    hang();
    return nothing;
}

static void multiply(void) {
    for (int i = 0; i < 64; i++) {
        if (is(STARTS_THREADS)) {
            pthread_t thread;
            for (int k = 0; k < 32; k++) (void)pthread_create(&thread, NULL, idle, NULL);
            continue;
        }
        pid_t child = fork();
        if (i == 0) say("forks", child);
        if (child < 0) break;
        if (child == 0) {
            sleep(20);
            _exit(0);
        }
    }
    hang();
}

static void *deed(void *nothing) {
    switch (DEED) {
    case CLEARS_NONBLOCK: case FILLS_COUNTERS: case STEALS_SIGNALS: case RINGS_ALWAYS: doorbells(); break;
    case ASKS_SOURCES: flood(3, 0, 0); break;
    case FLOODS_TRACKS: flood(4, 0, 0); break;
    case FLOODS_CHAPTERS: flood(5, 0, 0); break;
    case FLOODS_PARTS: flood(13, 16 * MIB, 32768); break;
    case FLOODS_NONSENSE: flood_nonsense(); break;
    case SENDS_DESCRIPTORS: send_descriptors(); break;
    case FLOODS_LOG:
        for (;;) the_host->log(the_host->host_data, ROSTRUM_LOG_ERROR, "hostile: FLOODS_LOG: and again");
    case FLOODS_STDERR: {
        static char lines[8192];
        memset(lines, 'x', sizeof lines);
        for (size_t i = 7; i < sizeof lines; i += 8) lines[i] = '\n';
        for (;;) (void)!write(2, lines, sizeof lines);
    }
    case CLOSES_SOCKET: say("closes the socket", 0); close(SOCKET); break;
    case LIES_HEAD: case LIES_HEADERS: case LIES_SLOWLY: case RESIZES_RING: ring(); break;
    case MAPS_SHARED: case MAPS_FILES: map_shared(); break;
    case TAKES_MEMORY: take_memory(); break;
    case TAKES_DESCRIPTORS:
        while (dup(0) >= 0) {}
        say("dup", -1);
        break;
    case BINDS: bind_names(); break;
    case FORKS: case STARTS_THREADS: multiply(); break;
    case KILLS_PARENT:
        say("kills its parent", kill(getppid(), SIGKILL));
        say("stops its parent", kill(getppid(), SIGSTOP));
        say("stops its parent's first thread", tgkill(getppid(), getppid(), SIGSTOP));
        say("slows its parent down", setpriority(PRIO_PROCESS, (id_t)getppid(), 19));
        break;
    case IGNORES_SIGNALS:
        for (int number = 1; number < 32; number++) (void)signal(number, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, 0);
        break;
    case STOPS_ITSELF: raise(SIGSTOP); break;
    default: break;
    }
    return nothing;
}

static void begin(void) {
    say("begins", 0);
    pthread_t thread;
    pthread_create(&thread, NULL, deed, NULL);
}

__attribute__((constructor)) static void constructor(void) {
    if (!is(HANGS_IN_CONSTRUCTOR)) return;
    (void)!write(2, "hostile: HANGS_IN_CONSTRUCTOR: begins: done\n", 44);
    hang();
}

static rostrum_result create(const rostrum_host *host, rostrum_engine **engine) {
    rostrum_engine *e = calloc(1, sizeof *e);
    if (!e) return ROSTRUM_ERROR_MEMORY;
    e->host = the_host = host;
    if (is(HANGS_IN_CREATE)) say("begins", 0);
    hang_in(HANGS_IN_CREATE);
    *engine = e;
    return ROSTRUM_OK;
}

static void destroy(rostrum_engine *e) {
    hang_in(HANGS_IN_DESTROY);
    free(e->huge);
    free(e);
}

static rostrum_result load(rostrum_engine *e, const rostrum_content *content) {
    pthread_once(&once, begin);
    hang_in(HANGS_IN_LOAD);
    e->tracks = content->track_count;
    e->track = content->start_track;
    e->position = content->start < LENGTH ? content->start : 0;
    return ROSTRUM_OK;
}

static void unload(rostrum_engine *e) {
    hang_in(HANGS_IN_UNLOAD);
    e->tracks = 0;
}

static rostrum_result media(rostrum_engine *e, rostrum_media *m) {
    hang_in(HANGS_IN_MEDIA);
    m->track_count = is(LIES_COUNTS) ? e->tracks + 7 : e->tracks;
    m->chapter_count = is(LIES_COUNTS) ? 4000000000u : is(HUGE_STRINGS) || is(FLOODS_CHAPTERS) ? 50000 : is(LIES_PACE) || is(LIES_LENGTH) ? 20 : 0;
    m->title = "Hostile";
    if (is(HUGE_STRINGS)) {
        if (!e->huge && (e->huge = malloc(64 * MIB))) memset(e->huge, 0xf0, 64 * MIB), e->huge[64 * MIB - 1] = 0;
        m->title = m->author = e->huge;
    }
    return ROSTRUM_OK;
}

static rostrum_result track(rostrum_engine *e, uint32_t index, rostrum_track *t) {
    (void)index;
    hang_in(HANGS_IN_TRACK);
    t->sample_rate = is(LIES_LENGTH) ? SLOWEST : RATE;
    t->channels = 1;
    t->encoding = ROSTRUM_ENCODING_FLOAT32;
    t->duration = is(LIES_PACE) ? INT64_MAX : is(LIES_LENGTH) ? LONGEST : LENGTH;
    t->confidence = ROSTRUM_CONFIDENCE_EXACT;
    t->units_per_second = is(LIES_PACE) ? 5e-324 : t->sample_rate;
    t->codec = t->title = e->huge ? e->huge : "hostile";
    return ROSTRUM_OK;
}

static rostrum_result chapter(rostrum_engine *e, uint32_t index, rostrum_chapter *c) {
    c->track = is(LIES_COUNTS) ? index : 0;
    c->start = is(LIES_LENGTH) && index > 0 ? LONGEST - 20 + index : index;
    c->end = is(LIES_COUNTS) ? -5 : is(LIES_LENGTH) ? LONGEST : ROSTRUM_UNKNOWN;
    c->title = c->source = e->huge ? e->huge : "hostile";
    return ROSTRUM_OK;
}

static float sample(rostrum_engine *e, int64_t at) {
    static const float odd[] = {3.4e38f, -3.4e38f, 1e-45f, 0.0f, 1e30f, -1e20f};
    if (is(RENDERS_HUGE)) return at % 2 ? 3.4e38f : -3.4e38f;
    if (is(RENDERS_NAN)) return at % 3 == 0 ? NAN : at % 3 == 1 ? INFINITY : 0.1f;
    if (is(RENDERS_ODD)) return odd[(at + e->blocks) % 6];
    return 0.05f * (float)sin((double)at * 2 * M_PI * 3000 / RATE);
}

static rostrum_result render(rostrum_engine *e, rostrum_block *b) {
    pthread_once(&once, begin);
    hang_in(HANGS_IN_RENDER);
    if (is(SPINS)) for (volatile unsigned long i = 0;; i++) {}
    if (is(READS_NOTHING) && e->blocks > 3) hang();
    if (is(DIES) && e->blocks > 20) abort();
    if (is(EXITS) && e->blocks > 20) exit(0);
    usleep(is(RENDERS_SLOWLY) ? 60000 : 4000);
    if (is(OPENS_SOURCES)) {
        for (int i = 0; i < 200; i++) {
            rostrum_source source = {.size = sizeof source, .descriptor = -1};
            (void)e->host->open_source(e->host->host_data, e->track, &source);
        }
    }
    if (is(ASKS_MANY_INDEXES)) {
        const rostrum_index_host *indexes = e->host->get_extension(e->host->host_data, ROSTRUM_INDEX_EXTENSION);
        for (int i = 0; indexes && i < 200; i++) {
            const uint8_t *bytes;
            uint64_t length;
            rostrum_source source = {.size = sizeof source, .descriptor = -1};
            (void)e->host->open_source(e->host->host_data, e->track, &source);
            (void)indexes->index(e->host->host_data, e->track, &bytes, &length);
            close(source.descriptor);
        }
    }
    if (is(FLOODS_MARKS))
        for (int i = 0; i < 100000; i++) e->host->mark(e->host->host_data, ROSTRUM_MARK_WORD, e->position + i, INT64_MAX - i);
    e->blocks++;
    b->sample_rate = is(CHANGES_FORMAT) ? 8000 + e->blocks * 7919 % 300000 : RATE;
    b->channels = is(CHANGES_FORMAT) ? 1 + e->blocks % 8 : 1;
    b->track = e->track;
    b->position = b->position_end = e->position;
    if (is(RENDERS_NOTHING)) return ROSTRUM_OK;
    int64_t frames = LENGTH - e->position, room = b->capacity / b->channels;
    if (frames > 960) frames = 960;
    if (frames > room) frames = room;
    for (int64_t i = 0; i < frames * b->channels; i++) b->samples[i] = sample(e, e->position + i);
    b->frames = (uint32_t)frames;
    e->position += frames;
    b->position_end = e->position;
    if (e->position == LENGTH) {
        b->flags = ROSTRUM_BLOCK_TRACK_END;
        if (++e->track == e->tracks) b->flags |= ROSTRUM_BLOCK_END;
        e->position = 0;
    }
    return ROSTRUM_OK;
}

static rostrum_result seek(rostrum_engine *e, uint32_t track, int64_t position) {
    hang_in(HANGS_IN_SEEK);
    if (is(DIES_ON_SEEK)) abort();
    e->track = track;
    e->position = position < 0 || position > LENGTH ? LENGTH : position;
    return ROSTRUM_OK;
}

static void interrupt(rostrum_engine *e) {
    (void)e;
    hang_in(HANGS_IN_INTERRUPT);
}

static const char *error_message(rostrum_engine *e) { return e->huge ? e->huge : "hostile"; }

static const void *get_extension(rostrum_engine *e, const char *id) {
    (void)e, (void)id;
    return NULL;
}

static const rostrum_engine_module module = {
    .size = sizeof module,
    .abi_major = ROSTRUM_ABI_MAJOR,
    .abi_minor = ROSTRUM_ABI_MINOR,
    .id = ENGINE_ID,
    .version = "1.0",
    .functions = {
        .size = sizeof(rostrum_engine_functions), .create = create, .destroy = destroy, .load = load, .unload = unload,
        .media = media, .track = track, .chapter = chapter, .render = render, .seek = seek, .interrupt = interrupt,
        .error_message = error_message, .get_extension = get_extension,
    },
};

ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t minor);
const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t minor) {
    (void)major, (void)minor;
    return &module;
}
