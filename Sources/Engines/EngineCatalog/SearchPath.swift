// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where engines are looked for, in order; the first of an id wins.
public struct SearchPath: Sendable, Hashable {
    public var folders: [String]
    /// Those of `folders` that came with this program: who installed it vouches for what is in them.
    public var installed: Set<String>
    /// Where the user's own engines are put.
    public var user: String?

    public init(folders: [String], installed: Set<String> = [], user: String? = nil) {
        self.folders = folders
        self.installed = installed
        self.user = user
    }

    /// As the programs do it: `ROSTRUM_ENGINE_PATH`, the user's data, the prefix, and beside the program.
    ///
    /// - Parameters:
    ///   - environment: by name.
    ///   - program: path of the running program, without links.
    public init(environment: [String: String], program: String) {
        var folders: [String] = []
        for folder in (environment["ROSTRUM_ENGINE_PATH"] ?? "").split(separator: ":") {
            // The session does not stay in the folder that it was started in.
            folders.append(
                folder.hasPrefix("/") ? String(folder) : FileStatus.resolve(String(folder)) ?? String(folder))
        }
        let home = environment["HOME"].map { $0 + "/.local/share" }
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        user = data.map { $0 + "/rostrum/engines" }
        if let user { folders.append(user) }
        let beside = program.split(separator: "/").dropLast()
        let folder = beside.map { "/" + $0 }.joined()
        let prefix = beside.dropLast().map { "/" + $0 }.joined()
        let own = [prefix + "/lib/rostrum/engines", folder + "/engines"]
        installed = Set(own)
        self.folders = folders + own
    }

    /// That of the running program.
    public static func current() -> SearchPath {
        var values: [String: String] = [:]
        for name in ["ROSTRUM_ENGINE_PATH", "XDG_DATA_HOME", "HOME"] {
            values[name] = getenv(name).map { String(cString: $0) }
        }
        return SearchPath(environment: values, program: runningProgram)
    }

    /// Path of the running program, without links; empty if it cannot be told.
    public static var runningProgram: String { FileStatus.resolve("/proc/self/exe") ?? "" }
}
