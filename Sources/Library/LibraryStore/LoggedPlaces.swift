// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore

/// Reads the places in the transition log: those that were saved at a pause, a seek or a stop.
///
/// Blocks, and reads no more than the log keeps, which is five files.
struct LoggedPlaces {
    /// The path of `transitions.jsonl`.
    ///
    /// Older files are `transitions.jsonl.1` (the newest) to `.4`.
    let path: String
    private static let olderFiles = 4
    /// An upper limit for the length of a place record; a longer line is a snapshot of the whole state.
    private static let longestLine = 1 << 16
    private static let mark = Data(#""kind":"place""#.utf8)

    /// Adds the places that the database does not have, and replaces older ones.
    ///
    /// - Returns: The number of places that were written.
    func copy(into database: DatabaseQueue) -> Int {
        let places = newest()
        let count = try? database.write { db in
            var count = 0
            for place in places {
                var place = place
                place.uri = try FormerURI.now(db, place.uri)
                if let kept = try SavedPlace.fetch(db, uri: place.uri, owner: place.owner),
                    kept.updatedAt >= place.updatedAt
                {
                    continue
                }
                try place.save(db)
                count += 1
            }
            return count
        }
        return count ?? 0
    }

    private struct Key: Hashable {
        var owner: OwnerID
        var uri: String
    }

    /// Returns the newest place of each owner and item, by the order of the log: the clock may have been set back.
    private func newest() -> Dictionary<Key, SavedPlace>.Values {
        var places: [Key: SavedPlace] = [:]
        let files = (1...Self.olderFiles).reversed().map { "\(path).\($0)" } + [path]
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else { continue }
            for line in data.split(separator: UInt8(ascii: "\n"))
            where line.count < Self.longestLine && line.range(of: Self.mark) != nil {
                guard let record = try? JSONDecoder().decode(Record.self, from: line), let place = record.place else {
                    continue
                }
                places[Key(owner: place.owner, uri: place.uri)] = place
            }
        }
        return places.values
    }

    /// A record as it is in the log.
    ///
    /// It is not trusted: a user can edit the log, and a crash can tear it.
    private struct Record: Decodable {
        var v: Int
        var kind: String
        var action: String?
        var result: String?
        var wall: String
        var engine: String?
        var owner: String?
        var item: String?
        var content: String?
        var track: Int?
        var units: Int64?
        var provenance: String?
        var finished: Bool?

        var place: SavedPlace? {
            guard v == 1, kind == "place", action == "save", result == "ok", let engine, let owner, let item,
                let track, track >= 0, let units, units >= 0,
                let provenance = provenance.flatMap(Provenance.init), provenance == .heard || provenance == .user,
                let date = try? Date(
                    wall,
                    strategy: .iso8601.year().month().day().timeZone(separator: .omitted)
                        .time(includingFractionalSeconds: true))
            else { return nil }
            return SavedPlace(
                owner: OwnerID(owner), uri: item, kind: contentKind(of: item), engine: EngineID(engine),
                position: MediaPosition(track: track, units: units), provenance: provenance,
                finished: finished ?? false, updatedAt: Int64((date.timeIntervalSince1970 * 1000).rounded()))
        }

        /// Returns the kind of content, which is derived from the file extension if the log is too old to have it.
        private func contentKind(of item: String) -> ContentKind {
            if let kind = content.flatMap(ContentKind.init) { return kind }
            let ending = item.split(separator: ".").last.map { $0.lowercased() } ?? ""
            return KnownExtensions.plainText.contains(ending) ? .text : .audio
        }
    }
}
