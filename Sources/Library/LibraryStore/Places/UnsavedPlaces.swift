// SPDX-License-Identifier: Apache-2.0

import GRDB
import MediaPlayback
import PlaybackCore

/// The places and last items that the library could not save.
///
/// This session still uses them, and they are written before the next write.
struct UnsavedPlaces {
    /// The limit for each kind of entry: more items than a user plays while a disk is full.
    private static let most = 64

    /// The places, one for each owner and item, with the newest last.
    private var places: [SavedPlace] = []
    /// The last items, one for each owner and kind.
    private var lastItems: [LastItem] = []

    var isEmpty: Bool { places.isEmpty && lastItems.isEmpty }

    mutating func add(_ place: SavedPlace) {
        removePlace(of: place.uri, owner: place.owner)
        places.append(place)
        if places.count > Self.most { places.removeFirst() }
    }

    mutating func add(_ item: LastItem) {
        removeLastItem(of: item.kind, owner: item.owner)
        lastItems.append(item)
        if lastItems.count > Self.most { lastItems.removeFirst() }
    }

    func place(of uri: String, owner: OwnerID) -> SavedPlace? {
        places.last { $0.owner == owner && WebIdentity.uri(of: $0.uri) == WebIdentity.uri(of: uri) }
    }

    func lastItem(of kind: ContentKind, owner: OwnerID) -> LastItem? {
        lastItems.last { $0.kind == kind && $0.owner == owner }
    }

    mutating func removePlace(of uri: String, owner: OwnerID) {
        places.removeAll { $0.owner == owner && $0.uri == uri }
    }

    mutating func removeLastItem(of kind: ContentKind, owner: OwnerID) {
        lastItems.removeAll { $0.kind == kind && $0.owner == owner }
    }

    /// Removes what has been written, and keeps what was added in the meantime.
    mutating func remove(_ written: UnsavedPlaces) {
        places.removeAll { written.places.contains($0) }
        lastItems.removeAll { written.lastItems.contains($0) }
    }

    /// Writes the entries that are not older than those of the library: a save that timed out may be done by now.
    func write(_ db: Database) throws {
        for var place in places {
            place.uri = try FormerURI.now(db, place.uri)
            let saved = try SavedPlace.fetch(db, uri: place.uri, owner: place.owner)
            if saved.map({ $0.updatedAt <= place.updatedAt }) ?? true { try place.save(db) }
        }
        for item in lastItems {
            let saved = try LastItem.fetch(db, kind: item.kind, owner: item.owner)
            if saved.map({ $0.updatedAt <= item.updatedAt }) ?? true { try item.saveWhereItIs(db) }
        }
    }
}
