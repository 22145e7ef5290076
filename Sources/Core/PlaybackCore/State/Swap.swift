// SPDX-License-Identifier: Apache-2.0

/// A move of what plays to other tracks of the same content, which another process of the engine opens beside it.
public struct Swap: Sendable, Codable, Hashable {
    public enum Stage: String, Sendable, Codable, Hashable, CaseIterable {
        /// The other process opens the tracks.
        case preparing
        /// The tracks are open, and no stream is there yet that their sound could join.
        case ready
        /// The stream goes on with the other process as soon as that has the frame that is read next.
        case joining
    }

    /// The command.
    public internal(set) var id: UInt64
    /// The present item with its other tracks.
    public internal(set) var item: ItemReference
    public internal(set) var stage = Stage.preparing
    /// `true` if the command was answered, because a pause keeps the stream from reading on.
    public internal(set) var isAnswered = false
    /// The number of reports of the audible position since the stream may go on with the other process.
    public internal(set) var reports = 0
}
