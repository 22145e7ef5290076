// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folders of a user's session: the XDG base directories, with `rostrum` below each.
public struct UserFolders: Sendable, Hashable {
    public var runtime: String
    public var state: String
    public var config: String
    public var data: String
    public var cache: String

    public var socket: String { runtime + "/session.sock" }
    public var lock: String { runtime + "/session.lock" }
    /// The lock that is held by the one session that may write to this library.
    public var libraryLock: String { data + "/session.lock" }
    public var transitionLog: String { state + "/transitions.jsonl" }
    /// The file that receives the standard error of a session that a client started.
    public var sessionLog: String { state + "/rostrumd.log" }

    /// Returns the folders of this process's user and environment.
    public static func current() throws(SessionError) -> UserFolders {
        try UserFolders(environment: { name in getenv(name).map { String(cString: $0) } }, user: getuid())
    }

    /// Creates the paths of the folders.
    ///
    /// Relative paths in the variables are ignored, as the XDG specification requires.
    public init(environment: (String) -> String?, user: UInt32) throws(SessionError) {
        func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let home = absolute("HOME") ?? Self.home(of: user) else {
            throw SessionError(.unavailable, "no home folder: user \(user); set HOME")
        }
        state = (absolute("XDG_STATE_HOME") ?? home + "/.local/state") + "/rostrum"
        config = (absolute("XDG_CONFIG_HOME") ?? home + "/.config") + "/rostrum"
        data = (absolute("XDG_DATA_HOME") ?? home + "/.local/share") + "/rostrum"
        cache = (absolute("XDG_CACHE_HOME") ?? home + "/.cache") + "/rostrum"
        if let base = absolute("XDG_RUNTIME_DIR") {
            runtime = base + "/rostrum"
        } else {
            runtime = try Self.runtimeBase(user: user) + "/rostrum"
        }
    }

    /// Creates all folders, accessible to the user alone.
    public func create() throws(SessionError) {
        for folder in [runtime, state, config, data, cache] { try PrivateFolder.create(folder) }
    }

    private static func home(of user: UInt32) -> String? {
        getpwuid(user).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
    }

    /// Returns the runtime folder for a process without `XDG_RUNTIME_DIR`, as under cron or su, or in a container.
    ///
    /// It is the folder that logind makes, or else one in `/tmp`, where another user may have created it first.
    private static func runtimeBase(user: UInt32) throws(SessionError) -> String {
        let login = "/run/user/\(user)"
        if PrivateFolder.state(of: login, user: user) == .ours { return login }
        let fallback = "/tmp/rostrum-\(user)"
        try PrivateFolder.create(fallback, user: user)
        return fallback
    }
}
