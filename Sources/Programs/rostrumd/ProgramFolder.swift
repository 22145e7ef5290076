// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder of this program.
enum ProgramFolder {
    /// Returns the path of another program in the same folder, wherever that was moved to.
    static func beside(_ name: String) -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return name }
        defer { free(path) }
        let own = String(cString: path)
        guard let slash = own.lastIndex(of: "/") else { return name }
        return own[...slash] + name
    }
}
