// SPDX-License-Identifier: Apache-2.0

/// The commands that wait for sound, an item or a position, to be told of success or failure.
public struct WaitingCommands: Sendable, Codable, Hashable {
    public internal(set) var newest: UInt64?
    /// Earlier commands that asked for the same sound, oldest first.
    public internal(set) var earlier: [UInt64] = []
    /// The command that decides what plays and is being looked up.
    public internal(set) var lookUp: LookUp?
    /// The seeks whose targets are being worked out, oldest first; `nil` if there is none.
    public internal(set) var seeks: [ComingSeek]?

    /// All that wait for sound, oldest first.
    var all: [UInt64] { earlier + (newest.map { [$0] } ?? []) }
}

/// A seek whose target is being worked out.
public struct ComingSeek: Sendable, Codable, Hashable {
    public internal(set) var id: UInt64
    public internal(set) var owner: OwnerID
    /// The item; `nil` if the owner's item was not known when the command came.
    public internal(set) var uri: String?
}
