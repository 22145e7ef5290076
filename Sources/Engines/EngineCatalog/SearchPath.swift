// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where engines are looked for, in order; the first of an id wins.
public struct SearchPath: Sendable, Hashable {
    public var folders: [String]

    public init(folders: [String]) { self.folders = folders }

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
        if let data { folders.append(data + "/rostrum/engines") }
        let beside = program.split(separator: "/").dropLast()
        let folder = beside.map { "/" + $0 }.joined()
        let prefix = beside.dropLast().map { "/" + $0 }.joined()
        folders.append(prefix + "/lib/rostrum/engines")
        folders.append(folder + "/engines")
        self.folders = folders
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
