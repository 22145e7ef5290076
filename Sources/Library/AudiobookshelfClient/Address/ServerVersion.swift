// SPDX-License-Identifier: Apache-2.0

/// A version of Audiobookshelf, and what that version can do.
public struct ServerVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var major: Int
    public var minor: Int
    public var patch: Int

    public init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// Returns `nil` for what is no version; what follows the third number does not count.
    public init?(_ text: String) {
        let numbers = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard numbers.count >= 2, let major = Int(numbers[0]), let minor = Int(numbers[1]), major >= 0, minor >= 0
        else {
            return nil
        }
        let patch = numbers.count > 2 ? Int(numbers[2].prefix { $0.isASCII && $0.isNumber }) ?? 0 : 0
        self.init(major, minor, patch)
    }

    public var description: String { "\(major).\(minor).\(patch)" }

    public static func < (one: Self, other: Self) -> Bool {
        (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }

    /// The oldest version that is spoken to.
    public static let oldest = ServerVersion(2, 20)

    /// `true` if a local session is completed by the server, and episodes' tracks are numbered.
    public var completesLocalSessions: Bool { self >= ServerVersion(2, 21) }
    /// `true` if tokens expire and are renewed, and if a PATCH keeps the time that it says.
    public var hasTokens: Bool { self >= ServerVersion(2, 26) }
    /// `true` if filtered lists are stale after a change of progress.
    public var hasStaleLists: Bool { self >= ServerVersion(2, 33) }
    /// `true` if a refresh token is good for a while after it was used, so that a lost answer loses nothing.
    public var forgivesLostRenewals: Bool { self >= ServerVersion(2, 35) }
    /// `true` if progress and bookmarks can be asked for alone.
    public var hasProgressList: Bool { self >= ServerVersion(2, 36) }
}
