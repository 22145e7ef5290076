// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import PlaybackCore

/// The owners that attached players play for.
struct AttachedPlayers {
    /// The owner of each attached player; the owner's item may change.
    private(set) var owners: [ClientID: OwnerID] = [:]
    /// The owners of clips, which are released when their client disconnects.
    private var clipOwners: [ClientID: [OwnerID]] = [:]
    /// The owners that have claimed focus and not released it; a clip that they play does not hand it back at its end.
    private(set) var claimants: Set<OwnerID> = []
    /// The owners of clients that have disconnected, until their last request is over.
    private var leaving: [ClientID: [OwnerID]] = [:]
    /// Players that were told that playback is over; they leave by themselves, and nothing ends because of that.
    private var served: Set<ClientID> = []
    private var clips = 0

    /// Returns a new name for the owner of a clip.
    mutating func nextClipOwner() -> OwnerID {
        clips += 1
        return OwnerID("clip-viewer-\(clips)")
    }

    /// Notes that a client plays for an owner.
    mutating func note(_ client: ClientID, playsFor owner: OwnerID) {
        served.remove(client)
        owners[client] = owner
    }

    /// Notes that an owner is to be released when its client disconnects.
    ///
    /// - Returns: `true` if that was not noted before.
    mutating func note(_ client: ClientID, playsClipFor owner: OwnerID) -> Bool {
        guard clipOwners[client]?.contains(owner) != true else { return false }
        clipOwners[client, default: []].append(owner)
        return true
    }

    /// Withdraws a client from an owner that another client is attached to as well; `false` if there is none.
    mutating func withdraw(_ client: ClientID, from owner: OwnerID) -> Bool {
        guard clipOwners[client]?.contains(owner) == true,
            clipOwners.contains(where: { $0.key != client && $0.value.contains(owner) })
        else { return false }
        forget(client, playsClipFor: owner)
        return true
    }

    /// Withdraws `note(_:playsClipFor:)`.
    mutating func forget(_ client: ClientID, playsClipFor owner: OwnerID) {
        clipOwners[client]?.removeAll { $0 == owner }
    }

    /// The maximum number of claimants; the clips of further ones hand focus back at their end.
    private static let mostClaimants = 1000

    mutating func noteClaim(of owner: OwnerID) {
        if claimants.count < Self.mostClaimants { claimants.insert(owner) }
    }

    mutating func noteRelease(of owner: OwnerID) { claimants.remove(owner) }

    /// Notes that a client was told that its playback is over.
    mutating func noteServed(_ client: ClientID) { served.insert(client) }

    /// Notes that the owner of a client no longer concerns it.
    mutating func unfollow(_ client: ClientID) { owners[client] = nil }

    /// Removes a client that disconnected, or that no longer has a request under way after that.
    ///
    /// Returns the owners to release, the latest first, those that a request under way may have brought back since the
    /// first call, and whether the client was told that its playback is over.
    ///
    /// An owner that another client is attached to as well stays.
    mutating func remove(_ client: ClientID) -> (clipOwners: [OwnerID], broughtBack: [OwnerID], isServed: Bool) {
        unfollow(client)
        let own = clipOwners.removeValue(forKey: client) ?? []
        let before = leaving.removeValue(forKey: client) ?? []
        if before.isEmpty, !own.isEmpty { leaving[client] = own }
        let others = clipOwners.values.joined()
        func free(_ owners: [OwnerID]) -> [OwnerID] { owners.reversed().filter { !others.contains($0) } }
        return (free(own), free(before), served.remove(client) != nil)
    }
}
