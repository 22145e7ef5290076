// SPDX-License-Identifier: Apache-2.0

import CCurl
import DocumentOrders
import EngineTransport
import Glibc
import SessionProtocol

/// One document of the web on its way into a file.
struct WebFetch {
    private let order: FetchOrder
    private let output: Int32
    private let certificates: Int32?

    private static let mostRedirects: Int32 = 10
    private static let connecting: Int64 = 20_000
    /// A server that sends less than this many bytes a second, over so many seconds, is given up.
    private static let slowest: (bytes: Int64, seconds: Int64) = (bytes: 64, seconds: 30)

    init(_ order: FetchOrder, output: Int32, certificates: Int32?) {
        self.order = order
        self.output = output
        self.certificates = certificates
    }

    func run() -> FetchReply {
        let authorities: [UInt8]?
        do throws(UnreadableCertificates) {
            authorities = try readCertificates()
        } catch {
            return .failed(kind: .certificate, message: error.message)
        }
        let headers = order.headers.map { strdup($0) }
        let fingerprints = order.fingerprints.map { strdup($0) }
        let url = strdup(order.url)
        let agent = strdup("Rostrum/\(RostrumVersion.current)")
        let accept = strdup(ContentType.wanted)
        defer { for string in headers + fingerprints + [url, agent, accept] { free(string) } }
        var result = CCurlResult()
        defer { ccurl_free(&result) }
        headers.map { UnsafePointer($0) }.withUnsafeBufferPointer { headers in
            fingerprints.map { UnsafePointer($0) }.withUnsafeBufferPointer { fingerprints in
                (authorities ?? []).withUnsafeBytes { bytes in
                    var request = CCurlRequest()
                    request.url = UnsafePointer(url)
                    request.agent = UnsafePointer(agent)
                    request.accept = UnsafePointer(accept)
                    request.headers = headers.baseAddress
                    request.header_count = headers.count
                    request.fingerprints = fingerprints.baseAddress
                    request.fingerprint_count = fingerprints.count
                    if authorities != nil {
                        request.authorities = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                        request.authorities_length = bytes.count
                    }
                    request.total_timeout_ms = order.milliseconds
                    request.connect_timeout_ms = min(Self.connecting, order.milliseconds)
                    request.slowest = Self.slowest.bytes
                    request.slowest_seconds = Self.slowest.seconds
                    request.most_bytes = order.mostBytes
                    request.most_redirects = Self.mostRedirects
                    request.allows_private = order.allowsPrivate ? 1 : 0
                    request.accepts = { type in
                        type.map { ContentType(String(cString: $0)).refusal == nil } ?? true ? 1 : 0
                    }
                    request.output = output
                    ccurl_fetch(&request, &result)
                }
            }
        }
        return reply(result)
    }

    private struct UnreadableCertificates: Error {
        var message: String
    }

    /// Returns the listener's certificates, and closes nothing.
    private func readCertificates() throws(UnreadableCertificates) -> [UInt8]? {
        guard let certificates else { return nil }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(certificates, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw UnreadableCertificates(
                    message: "trustedCertificates of settings.json: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            bytes += part.prefix(count)
            guard bytes.count <= Limits.certificates else {
                throw UnreadableCertificates(
                    message: "trustedCertificates of settings.json: more than \(Limits.certificates >> 20) MiB")
            }
        }
        // Without a byte there is no certificate either, which the library is to find.
        return bytes.isEmpty ? [0x0A] : bytes
    }

    private func reply(_ result: CCurlResult) -> FetchReply {
        func text(_ string: UnsafeMutablePointer<CChar>?) -> String { string.map { String(cString: $0) } ?? "" }
        let type = ContentType(text(result.content_type))
        let reason = text(result.message)
        switch result.outcome {
        case CCURL_OK:
            return .fetched(
                contentType: type.name, charset: type.charset, address: text(result.address), bytes: result.bytes)
        case CCURL_ADDRESS:
            return .failed(kind: .refused, message: "no address that is fetched; give one of http or https")
        case CCURL_REDIRECT: return .failed(kind: .refused, message: reason)
        case CCURL_PRIVATE:
            return .failed(
                kind: .privateAddress,
                message: "the server \(Self.host(text(result.address))) is this machine or in a network of its own,"
                    + " which is asked only if you allow it")
        case CCURL_STATUS: return status(result.status)
        case CCURL_TYPE: return .failed(kind: .type, message: type.refusal ?? "no document")
        case CCURL_TOO_LARGE:
            return .failed(kind: .tooLarge, message: "more than \(order.mostBytes >> 20) MiB; save it to a file first")
        case CCURL_OUTPUT:
            return .failed(kind: .tooLarge, message: "there is no room for it: \(reason); make room on the disk")
        case CCURL_TIMED_OUT:
            return .failed(kind: .timedOut, message: "the server is too slow\(Self.detail(reason)); try again later")
        case CCURL_CERTIFICATE:
            let digest = withUnsafeBytes(of: result.fingerprint) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            return .failed(
                kind: .certificate,
                message: "the certificate of \(Self.host(text(result.address))) is not trusted\(Self.detail(reason))"
                    + (digest.isEmpty ? "" : " (SHA-256 \(digest)); if it is yours, name it in settings.json"))
        case CCURL_TRUST:
            return .failed(
                kind: .certificate,
                message: reason.isEmpty
                    ? "the file of trustedCertificates (settings.json) has no certificate"
                    : "trustedCertificates or trustedFingerprints of settings.json cannot be used: \(reason)")
        case CCURL_MEMORY: return .failed(kind: .tooLarge, message: "no memory to fetch it")
        default:
            return .failed(
                kind: .network,
                message: "no answer that can be used\(Self.detail(reason)); check the address and the network")
        }
    }

    private func status(_ status: Int64) -> FetchReply {
        switch status {
        case 404, 410:
            .failed(kind: .missing, message: "the server has no such document (status \(status)); check the address")
        case 401, 402, 403, 407, 451:
            .failed(
                kind: .refused,
                message: "the server refuses it (status \(status)); if you have access, save it with a browser first")
        case 408, 429, 500...599:
            .failed(
                kind: .status,
                message: "the server cannot answer at present (status \(status)); try again later")
        default: .failed(kind: .status, message: "the server sends no document (status \(status))")
        }
    }

    private static func detail(_ reason: String) -> String { reason.isEmpty ? "" : ": \(reason)" }

    /// Returns the host of an address without user and password.
    private static func host(_ address: String) -> Substring {
        guard let mark = address.firstRange(of: "://") else { return "" }
        return address[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}
