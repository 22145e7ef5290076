// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder of real media beside the package, if it exists.
struct Corpus: Sendable {
    struct Row: Sendable {
        var path: String
        var container: String
        var decodedSeconds: Double?
        var chapterCount: Int?
        var special: String
        /// All chapters, or the first three and the last.
        var chapters: [(start: Double, title: String)]
    }
    let folder: String
    let rows: [Row]

    static let shared = Corpus()

    private init?() {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let shared = getenv("ROSTRUM_SHARED").map { String(cString: $0) } ?? "/\(package)/../shared"
        guard let manifest = File.text(shared + "/media/MANIFEST.tsv") else {
            print("skipped: no \(shared)/media")
            return nil
        }
        folder = shared + "/media/"
        let lines = manifest.split(separator: "\n")
        rows = lines.dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count > 10 else { return nil }
            return Row(
                path: fields[0], container: fields[2], decodedSeconds: Double(fields[6]), chapterCount: Int(fields[7]),
                special: fields[8], chapters: fields[10] == "-" ? [] : Self.chapters(fields[10]))
        }
    }

    /// Parses `0.000-0.600 Title | 0.600-1.200 Title`.
    private static func chapters(_ list: String) -> [(start: Double, title: String)] {
        list.split(separator: " | ").compactMap { entry in
            guard let start = Double(entry.prefix { $0 != "-" }) else { return nil }
            let title = entry.drop { $0 != " " }.drop { $0 == " " }
            return (start, String(title))
        }
    }

    func path(_ row: Row) -> String { folder + row.path }
}

/// Does something with both halves of a list at a time, as engines wait for nothing but the processor.
func eachOfTwo<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable ([Item]) throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
        for half in 0..<2 {
            let part = stride(from: half, to: items.count, by: 2).map { items[$0] }
            group.addTask { try body(part) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// File access without Foundation.
enum File {
    static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes.append(contentsOf: buffer.prefix(count))
        }
    }

    static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }
}
