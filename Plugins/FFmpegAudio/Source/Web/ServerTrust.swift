// SPDX-License-Identifier: Apache-2.0

import CGnuTLS
import EngineABI
import EngineSDK

/// The certificates that are trusted: the system's store, and what the user adds to it.
///
/// It is a class because GnuTLS's credentials are freed once. It is used on the engine's thread only.
final class ServerTrust {
    let credentials: gnutls_certificate_credentials_t
    private let fingerprints: Set<String>
    private let host: Host
    /// The servers that were accepted by their fingerprints, each of which is logged once.
    private var told: Set<String> = []

    init(_ trust: Trust, _ host: Host) throws(WebFault) {
        self.host = host
        fingerprints = Set(trust.fingerprints)
        var made: gnutls_certificate_credentials_t?
        guard gnutls_certificate_allocate_credentials(&made) >= 0, let made else {
            throw WebFault(code: ROSTRUM_ERROR_MEMORY, reason: "no memory for certificates")
        }
        credentials = made
        // Without a system store nobody can be verified, and each server is refused for that reason.
        _ = gnutls_certificate_set_x509_system_trust(made)
        guard var own = trust.certificates.map({ Array($0.utf8) }) else { return }
        let count = own.withUnsafeMutableBufferPointer { bytes in
            var datum = gnutls_datum_t(data: bytes.baseAddress, size: UInt32(clamping: bytes.count))
            return gnutls_certificate_set_x509_trust_mem(made, &datum, GNUTLS_X509_FMT_PEM)
        }
        guard count > 0 else { throw .refused("the file of trustedCertificates (settings.json) has no certificate") }
    }

    deinit {
        gnutls_certificate_free_credentials(credentials)
    }

    /// Throws unless the server of this session, after its handshake, is the one with this name.
    func verify(_ session: gnutls_session_t, host: String) throws(WebFault) {
        guard let fingerprint = Self.fingerprint(session) else { throw .refused("the server has no certificate") }
        if fingerprints.contains(fingerprint) {
            guard told.insert(host + fingerprint).inserted else { return }
            return self.host.log(
                .info, "the server \(host) is known by the SHA-256 of its certificate, \(fingerprint) (settings.json)")
        }
        var status: UInt32 = 0
        let result = gnutls_certificate_verify_peers3(session, host, &status)
        if result >= 0, status == 0 { return }
        func has(_ flag: gnutls_certificate_status_t) -> Bool { result >= 0 && status & flag.rawValue != 0 }
        let reason =
            if has(GNUTLS_CERT_REVOKED) {
                "is revoked"
            } else if has(GNUTLS_CERT_EXPIRED) {
                "has expired"
            } else if has(GNUTLS_CERT_NOT_ACTIVATED) {
                "is not valid yet"
            } else if has(GNUTLS_CERT_UNEXPECTED_OWNER) {
                "is for another name"
            } else if has(GNUTLS_CERT_SIGNER_NOT_FOUND) {
                "is not signed by a trusted authority"
            } else {
                "does not prove its identity"
            }
        throw .refused(
            "the server's certificate \(reason) (SHA-256 \(fingerprint)); if it is yours, name it in settings.json")
    }

    /// Returns the SHA-256 of the server's own certificate.
    private static func fingerprint(_ session: gnutls_session_t) -> String? {
        var count: UInt32 = 0
        guard gnutls_certificate_type_get(session) == GNUTLS_CRT_X509,
            let chain = gnutls_certificate_get_peers(session, &count), count > 0
        else { return nil }
        var hash = [UInt8](repeating: 0, count: 32)
        var length = hash.count
        guard gnutls_fingerprint(GNUTLS_DIG_SHA256, chain, &hash, &length) >= 0, length == hash.count else {
            return nil
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
