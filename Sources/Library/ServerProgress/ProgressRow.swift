// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import ProgressSync

/// A record as the server writes it; everything may be missing or null, and a number may be a string.
struct ProgressRow: Decodable {
    var libraryItemId: String?
    var episodeId: String?
    var currentTime: Number?
    var isFinished: Bool?
    var lastUpdate: Number?

    /// A number, or a string that says one.
    struct Number: Decodable {
        var value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
            } else if let number = Double(try container.decode(String.self)) {
                value = number
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
            }
        }

        /// The number times `factor`, as an integer within a range that can be calculated with.
        func whole(_ factor: Double = 1) -> Int64? {
            let product = (value * factor).rounded()
            return product.isFinite ? Int64(min(max(product, 0), 1e15)) : nil
        }
    }

    func item(of account: String) -> ServedItem? {
        guard let libraryItemId else { return nil }
        return ServedItem(account: account, key: episodeId.map { "\(libraryItemId)/\($0)" } ?? libraryItemId)
    }

    /// The record; `nil` if the row has no place.
    var record: ProgressRecord? {
        guard let milliseconds = currentTime?.whole(1000) else { return nil }
        return ProgressRecord(
            milliseconds: milliseconds, isFinished: isFinished ?? false, updatedAt: lastUpdate?.whole() ?? 0,
            provenance: .restored)
    }
}

/// The records in the answer about a user; one that cannot be read does not hide the others.
struct UserBody: Decodable {
    struct Row: Decodable {
        var row: ProgressRow?

        init(from decoder: any Decoder) throws { row = try? ProgressRow(from: decoder) }
    }

    var mediaProgress: [Row]
}

/// The place, or the flag, and never both.
struct PatchBody: Encodable {
    var currentTime: Double?
    var duration: Double?
    var progress: Double?
    var isFinished: Bool?
    var lastUpdate: Int64
}

struct DeviceBody: Encodable {
    var deviceId: String
    var clientName = "Rostrum"
    var clientVersion: String

    init(_ device: String, _ version: String) {
        deviceId = device
        clientVersion = version
    }
}

struct SessionBody: Encodable {
    var id: String
    var libraryItemId: String
    var episodeId: String?
    var mediaType: String
    /// Played from this machine.
    var playMethod = 3
    var mediaPlayer = "Rostrum"
    var deviceInfo: DeviceBody
    var startTime: Double
    var currentTime: Double
    var timeListening: Double
    var startedAt: Int64
    var updatedAt: Int64
    var displayTitle: String

    init(_ session: ListeningSession, device: DeviceBody) {
        id = session.id
        libraryItemId = session.item.item
        episodeId = session.item.episode
        mediaType = session.item.episode == nil ? "book" : "podcast"
        deviceInfo = device
        startTime = Double(session.from) / 1000
        currentTime = Double(session.to) / 1000
        timeListening = Double(session.listened) / 1000
        startedAt = session.began
        updatedAt = session.ended
        displayTitle = session.title
    }
}

struct SessionsBody: Encodable {
    var sessions: [SessionBody]
}

struct ReportBody: Decodable {
    struct Result: Decodable {
        var id: String
        var success: Bool
    }

    var results: [Result]
}
