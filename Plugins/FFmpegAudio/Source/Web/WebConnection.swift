// SPDX-License-Identifier: Apache-2.0

import CGnuTLS
import EngineABI
import EngineSDK
import Glibc

/// One connection to a server; over https, nothing is sent before the server is verified.
///
/// It is a class because a socket is closed once. It is used on the engine's thread only.
final class WebConnection {
    private let socket: Int32
    private var session: gnutls_session_t?
    /// `true` if an https connection ended without a close notification, as if somebody on the way had cut it.
    private(set) var isCut = false

    /// Connects to a server.
    ///
    /// - Parameter trust: The trusted certificates, for https.
    init(to url: WebURL, _ trust: ServerTrust?, _ patience: Patience) throws(WebFault) {
        socket = try Self.connect(url, patience)
        guard url.isSecure else { return }
        // All properties are set, so deinit closes the socket if something throws from here on.
        guard let trust else { throw .refused("no server can be verified") }
        session = try Self.handshake(socket, url.host, trust, patience)
    }

    deinit {
        if let session { gnutls_deinit(session) }
        close(socket)
    }

    private static func connect(_ url: WebURL, _ patience: Patience) throws(WebFault) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // AI_IDN, which the C library shows to GNU programs only: names beyond ASCII.
        hints.ai_flags = 0x40
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(url.host, String(url.port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard result == 0 else {
            throw .wrong("no address of the server is known (\(String(cString: gai_strerror(result))))")
        }
        try patience.check()
        var last = WebFault.wrong("no address of the server is known")
        var next = found
        while let address = next {
            next = address.pointee.ai_next
            do throws(WebFault) {
                // An address that does not answer must leave time for the next one.
                return try open(address.pointee, next == nil ? patience : Patience(patience, atMost: 3))
            } catch {
                try patience.check()
                last = error
            }
        }
        throw last
    }

    private static func open(_ address: addrinfo, _ patience: Patience) throws(WebFault) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(address.ai_family, kind, address.ai_protocol)
        guard socket >= 0 else { throw .broken("the connection failed: \(String(cString: strerror(errno)))") }
        do throws(WebFault) {
            if Glibc.connect(socket, address.ai_addr, address.ai_addrlen) != 0 {
                guard errno == EINPROGRESS else {
                    throw .broken("the connection failed: \(String(cString: strerror(errno)))")
                }
                try patience.wait(for: socket, POLLOUT)
            }
            var error: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0, error == 0 else {
                throw .broken("the connection failed: \(String(cString: strerror(error)))")
            }
            return socket
        } catch {
            close(socket)
            throw error
        }
    }

    private static func handshake(
        _ socket: Int32, _ host: String, _ trust: ServerTrust, _ patience: Patience
    ) throws(WebFault) -> gnutls_session_t {
        var made: gnutls_session_t?
        let flags = UInt32(GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL)
        guard gnutls_init(&made, flags) >= 0, let session = made else {
            throw WebFault(code: ROSTRUM_ERROR_MEMORY, reason: "no memory for a connection")
        }
        do throws(WebFault) {
            _ = gnutls_set_default_priority(session)
            guard
                gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(trust.credentials)) >= 0
            else { throw WebFault(code: ROSTRUM_ERROR_MEMORY, reason: "no memory for certificates") }
            if !isNumeric(host) {
                _ = gnutls_server_name_set(session, GNUTLS_NAME_DNS, host, host.utf8.count)
            }
            gnutls_transport_set_int2(session, socket, socket)
            while true {
                let result = gnutls_handshake(session)
                if result == 0 { break }
                if gnutls_error_is_fatal(result) != 0 {
                    throw .wrong("no secure connection: \(String(cString: gnutls_strerror(result)))")
                }
                try wait(session, socket, result, patience)
            }
            try trust.verify(session, host: host)
            return session
        } catch {
            gnutls_deinit(session)
            throw error
        }
    }

    /// Returns `true` for an address in digits, which is not sent as a name.
    private static func isNumeric(_ host: String) -> Bool {
        host.contains(":") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    }

    private static func wait(
        _ session: gnutls_session_t, _ socket: Int32, _ result: Int32, _ patience: Patience
    ) throws(WebFault) {
        guard result == GNUTLS_E_AGAIN else { return try patience.check() }
        try patience.wait(for: socket, gnutls_record_get_direction(session) == 0 ? POLLIN : POLLOUT)
    }

    func send(_ bytes: [UInt8], _ patience: Patience) throws(WebFault) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer -> Int in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                guard let session else {
                    return Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                }
                return gnutls_record_send(session, rest.baseAddress, rest.count)
            }
            if count > 0 {
                sent += count
            } else if let session {
                let result = Int32(clamping: count)
                guard count < 0, gnutls_error_is_fatal(result) == 0 else { throw .broken() }
                try Self.wait(session, socket, result, patience)
            } else {
                guard errno == EAGAIN || errno == EINTR else { throw .broken() }
                try patience.wait(for: socket, POLLOUT)
            }
        }
    }

    /// Receives at most `count` bytes; returns 0 at the end.
    func receive(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int, _ patience: Patience) throws(WebFault) -> Int {
        try patience.check()
        while true {
            if let session {
                let result = gnutls_record_recv(session, buffer, count)
                if result >= 0 { return result }
                let code = Int32(clamping: result)
                // The length, if there is one, shows whether this was too early.
                if code == GNUTLS_E_PREMATURE_TERMINATION {
                    isCut = true
                    return 0
                }
                guard gnutls_error_is_fatal(code) == 0 else { throw .broken() }
                try Self.wait(session, socket, code, patience)
            } else {
                let result = recv(socket, buffer, count, 0)
                if result >= 0 { return result }
                guard errno == EAGAIN || errno == EINTR else { throw .broken() }
                try patience.wait(for: socket, POLLIN)
            }
        }
    }
}
