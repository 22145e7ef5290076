// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The number of files that this process may have open.
enum OpenFiles {
    /// The limit that is requested: more than any session needs, while a hard limit can be over 10^9 (`fs.nr_open`).
    private static let most: rlim_t = 65_536

    /// Raises the soft limit as far as the system allows; if that fails, the session continues with the present one.
    ///
    /// The default of 1,024 exists for the sake of programs that use select(2), and libdispatch ends a process that
    /// cannot open files of /proc. Engines have a limit of their own (`CConfinement`).
    static func raiseLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, most)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        setrlimit(resource, &limit)
    }
}
