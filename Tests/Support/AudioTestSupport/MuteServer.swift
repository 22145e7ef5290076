// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A socket that accepts connections and never answers, like a hung sound server.
public final class MuteServer: Sendable {
    public let address: String
    private let descriptor: Int32

    public init(in folder: URL) throws {
        let path = folder.appendingPathComponent("mute").path
        address = "unix:\(path)"
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let isBound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        // The kernel accepts connections by itself.
        guard isBound, listen(descriptor, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        close(descriptor)
    }
}
