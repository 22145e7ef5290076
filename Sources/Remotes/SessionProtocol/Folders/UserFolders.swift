// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a user's session keeps its files: the XDG base directories, with `rostrum` below each.
public struct UserFolders: Sendable, Hashable {
    public var runtime: String
    public var state: String
    public var config: String
    public var data: String
    public var cache: String

    public var socket: String { runtime + "/session.sock" }
    public var lock: String { runtime + "/session.lock" }
    /// Held by the one session that writes the library here.
    public var libraryLock: String { data + "/session.lock" }
    public var transitionLog: String { state + "/transitions.jsonl" }
    /// What a session that a client started says on stderr.
    public var sessionLog: String { state + "/rostrumd.log" }

    /// Of this process's user and environment.
    public static func current() throws(SessionError) -> UserFolders {
        try UserFolders(environment: { name in getenv(name).map { String(cString: $0) } }, user: getuid())
    }

    /// Relative paths in the variables are ignored, as the XDG specification asks.
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

    /// Creates all of them, for the user alone.
    public func create() throws(SessionError) {
        for folder in [runtime, state, config, data, cache] { try PrivateFolder.create(folder) }
    }

    private static func home(of user: UInt32) -> String? {
        getpwuid(user).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
    }

    /// Without XDG_RUNTIME_DIR (cron, su, a container): the folder that logind makes, else one of ours in /tmp,
    /// where anybody may have been first.
    private static func runtimeBase(user: UInt32) throws(SessionError) -> String {
        let login = "/run/user/\(user)"
        if PrivateFolder.state(of: login, user: user) == .ours { return login }
        let fallback = "/tmp/rostrum-\(user)"
        try PrivateFolder.create(fallback, user: user)
        return fallback
    }
}
