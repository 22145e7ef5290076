// SPDX-License-Identifier: Apache-2.0

/// The commands that wait for sound or for an item, to be told of success or failure.
public struct WaitingCommands: Sendable, Codable, Hashable {
    public internal(set) var newest: UInt64?
    /// Earlier commands that asked for the same sound, oldest first.
    public internal(set) var earlier: [UInt64] = []
    /// The `play` whose item is being looked up.
    public internal(set) var lookUp: LookUp?

    /// All that wait for sound, oldest first.
    var all: [UInt64] { earlier + (newest.map { [$0] } ?? []) }
}
