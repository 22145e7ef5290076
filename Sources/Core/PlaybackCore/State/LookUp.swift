// SPDX-License-Identifier: Apache-2.0

/// A command that decides what plays and is being looked up, with what was asked for in the meantime.
///
/// What plays continues until its item is found.
public struct LookUp: Sendable, Codable, Hashable {
    /// The subject of a command for what is loaded.
    public enum Subject: String, Sendable, Codable, Hashable, CaseIterable {
        /// The last jump, to be taken back.
        case jump
        /// An engine, to be switched to.
        case engine
    }

    /// The command.
    public internal(set) var id: UInt64
    public internal(set) var owner: OwnerID
    /// The subject, if the command is for what is loaded; `nil` if an item is coming.
    ///
    /// Other commands are for the coming item, or else for what is loaded.
    public internal(set) var subject: Subject?
    /// `true` if the last word was not to play: the item is opened, and stays silent.
    public internal(set) var isHeld = false
    /// The holds that began during the look-up; they hold the coming item, too.
    public internal(set) var holds: Suppressions = []
    public internal(set) var rate: Double?
    public internal(set) var volume: Double?
    /// Later commands that wait for the same item, oldest first.
    public internal(set) var joined: [UInt64] = []
}
