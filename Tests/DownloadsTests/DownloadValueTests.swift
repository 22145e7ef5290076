// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import Testing

@testable import Downloads

@Suite struct DownloadValueTests {
    struct Case: CustomTestStringConvertible {
        var status: Int
        var fields: [HTTPField]
        var asked: Int64
        var tag: String?
        var meaning: PartialAnswer.Meaning
        var testDescription: String { "\(status) \(fields.map(\.value)) from \(asked) of \(tag ?? "no version")" }
    }

    static let answers: [Case] = [
        Case(status: 200, fields: [HTTPField("Content-Length", "90")], asked: 0, tag: nil, meaning: .taken(total: 90)),
        Case(status: 200, fields: [], asked: 0, tag: nil, meaning: .taken(total: nil)),
        Case(status: 200, fields: [HTTPField("Content-Length", "-1")], asked: 0, tag: nil, meaning: .taken(total: nil)),
        Case(
            status: 206, fields: [HTTPField("Content-Range", "bytes 10-89/90"), HTTPField("ETag", "a")], asked: 10,
            tag: "a", meaning: .taken(total: 90)),
        Case(
            status: 206, fields: [HTTPField("content-range", "bytes 10-89/*")], asked: 10, tag: "a",
            meaning: .taken(total: nil)),
        // Another version, another place, no place at all.
        Case(
            status: 206, fields: [HTTPField("Content-Range", "bytes 10-89/90"), HTTPField("ETag", "b")], asked: 10,
            tag: "a", meaning: .changed),
        Case(
            status: 206, fields: [HTTPField("Content-Range", "bytes 0-89/90")], asked: 10, tag: "a", meaning: .changed),
        Case(status: 206, fields: [], asked: 10, tag: "a", meaning: .changed),
        Case(
            status: 206, fields: [HTTPField("Content-Range", "pages 10-1/9")], asked: 10, tag: "a", meaning: .changed),
        Case(
            status: 416, fields: [HTTPField("Content-Range", "bytes */90"), HTTPField("ETag", "a")], asked: 90,
            tag: "a", meaning: .nothingMissing),
        Case(
            status: 416, fields: [HTTPField("Content-Range", "bytes */90"), HTTPField("ETag", "b")], asked: 90,
            tag: "a", meaning: .changed),
        Case(status: 416, fields: [HTTPField("Content-Range", "bytes */80")], asked: 90, tag: "a", meaning: .changed),
    ]

    @Test(arguments: answers)
    func `a part of a file is taken only if it belongs to the rest`(_ row: Case) {
        let answer = HTTPAnswer(status: row.status, fields: row.fields, url: "https://example.org/a.mp3")
        #expect(PartialAnswer(answer, asked: row.asked, tag: row.tag).meaning == row.meaning)
    }

    @Test func `a weak tag is no condition, and without a version everything is asked for`() {
        func fields(_ bytes: Int64, _ tag: String?) -> [String] {
            PartialAnswer.request(HTTPRequest(.get, "https://example.org"), from: bytes, tag: tag).fields
                .map { "\($0.name): \($0.value)" }.filter { !$0.hasPrefix("Accept") }
        }
        #expect(fields(0, "\"a\"") == [])
        #expect(fields(9, nil) == [])
        #expect(fields(9, "\"a\"") == ["Range: bytes=9-", "If-Range: \"a\""])
        #expect(fields(9, "W/\"a\"") == ["Range: bytes=9-"])
    }

    @Test func `pauses double for one server, and end when it answers`() {
        var schedule = RetrySchedule()
        var pauses: [Duration] = []
        for _ in 0..<11 {
            schedule.failed("a", at: .seconds(100), pause: nil)
            pauses.append(schedule.pause(of: "a", at: .seconds(100)) ?? .zero)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
        #expect(schedule.pause(of: "b", at: .seconds(100)) == nil)
        #expect(schedule.pause(of: "a", at: .seconds(400)) == nil)
        schedule.hurry()
        #expect(schedule.pause(of: "a", at: .seconds(100)) == nil)
        schedule.failed("a", at: .seconds(100), pause: .seconds(900))
        #expect(schedule.pause(of: "a", at: .seconds(100)) == .seconds(900))
        schedule.answered("a")
        schedule.failed("a", at: .seconds(100), pause: nil)
        #expect(schedule.pause(of: "a", at: .seconds(100)) == .seconds(1))
    }

    private func episode(_ name: String, _ published: Int64, series: String? = "P") -> Download {
        var download = Download(item: name, server: "s", order: 1, addedAt: 0)
        (download.state, download.series, download.publishedAt) = (.downloaded, series, published)
        return download
    }

    @Test func `rules remove what was heard and what is old, and nothing that plays`() {
        let all = [
            episode("a", 1), episode("b", 2), episode("c", 3), episode("d", 4, series: "Q"),
            episode("book", 0, series: nil),
        ]
        func gone(_ rules: KeepRules, finished: Set<String> = [], inUse: Set<String> = []) -> [String] {
            rules.surplus(all, finished: finished, inUse: inUse).map(\.item)
        }
        #expect(gone(KeepRules(), finished: ["a"]) == [])
        #expect(gone(KeepRules(removesFinished: true), finished: ["b", "book"]) == ["book", "b"])
        #expect(gone(KeepRules(newestOfSeries: 1)) == ["a", "b"])
        #expect(gone(KeepRules(newestOfSeries: 2), inUse: ["a"]) == [])
        #expect(gone(KeepRules(removesFinished: true, newestOfSeries: 1), finished: ["c"]) == ["a", "c"])
    }

    @Test func `files that are the same are kept when the item is looked up again`() {
        var download = Download(item: "x", server: "s", order: 1, addedAt: 0)
        typealias File = DownloadPlan.File
        let first = DownloadPlan(
            uri: "x", title: "T",
            files: [File(relPath: "a.mp3", address: "1", size: 5), File(relPath: "b.mp3", address: "2", size: 6)])
        #expect(download.adopt(first) == [])
        download.files[0].bytes = 5
        download.files[1].bytes = 3
        #expect(download.bytes == 8 && download.totalBytes == 11)
        var second = first
        second.files = [
            File(relPath: "a.mp3", address: "9", size: 5), File(relPath: "b.mp3", address: "9", size: 7),
            File(relPath: "c.mp3", address: "9"),
        ]
        #expect(download.adopt(second) == [])
        #expect(download.files.map(\.bytes) == [5, 0, 0])
        #expect(download.totalBytes == nil)
        // A name that is taken from an earlier order is not given twice.
        var third = second
        third.files.insert(File(relPath: "x/a.mp3", address: "9"), at: 0)
        var other = download
        #expect(other.adopt(third) == [])
        #expect(Set(other.files.map(\.name)).count == 4 && other.files[0].name == "New 01 a.mp3")
        second.files.removeLast(2)
        #expect(download.adopt(second) == ["02 b.mp3", "03 c.mp3"])
    }
}
