// SPDX-License-Identifier: Apache-2.0

/// A part of what is said by which listeners move, and which they count.
public enum SpokenUnit: String, Sendable, Hashable, CaseIterable {
    case sentence
    /// A block of the document in which something is said, headings and items of lists as well.
    case paragraph

    /// Returns a number that two utterances in a row share if they belong to the same unit.
    public func key(_ utterance: Utterance) -> Int {
        switch self {
        case .sentence: utterance.sentence.lowerBound
        case .paragraph: utterance.block
        }
    }
}

/// The number of units among utterances that are taken in order, from the first of the script on.
public struct SpokenUnitCount: Sendable, Hashable {
    public let unit: SpokenUnit
    /// The units that have begun.
    public private(set) var count = 0
    private var last: Int?

    public init(_ unit: SpokenUnit) { self.unit = unit }

    /// Takes the next utterance; returns `true` if a unit begins with it.
    @discardableResult
    public mutating func take(_ utterance: Utterance) -> Bool {
        let key = unit.key(utterance)
        guard key != last else { return false }
        last = key
        count += 1
        return true
    }
}
