// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import AudiobookshelfClient

@Suite struct ServerQueueTests {
    private func item(_ media: String, files: String = "[]", kind: String = "book") throws -> ServerItem {
        let text = #"{"id":"i","mediaType":"\#(kind)","relPath":"A/B","media":\#(media),"libraryFiles":\#(files)}"#
        return try #require(ServerAnswer.json(Array(text.utf8)).flatMap(ServerItem.init))
    }

    private func track(_ ino: Int, _ index: String, seconds: String = "10", offset: String? = nil) -> String {
        let offset = offset.map { ",\"startOffset\":\($0)" } ?? ""
        return
            #"{"ino":"\#(ino)","index":\#(index),"duration":\#(seconds)\#(offset),"metadata":{"filename":"\#(ino).mp3","relPath":"d/\#(ino).mp3","size":\#(ino)00}}"#
    }

    private func library(_ ino: Int, kind: String = "audio") -> String {
        #"{"ino":"\#(ino)","fileType":"\#(kind)","metadata":{"filename":"\#(ino).mp3","relPath":"d/\#(ino).mp3"}}"#
    }

    @Test func `the files that the server lists are played, in the order of their numbers`() throws {
        let queue = try ServerQueue(
            item(#"{"tracks":[\#(track(3, "9")),\#(track(1, "2"))],"audioFiles":[\#(track(7, "1"))]}"#))
        #expect(queue.files.map(\.ino) == ["1", "3"])
        #expect(queue.files.map(\.relPath) == ["d/1.mp3", "d/3.mp3"] && queue.files.map(\.bytes) == [100, 300])
        // Without good numbers, as they came.
        for index in ["null", "1"] {
            let queue = try ServerQueue(item(#"{"tracks":[\#(track(3, index)),\#(track(1, index))]}"#))
            #expect(queue.files.map(\.ino) == ["3", "1"])
        }
    }

    @Test func `without tracks the audio files are played, but not those that are left out`() throws {
        let out = #"{"ino":"5","index":0,"exclude":true,"metadata":{"relPath":"5"}}"#
        let queue = try ServerQueue(item(#"{"audioFiles":[\#(track(2, "2")),\#(out),\#(track(1, "1"))]}"#))
        #expect(queue.files.map(\.ino) == ["1", "2"])
    }

    @Test func `without a list, the files that chapters name are played, each once, as they come`() throws {
        let chapters = [("d/2.mp3", 0), ("d/1.mp3", 4), ("d/2.mp3", 8), ("gone.mp3", 9)].map {
            #"{"start":\#($0.1),"file_path":"\#($0.0)"}"#
        }
        let media = #"{"chapters":[\#(chapters.joined(separator: ","))]}"#
        let queue = try ServerQueue(item(media, files: "[\(library(1)),\(library(2)),\(library(3))]"))
        #expect(queue.files.map(\.ino) == ["2", "1"])
        // One has no file, so none has a place.
        #expect(queue.chapters.isEmpty)
    }

    @Test func `without that, the one audio file is played, and never a folder`() throws {
        #expect(
            try ServerQueue(item("{}", files: "[\(library(4, kind: "image")),\(library(1))]")).files.map(\.ino) == ["1"]
        )
        for files in ["[]", "[\(library(1)),\(library(2))]", "[\(library(4, kind: "ebook"))]"] {
            #expect(throws: ServerQueue.Fault.noAudio) { try ServerQueue(item("{}", files: files)) }
        }
    }

    @Test(arguments: [
        ([0.0, 10.0, 25.0], [0, 1, 2], [0.0, 0.0, 5.0]),
        ([0.0, 9.97, 19.999], [0, 1, 2], [0.0, 0.0, 0.0]),
        ([3.0, 12.5, 29.9], [0, 1, 2], [3.0, 2.5, 9.9]),
        ([10.02], [1], [0.0]),
        ([400.0], [2], [380.0]),
    ])
    func `a chapter lies in the file in which it begins`(_ starts: [Double], _ files: [Int], _ seconds: [Double]) throws
    {
        let chapters = starts.map { #"{"start":\#($0),"title":"T"}"# }.joined(separator: ",")
        for offsets in [nil, ["0", "10", "20"]] as [[String]?] {
            let tracks = (0..<3).map { track($0 + 1, "\($0 + 1)", offset: offsets?[$0]) }.joined(separator: ",")
            let queue = try ServerQueue(item(#"{"tracks":[\#(tracks)],"chapters":[\#(chapters)]}"#))
            #expect(queue.chapters.map(\.file) == files)
            #expect(zip(queue.chapters.map(\.seconds), seconds).allSatisfy { abs($0 - $1) < 1e-6 })
        }
    }

    @Test func `a chapter behind a file of unknown length has no place, and then none has`() throws {
        let tracks = [track(1, "1"), track(2, "2", seconds: "null"), track(3, "3")].joined(separator: ",")
        for (start, count) in [(5, 2), (15, 0)] {
            let queue = try ServerQueue(item(#"{"tracks":[\#(tracks)],"chapters":[{"start":0},{"start":\#(start)}]}"#))
            #expect(queue.files.count == 3 && queue.chapters.count == count)
        }
        let later = try ServerQueue(
            item(#"{"tracks":[\#(track(1, "1", seconds: "null")),\#(track(2, "2"))],"chapters":[{"start":15}]}"#))
        #expect(later.chapters.isEmpty)
    }

    @Test func `an episode is its one file, and a podcast needs one that is there`() throws {
        let media =
            #"{"metadata":{"title":"P"},"episodes":[{"id":"e","title":"E","audioFile":\#(track(4, "1")),"chapters":[{"start":3}]},{"id":"f"}]}"#
        let podcast = try item(media, kind: "podcast")
        let queue = try ServerQueue(podcast, episode: "e")
        #expect(queue.title == "E" && queue.author == "P" && queue.files.map(\.ino) == ["4"])
        #expect(queue.chapters.map(\.seconds) == [3])
        #expect(throws: ServerQueue.Fault.needsEpisode) { try ServerQueue(podcast) }
        #expect(throws: ServerQueue.Fault.noSuchEpisode) { try ServerQueue(podcast, episode: "x") }
        #expect(throws: ServerQueue.Fault.noAudio) { try ServerQueue(podcast, episode: "f") }
        #expect(throws: ServerQueue.Fault.noSuchEpisode) {
            try ServerQueue(item(#"{"tracks":[\#(track(1, "1"))]}"#), episode: "e")
        }
    }

    @Test(.enabled(if: RecordedAnswers.shared != nil, "there are no recordings in ../shared"))
    func `every recorded item that is expanded has a queue of its tracks`() throws {
        let recorded = try #require(RecordedAnswers.shared)
        var count = 0
        for answer in recorded.answers where answer.status == 200 && answer.query.contains("expanded=1") {
            guard let item = ServerItem(answer.body) else { continue }
            let names = item.podcast.map { $0.episodes.map { String?.some($0.id) } } ?? [nil]
            for episode in names {
                let queue = try ServerQueue(item, episode: episode)
                #expect(queue.files.count == (item.book?.tracks.count ?? 1), "\(answer.name)")
                #expect(queue.chapters.count == (item.book?.chapters.count ?? 0), "\(answer.name)")
                count += 1
            }
        }
        #expect(count > 0)
    }
}
