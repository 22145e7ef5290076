// SPDX-License-Identifier: Apache-2.0

/// The servers that are trusted over https, in addition to those that the system's store vouches for.
public struct WebTrust: Sendable, Hashable {
    /// The path of a PEM file with further authorities, or with certificates of servers.
    public var certificates: String?
    /// The SHA-256 fingerprints of certificates that are accepted as they are: 64 lower-case hexadecimal digits each.
    public var fingerprints: [String]

    /// The maximum number of ``fingerprints``.
    public static let limit = 64

    public init(certificates: String? = nil, fingerprints: [String] = []) {
        self.certificates = certificates
        self.fingerprints = fingerprints
    }
}
