// SPDX-License-Identifier: Apache-2.0

import CCurl
import HTTPExchange

/// The words for a request that has no answer; they name a host, and never the rest of an address.
struct AnswerFailure {
    let failure: HTTPFailure

    init(_ answer: CCurlAnswer, mostBytes: Int64) {
        let host = Self.host(Self.text(answer.address))
        let reason = Self.text(answer.message)
        let detail = reason.isEmpty ? "" : ": \(reason)"
        switch answer.outcome {
        case CCURL_ADDRESS: failure = HTTPFailure(.address, "no address of http or https that can be asked")
        case CCURL_REDIRECT: failure = HTTPFailure(.redirect, reason)
        case CCURL_PRIVATE:
            failure = HTTPFailure(
                .privateAddress,
                "the server \(host) is this machine or in a network of its own, which is asked only if you allow it")
        case CCURL_TOO_LARGE: failure = HTTPFailure(.tooLarge, "more than \(Self.size(mostBytes)) from \(host)")
        case CCURL_OUTPUT:
            failure = HTTPFailure(.output, "the answer cannot be written\(detail)", isFull: answer.is_full != 0)
        case CCURL_TIMED_OUT:
            failure = HTTPFailure(.timedOut, "the server \(host) is too slow\(detail); try again later")
        case CCURL_CERTIFICATE:
            let digest = withUnsafeBytes(of: answer.fingerprint) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            failure = HTTPFailure(
                .certificate,
                "the certificate of \(host) is not trusted\(detail)"
                    + (digest.isEmpty ? "" : " (SHA-256 \(digest)); if it is yours, name it in settings.json"))
        case CCURL_TRUST:
            failure = HTTPFailure(
                .certificate,
                reason.isEmpty
                    ? "the file of trustedCertificates (settings.json) has no certificate"
                    : "trustedCertificates or trustedFingerprints of settings.json cannot be used: \(reason)")
        case CCURL_MEMORY: failure = HTTPFailure(.unavailable, "no memory to ask the server")
        default:
            failure = HTTPFailure(.network, "no answer from \(host) that can be used\(detail)")
        }
    }

    private static func text(_ string: UnsafeMutablePointer<CChar>?) -> String {
        string.map { String(cString: $0) } ?? ""
    }

    private static func size(_ bytes: Int64) -> String { bytes < 1 << 20 ? "\(bytes) bytes" : "\(bytes >> 20) MiB" }

    /// Returns the host of an address without user and password.
    private static func host(_ address: String) -> Substring {
        guard let mark = address.firstRange(of: "://") else { return "the server" }
        return address[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}
