// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import HTTPExchange
import JSON

@testable import AudiobookshelfClient

/// Answers of real servers of several versions beside the package, if there are any.
struct RecordedAnswers: Sendable {
    struct Answer: Sendable {
        /// The name of its file, with the folder of its version.
        var name: String
        var method: String
        /// The path without the query and the base path.
        var path: String
        var query: String
        var status: Int
        var body: JSONValue
    }

    let answers: [Answer]

    static let shared = RecordedAnswers()

    private init?() {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let shared = getenv("ROSTRUM_SHARED").map { String(cString: $0) } ?? "/\(package)/../shared"
        let folder = shared + "/audiobookshelf/recorded"
        var names = Self.files(of: folder)
        for version in names where version.hasPrefix("v") {
            names += Self.files(of: "\(folder)/\(version)").map { "\(version)/\($0)" }
        }
        answers = names.sorted().compactMap { Self.answer($0, in: folder) }
        if answers.isEmpty {
            print("skipped: no \(folder)")
            return nil
        }
    }

    private static func files(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func answer(_ name: String, in folder: String) -> Answer? {
        guard name.hasSuffix(".json"), let data = FileManager.default.contents(atPath: "\(folder)/\(name)"),
            let pair = ServerAnswer.json(Array(data)), let path = pair["request"]?["path"]?.string,
            let method = pair["request"]?["method"]?.string, let status = pair["response"]?.whole("status"),
            let body = pair["response"]?["body"]
        else { return nil }
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        guard var bare = parts.first else { return nil }
        if bare.hasPrefix("/audiobookshelf/") { bare = String(bare.dropFirst("/audiobookshelf".count)) }
        return Answer(
            name: name, method: method, path: bare, query: parts.count > 1 ? parts[1] : "", status: Int(status),
            body: body)
    }
}

extension JSONValue {
    /// The entries of a member that is a list.
    func count(_ name: String) -> Int {
        guard case .array(let entries)? = self[name] else { return 0 }
        return entries.count
    }

    /// The entries of a list.
    var entries: [JSONValue] {
        guard case .array(let entries) = self else { return [] }
        return entries
    }
}

extension HTTPAnswer {
    /// An answer of 200 with a body.
    static func of(_ text: String, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(status: status, body: Array(text.utf8), url: "http://server.test/")
    }
}
