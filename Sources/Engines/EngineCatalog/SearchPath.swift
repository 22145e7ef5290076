// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folders that are searched for engines, in order; the first engine with an ID wins.
public struct SearchPath: Sendable, Hashable {
    public var folders: [String]
    /// The folders among `folders` that were installed with this program; whoever installed it vouches for their
    /// contents.
    public var installed: Set<String>
    /// The folder for the user's own engines.
    public var user: String?

    public init(folders: [String], installed: Set<String> = [], user: String? = nil) {
        self.folders = folders
        self.installed = installed
        self.user = user
    }

    /// Creates the search path of the programs: `ROSTRUM_ENGINE_PATH`, the user's data folder, the prefix, and the
    /// folder beside the program.
    ///
    /// - Parameters:
    ///   - environment: The environment variables by name.
    ///   - program: The path of the running program, without links.
    public init(environment: [String: String], program: String) {
        var folders: [String] = []
        for folder in (environment["ROSTRUM_ENGINE_PATH"] ?? "").split(separator: ":") {
            // Resolve relative paths now, because the session leaves the folder that it was started in.
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

    /// Returns the search path of the running program.
    public static func current() -> SearchPath {
        var values: [String: String] = [:]
        for name in ["ROSTRUM_ENGINE_PATH", "XDG_DATA_HOME", "HOME"] {
            values[name] = getenv(name).map { String(cString: $0) }
        }
        return SearchPath(environment: values, program: runningProgram)
    }

    /// The path of the running program, without links; empty if it cannot be determined.
    public static var runningProgram: String { FileStatus.resolve("/proc/self/exe") ?? "" }
}
