/* SPDX-License-Identifier: Apache-2.0 */
#include "CSherpa.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if UINTPTR_MAX == UINT64_MAX
/* The offsets of version 2.0 where a pointer has 8 bytes. */
_Static_assert(sizeof(csherpa_vits) == 56, "the size of a VITS voice");
_Static_assert(offsetof(csherpa_settings, threads) == 56, "behind the VITS voice");
_Static_assert(offsetof(csherpa_settings, provider) == 64, "behind the threads");
_Static_assert(offsetof(csherpa_settings, rule_fsts) == 424, "behind all kinds of models");
_Static_assert(offsetof(csherpa_settings, sentences) == 432, "behind the rules");
_Static_assert(offsetof(csherpa_settings, silence_scale) == 448, "the last member");
_Static_assert(offsetof(csherpa_order, speaker) == 8, "behind the speed");
_Static_assert(offsetof(csherpa_order, symbols) == 56, "behind the reference");
_Static_assert(offsetof(csherpa_order, sentences) == 72, "behind the lengths");
_Static_assert(offsetof(csherpa_order, unused) == 104, "the end");
_Static_assert(sizeof(csherpa_sound) == 16, "the size of a sound");
#endif

static void describe(char *reason, size_t size, const char *text)
{
    if (!reason || size == 0) return;
    snprintf(reason, size, "%s", text ? text : "no reason was given");
    reason[strcspn(reason, "\n")] = '\0';
}

/* POSIX lets a pointer to an object hold a function, which C does not. */
static int find(void *library, const char *name, void *slot)
{
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

csherpa_result csherpa_open(const char *path, csherpa_runtime *runtime, char *reason, size_t size)
{
    if (access(path, F_OK) != 0) {
        describe(reason, size, "no such file");
        return CSHERPA_NO_FILE;
    }
    /* It is never closed: it starts threads, and registers exit handlers. */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        describe(reason, size, dlerror());
        return CSHERPA_NOT_OPENED;
    }
    const struct {
        const char *name;
        void *slot;
    } functions[] = {
        {"SherpaOnnxGetVersionStr", &runtime->version},
        {"SherpaOnnxCreateOfflineTts", &runtime->create},
        {"SherpaOnnxDestroyOfflineTts", &runtime->destroy},
        {"SherpaOnnxOfflineTtsSampleRate", &runtime->sample_rate},
        {"SherpaOnnxOfflineTtsNumSpeakers", &runtime->speakers},
        {"SherpaOnnxOfflineTtsGenerateWithConfig", &runtime->generate},
        {"SherpaOnnxDestroyOfflineTtsGeneratedAudio", &runtime->free_sound},
    };
    for (size_t index = 0; index < sizeof functions / sizeof functions[0]; index++) {
        if (!find(library, functions[index].name, functions[index].slot)) {
            describe(reason, size, functions[index].name);
            return CSHERPA_NO_FUNCTION;
        }
    }
    const char *version = runtime->version();
    if (!version || strncmp(version, CSHERPA_VERSION, strlen(CSHERPA_VERSION)) != 0) {
        describe(reason, size, version);
        return CSHERPA_OTHER_VERSION;
    }
    return CSHERPA_OK;
}
