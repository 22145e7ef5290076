// SPDX-License-Identifier: Apache-2.0

/// The rule by which a place here and another one on the server become one.
public enum ProgressPolicy: String, Sendable, Codable, Hashable, CaseIterable {
    /// The side that has changed since both agreed wins; of two changes the newer one does, but never one far behind.
    case merge
    /// The place farther on wins.
    case furthest
    /// The newer place wins.
    case newest
    /// The listener is asked as soon as the places are far apart.
    case ask
}

/// The numbers of the rules, in milliseconds.
public struct ProgressRules: Sendable, Codable, Hashable {
    /// The distance from which two places are far apart; in a short item a tenth of its length, but at least a minute.
    public var far: Int64 = 300_000
    /// The time for which a place far behind on the server is left there: somebody may be about to listen from it.
    public var patience: Int64 = 300_000
    /// The most media time that is heard in a time: what goes on faster was not listened to.
    public var pace: Int64 = 4
    /// The rest of a book below which a server sets a record to finished by itself.
    public static let nearEnd: Int64 = 10_000

    public init() {}

    /// Returns the distance from which two places in an item are far apart.
    ///
    /// - Parameter length: The length of the item; 0 if it is not known.
    public func far(in length: Int64) -> Int64 {
        length > 0 ? min(far, max(60_000, length / 10)) : far
    }
}
