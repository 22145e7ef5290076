// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A private PulseAudio server with one null sink, independent of the machine's own.
public final class PulseServer: Sendable {
    public let folder: URL
    public let socket: String
    private let process: ChildProcess

    /// `true` if PulseAudio is installed.
    public static var isAvailable: Bool {
        ["pulseaudio", "parec"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }
    }

    /// Starts a server and returns when it listens.
    ///
    /// - Parameters:
    ///   - rewinds: `true` if the sink gives back what it has taken.
    public init(rewinds: Bool = false, rate: Int = 48_000, extra: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rostrum-pulse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.appendingPathComponent("native").path
        let sink =
            "module-null-sink sink_name=t rate=\(rate) channels=2 format=float32le\(rewinds ? "" : " norewinds=1")"
        let modules = ["module-native-protocol-unix auth-anonymous=1 socket=\(socket)", sink] + extra
        let arguments =
            ["/usr/bin/pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
            + modules.flatMap { ["-L", $0] }
        guard let process = ChildProcess(arguments, environment: Self.environment(folder, socket)) else {
            throw CocoaError(.executableLoad)
        }
        self.process = process
        let deadline = Date().addingTimeInterval(10)
        while !connects() {
            guard Date() < deadline else { throw CocoaError(.executableLoad) }
            usleep(5_000)
        }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    public var address: String { "unix:\(socket)" }

    public var environment: [String: String] { Self.environment(folder, socket) }

    private static func environment(_ folder: URL, _ socket: String) -> [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PULSE_SERVER": "unix:\(socket)",
            "PATH": "/usr/bin:/bin",
        ]
    }

    /// Ends the server, as a crash would.
    public func stop() {
        process.kill()
    }

    /// Freezes the server: it keeps its connections and answers nothing.
    public func freeze() {
        process.freeze()
    }

    /// Starts a PulseAudio program that uses this server; it ends with the returned value.
    public func start(_ arguments: [String]) throws -> ChildProcess {
        guard let program = ChildProcess(["/usr/bin/\(arguments[0])"] + arguments.dropFirst(), environment: environment)
        else { throw CocoaError(.executableLoad) }
        return program
    }

    /// Runs a PulseAudio program that uses this server, and returns its output.
    public func run(_ arguments: [String]) throws -> String {
        let program = try start(arguments)
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(program.output, &part, part.count), count > 0 { text += part.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }

    private func connects() -> Bool {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
