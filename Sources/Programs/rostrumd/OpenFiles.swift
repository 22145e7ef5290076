// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How many files this process may have open.
enum OpenFiles {
    /// More than any session needs; a hard limit can be in the thousand millions (`fs.nr_open`).
    private static let most: rlim_t = 65_536

    /// Takes what the system allows: the soft limit is 1,024 for the sake of programs that use select(2), and libdispatch ends
    /// a process that cannot open files of /proc.
    ///
    /// Where that cannot be, it goes on with what there is. Engines have a limit of their own (`CConfinement`).
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
