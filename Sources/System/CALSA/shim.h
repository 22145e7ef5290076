#include <alsa/asoundlib.h>

/* alsa-lib says every failure on stderr, too; ours are events. A variadic callback is beyond Swift. */
static void calsa_ignore(const char *file, int line, const char *function, int err, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)err, (void)format;
}
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_ignore); }
