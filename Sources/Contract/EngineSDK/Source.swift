// SPDX-License-Identifier: Apache-2.0

/// The source of the bytes of one track.
public enum Source: Sendable {
    /// An open, read-only file descriptor, which the engine closes; it may be unseekable.
    case descriptor(Int32, name: String)
    /// An http or https address, with header lines that must never be logged.
    case url(String, headers: String?, name: String)
}

/// The certificates that the user trusts in addition to those of the system.
public struct Trust: Sendable, Hashable {
    /// Certificates in PEM, concatenated.
    public var certificates: String?
    /// The SHA-256 fingerprints of certificates that are accepted as they are, in lower-case hexadecimal digits.
    public var fingerprints: [String]

    public init(certificates: String? = nil, fingerprints: [String] = []) {
        self.certificates = certificates
        self.fingerprints = fingerprints
    }
}
