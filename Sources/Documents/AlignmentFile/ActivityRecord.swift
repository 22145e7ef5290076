// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The line in the file beside an alignment: since when it is made, how far that is, and how it ended.
struct ActivityRecord: Codable {
    /// Milliseconds since 1970.
    var begunAt: Int64
    var endedAt: Int64?
    /// The share of the recording that was read, from 0 to 1.
    var share = 0.0
    var failure: AlignmentFailure?
    /// The ID of the book in the library; records of older programs have none.
    var book: String?

    init(begunAt: Int64, book: String? = nil) {
        self.begunAt = begunAt
        // A part of an ID is the ID of another book.
        self.book = book.flatMap { (1...Self.longestBook).contains($0.utf8.count) ? $0 : nil }
    }

    /// The path of the file with the record of an alignment.
    static func path(of alignment: String) -> String { alignment + ".run" }

    /// More than a record has.
    private static let most = 4096
    /// The bytes of a message; each may take six in JSON.
    private static let longestMessage = 600
    /// The bytes of the ID of a book; each may take six in JSON.
    private static let longestBook = 32

    /// Reads a record; `nil` if there is none, or if it is not in order.
    init?(_ descriptor: CInt) {
        var bytes = [UInt8](repeating: 0, count: Self.most)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let end = bytes[..<count].firstIndex(of: UInt8(ascii: "\n")),
            var record = try? JSONDecoder().decode(ActivityRecord.self, from: Data(bytes[..<end]))
        else { return nil }
        record.share = max(0, min(1, record.share))
        self = record
    }

    /// Writes the record over the one before, by one write; returns `false` and sets `errno` if that fails.
    func write(to descriptor: CInt) -> Bool {
        var record = self
        if let message = failure?.message {
            record.failure?.message = String(decoding: message.utf8.prefix(Self.longestMessage), as: UTF8.self)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(record) else { return false }
        let bytes = Array(line) + [UInt8(ascii: "\n")]
        guard bytes.count <= Self.most else { return false }
        // What is left of a longer one stands behind the end of the line.
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }
}
