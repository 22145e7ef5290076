// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The thread sanitizer, which does not see `Synchronization.Mutex`, and takes two tasks under one for a race.
public enum ThreadSanitizer {
    public static let isOn = dlsym(nil, "__tsan_init") != nil
}
