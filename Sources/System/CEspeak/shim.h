/* SPDX-License-Identifier: Apache-2.0 */
#include <espeak-ng/speak_lib.h>
#include <espeak-ng/espeak_ng.h>

/* glibc shows it to GNU programs only, which Swift's view of glibc is not. */
int memfd_create(const char *name, unsigned int flags);
