#include <alsa/asoundlib.h>

/* alsa-lib also prints every failure to stderr; here failures are events. Swift cannot express a variadic callback. */
static void calsa_ignore(const char *file, int line, const char *function, int err, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)err, (void)format;
}
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_ignore); }
