// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPExchange
import JSON
import ProgressSync
import ProgressTestSupport
import Testing

@testable import ServerProgress

/// The recorded requests and answers of servers beside the package, or in `ROSTRUM_SHARED`.
private enum RecordedRows {
    static let folder: String? = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let shared = ProcessInfo.processInfo.environment["ROSTRUM_SHARED"] ?? "/\(package)/../shared"
        let folder = shared + "/audiobookshelf/recorded"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()

    /// Returns the recordings about records, in order.
    static func all() throws -> [JSONValue] {
        guard let folder else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { $0.hasSuffix(".json") }
            .map {
                try JSONDecoder().decode(
                    JSONValue.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")))
            }
            .filter { $0["request"]?["path"]?.string?.hasPrefix("/api/me/progress/") == true }
    }
}

@Suite(.enabled(if: RecordedRows.folder != nil, "there are no recordings in ../shared"))
struct `Recorded records` {
    private static func row(_ value: JSONValue?) throws -> ProgressRow? {
        guard case .object = value else { return nil }
        return try JSONDecoder().decode(ProgressRow.self, from: try JSONEncoder().encode(value))
    }

    @Test func `are all understood`() throws {
        var count = 0
        for recording in try RecordedRows.all() where recording["request"]?["method"]?.string == "GET" {
            guard recording["response"]?["status"]?.number == 200,
                let row = try Self.row(recording["response"]?["body"]), row.libraryItemId != nil
            else { continue }
            count += 1
            #expect(row.record != nil)
            #expect(row.item(of: "home") != nil)
        }
        #expect(count > 20)
    }

    /// Every recorded write of a kind that is sent here leads to what the model says.
    @Test func `follow the rules by which the simulation judges`() throws {
        var model: ServerModel?
        var path: String?
        var wasSent = false
        var count = 0
        for recording in try RecordedRows.all() {
            let request = recording["request"]
            guard let here = request?["path"]?.string, recording["response"]?["status"]?.number == 200 else { continue }
            if here != path { (model, path, wasSent) = (nil, here, false) }
            if request?["method"]?.string == "PATCH" {
                let body = request?["body"]
                // What is before the beginning is read as 0.
                let time = (body?["currentTime"]?.number).map { max(0, ($0 * 1000).rounded()) }
                let length = body?["duration"]?.number.map { Int64($0 * 1000) } ?? model?.row?.length ?? 0
                wasSent = true
                if body?["markAsFinishedTimeRemaining"] != nil || body?["isFinished"] == .bool(false) {
                    model = nil
                } else if body?["isFinished"] == .bool(true), time == nil {
                    model?.patch(.finished(stamp: 0), at: 0)
                } else if body?["isFinished"] == nil, let time {
                    model?.patch(
                        .place(milliseconds: Int64(time), length: length, stamp: 0), at: 0)
                } else {
                    model = nil
                }
                continue
            }
            guard request?["method"]?.string == "GET", let body = recording["response"]?["body"],
                let record = try Self.row(body)?.record
            else { continue }
            if wasSent, let before = model?.record {
                count += 1
                #expect(before.milliseconds == record.milliseconds, "\(recording["name"]?.string ?? "")")
                #expect(before.isFinished == record.isFinished, "\(recording["name"]?.string ?? "")")
            }
            wasSent = false
            // Each recorded write is judged from the recorded record before it.
            let length = body["duration"]?.number.map { Int64($0 * 1000) } ?? 0
            model = ServerModel(
                row: ServerModel.Row(
                    milliseconds: record.milliseconds, length: length, isFinished: record.isFinished,
                    lastUpdate: record.updatedAt))
        }
        #expect(count >= 8)
    }
}
