// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineHost
import EngineTransport
import Glibc
import MediaPlayback
public import PlaybackCore

/// How to bring an engine to life.
public struct EngineLaunch: Sendable, Hashable {
    public enum Hosting: Sendable, Hashable {
        /// In a process of its own, by this program.
        case isolated(runner: String)
        /// On threads of this process.
        case inProcess
    }

    public var id: EngineID
    /// Path of the module.
    public var module: String
    public var hosting: Hosting

    public init(id: EngineID, module: String, hosting: Hosting) {
        self.id = id
        self.module = module
        self.hosting = hosting
    }

    /// What of the session's environment an engine gets: languages, places to look, nothing that may be secret.
    static let environment: Set<String> = [
        "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "PATH", "TZ", "TMPDIR", "LD_LIBRARY_PATH",
        "ESPEAK_DATA_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]

    /// Starts it with `socket` as its end.
    ///
    /// On the reactor's thread: the child dies with that.
    func start(_ socket: MessageSocket, errors: OwnedDescriptor?) throws(EngineError) -> EngineProcess? {
        switch hosting {
        case .inProcess:
            let host = EngineHost(module: module, id: id.rawValue, socket: socket)
            guard HostThread.start("engine-host", { host.serve() }) else {
                throw EngineError(code: EngineError.unavailable, message: "no thread left for the engine \(id)")
            }
            return nil
        case .isolated(let runner):
            return try EngineProcess(
                runner, arguments: [runner, id.rawValue, module], environment: Self.inherited(), control: socket,
                errors: errors, engine: id)
        }
    }

    private static func inherited() -> [String] {
        // The session goes on the sooner, and its log stays readable, without a backtrace of foreign code.
        ["SWIFT_BACKTRACE=enable=no"]
            + environment.sorted().compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    }
}
