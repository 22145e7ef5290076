// SPDX-License-Identifier: Apache-2.0

/// Decodes the beginning and the end of files.
public protocol PlayableCheck: Sendable {
    /// Decodes the first and the last second of a file.
    func check(_ path: String) async -> PlayableVerdict
}

/// The result of decoding a file's ends.
public enum PlayableVerdict: Sendable, Hashable {
    case plays
    /// The file is at fault; one line that says why.
    case broken(String)
    /// Nothing is known of the file, for what decodes it failed by itself.
    case unknown(String)
}
