// SPDX-License-Identifier: Apache-2.0

import CTransport
import Foundation
import Glibc
import HTTPExchange
import MediaPlayback
import Synchronization

@testable import NetworkBridge

/// The parts that the tests of the bridge share.
enum Asking {
    static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let whole = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return whole.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/rostrum-network"
    }()

    /// A bridge without the proxies of this machine, which would not find the test's servers.
    static func bridge(
        program: String = program, timing: NetworkBridge.Timing = .init(), proxies: [String] = [],
        trust: @escaping @Sendable () -> WebTrust = { WebTrust() }
    ) -> NetworkBridge {
        NetworkBridge(program: program, timing: timing, variables: proxies, trust: trust)
    }

    static func failure(
        _ bridge: NetworkBridge, _ request: HTTPRequest
    ) async -> HTTPFailure? {
        do throws(HTTPFailure) {
            _ = try await bridge.send(request)
            return nil
        } catch {
            return error
        }
    }

    static func get(_ url: String, fields: [HTTPField] = []) -> HTTPRequest {
        HTTPRequest(.get, url, fields: fields, allowsPrivate: true)
    }
}

/// A file without a name.
final class OutputFile: Sendable {
    let descriptor: Int32

    init(_ text: String = "") {
        descriptor = ctransport_memory_descriptor("output")
        _ = text.withCString { write(descriptor, $0, text.utf8.count) }
    }

    deinit { close(descriptor) }

    var text: String {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// A trust that changes.
final class TrustBox: Sendable {
    private let trust = Mutex(WebTrust())

    var value: WebTrust {
        get { trust.withLock { $0 } }
        set { trust.withLock { $0 = newValue } }
    }
}
