// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The thread sanitizer, which does not see `Synchronization.Mutex` and reports a race between two tasks under one.
public enum ThreadSanitizer {
    public static let isOn = dlsym(nil, "__tsan_init") != nil
}
