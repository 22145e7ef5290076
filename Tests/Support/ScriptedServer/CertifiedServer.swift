// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc

/// `openssl s_server` with a certificate of its own, which answers with a page.
public final class CertifiedServer {
    private let folder: TemporaryFolder
    public let port: Int
    /// The SHA-256 of its certificate, in lower-case hexadecimal digits.
    public let fingerprint: String
    /// The path of its certificate.
    public var certificate: String { folder.path + "/certificate.pem" }
    private let process = Process()

    /// - Parameter name: The name in the certificate, such as `DNS:localhost`.
    public init(name: String) throws {
        folder = try TemporaryFolder()
        let key = folder.path + "/key.pem"
        let certificate = folder.path + "/certificate.pem"
        _ = try Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-keyout",
            key, "-out", certificate, "-subj", "/CN=test", "-addext", "subjectAltName=\(name)",
        ])
        fingerprint = try Self.openssl(["x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"])
            .components(separatedBy: "=")[1].lowercased().filter(\.isHexDigit)
        port = try ScriptedServer.freePort()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = ["s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate, "-www"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var said = ""
        while !said.contains("ACCEPT") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw ScriptedServer.NoServer(code: ECHILD) }
            said += String(decoding: piece, as: UTF8.self)
        }
    }

    deinit {
        // A thread of the tests may have blocked the milder signals.
        kill(process.processIdentifier, SIGKILL)
    }

    private static func openssl(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ScriptedServer.NoServer(code: ECHILD) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
