// SPDX-License-Identifier: Apache-2.0

/// The reason why wanted sound is silenced.
public enum Suppression: String, Sendable, Codable, Hashable, CaseIterable {
    case interruption
    case routeLost
    case owner
    case sleep
}

/// All holds in force; sound resumes when there are none.
public struct Suppressions: OptionSet, Sendable, Codable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let interruption = Suppressions(rawValue: 1)
    public static let routeLost = Suppressions(rawValue: 2)
    /// The sleep timer ended the sound; the intent is pause until the user acts.
    public static let sleep = Suppressions(rawValue: 4)
    /// The sound server is gone and is being looked for; it is reported as a lost route.
    public static let outage = Suppressions(rawValue: 8)

    /// The holds that still silence the sound once a device is open.
    public var lasting: Suppressions { subtracting(.outage) }

    /// The hold that is reported; `nil` if there is none.
    public var first: Suppression? {
        contains(.interruption)
            ? .interruption : !isDisjoint(with: [.routeLost, .outage]) ? .routeLost : contains(.sleep) ? .sleep : nil
    }
}
