// SPDX-License-Identifier: Apache-2.0

/// Which servers are believed over https beside those that the system's store vouches for.
public struct WebTrust: Sendable, Hashable {
    /// Path of a PEM file with further authorities, or with certificates of servers.
    public var certificates: String?
    /// SHA-256 of certificates that are taken as they are: 64 lower-case hexadecimal digits each.
    public var fingerprints: [String]

    /// The most of ``fingerprints``.
    public static let limit = 64

    public init(certificates: String? = nil, fingerprints: [String] = []) {
        self.certificates = certificates
        self.fingerprints = fingerprints
    }
}
