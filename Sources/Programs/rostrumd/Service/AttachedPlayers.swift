// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import PlaybackCore

/// The attached players: for whom each plays, and which were told that playback is over.
struct AttachedPlayers {
    /// The owner that each attached player plays for; the owner's item may change.
    private(set) var owners: [ClientID: OwnerID] = [:]
    /// The owners of clips, which are released when their client disconnects.
    private var clipOwners: [ClientID: OwnerID] = [:]
    /// Players that were told that playback is over; they leave by themselves, and nothing ends because of that.
    private var served: Set<ClientID> = []
    /// The number of clips that were asked for.
    private var clips = 0

    /// Counts a clip, and returns its owner.
    ///
    /// - Parameter name: The owner that the client named.
    mutating func clipOwner(named name: String?) -> OwnerID {
        clips += 1
        return OwnerID(name ?? "clip-viewer-\(clips)")
    }

    /// Lets a client play a clip for an owner.
    mutating func begin(clip owner: OwnerID, of client: ClientID) { clipOwners[client] = owner }

    /// Withdraws a clip that could not be played, unless the client plays another by now.
    mutating func withdraw(clip owner: OwnerID, of client: ClientID) {
        if clipOwners[client] == owner { clipOwners[client] = nil }
    }

    /// Lets a client play for an owner.
    mutating func attach(_ client: ClientID, to owner: OwnerID) {
        served.remove(client)
        owners[client] = owner
    }

    /// Notes that a client was told that playback is over.
    mutating func serve(_ client: ClientID) { served.insert(client) }

    /// Follows the client's owner no more.
    mutating func detach(_ client: ClientID) { owners[client] = nil }

    /// Forgets a client that left.
    ///
    /// - Returns: The owner of its clip, if it played one, and whether it was told that playback is over.
    mutating func forget(_ client: ClientID) -> (clipOwner: OwnerID?, isServed: Bool) {
        (clipOwners.removeValue(forKey: client), served.remove(client) != nil)
    }
}
