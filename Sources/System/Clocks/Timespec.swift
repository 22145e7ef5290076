// SPDX-License-Identifier: Apache-2.0

import Glibc

extension timespec {
    /// Reads a clock of the system.
    init(of clock: clockid_t) {
        self.init()
        clock_gettime(clock, &self)
    }
}
