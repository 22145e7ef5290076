// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineCatalog
public import EngineConfinement
import EngineHost
import EngineTransport
import Glibc
import MediaPlayback
public import PlaybackCore

/// The information that is needed to start an engine.
public struct EngineLaunch: Sendable, Hashable {
    public enum Hosting: Sendable, Hashable {
        /// A process of the engine's own, which runs `runner`.
        case isolated(runner: String)
        /// Threads of this process.
        case inProcess
    }

    /// The claim of an engine's process to the processor and the disk.
    public enum Priority: Sendable, Hashable {
        case normal
        /// The lowest niceness, the batch policy of the scheduler and the idle class of the disk.
        case background

        var arguments: [String] { self == .background ? ["--background"] : [] }
    }

    public var id: EngineID
    /// The path of the module.
    public var module: String
    public var hosting: Hosting
    /// The rights that the engine's process keeps; an engine in this process is not confined.
    public var confinement: Confinement
    /// The licence of the module with what it links, or `nil` if the caller vouches for it, as tests do for their own
    /// modules.
    public var license: String?

    public init(
        id: EngineID, module: String, hosting: Hosting, confinement: Confinement = Confinement(),
        license: String? = nil
    ) {
        self.id = id
        self.module = module
        self.hosting = hosting
        self.confinement = confinement
        self.license = license
    }

    /// The priority of an isolated process; threads of this process keep theirs.
    public var priority = Priority.normal

    var isIsolated: Bool { if case .isolated = hosting { true } else { false } }

    /// The variables of the session's environment that an engine gets: languages and search paths, nothing that may be
    /// secret.
    static let environment: Set<String> = [
        "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "PATH", "TZ", "TMPDIR", "LD_LIBRARY_PATH",
        "ESPEAK_DATA_PATH", "ROSTRUM_VOICES", "SSL_CERT_FILE", "SSL_CERT_DIR", "ASAN_OPTIONS", "TSAN_OPTIONS",
        "UBSAN_OPTIONS",
    ]

    /// Starts the engine with `socket` as its end of the connection.
    ///
    /// Call it on the reactor's thread, because the child dies with the thread that started it.
    func start(_ socket: MessageSocket, errors: OwnedDescriptor?) throws(EngineError) -> EngineProcess? {
        switch hosting {
        case .inProcess:
            // This is the only way for an engine into this process.
            if let license, License.isCopyleft(license) {
                throw EngineError(
                    number: EngineNumber.refused,
                    message: "the engine \(id) is not loaded: its licence (\(license)) bars it from this process")
            }
            let host = EngineHost(module: module, id: id.rawValue, socket: socket)
            guard HostThread.start("engine-host", { host.serve() }) else {
                throw EngineError(number: EngineNumber.unavailable, message: "no thread left for the engine \(id)")
            }
            return nil
        case .isolated(let runner):
            return try EngineProcess(
                runner, arguments: [runner, id.rawValue, module] + priority.arguments + confinement.arguments,
                environment: Self.inherited(), control: socket,
                errors: errors, engine: id)
        }
    }

    private static func inherited() -> [String] {
        // Without a backtrace of foreign code the session recovers sooner, and its log stays readable.
        ["SWIFT_BACKTRACE=enable=no"]
            + environment.sorted().compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    }
}
