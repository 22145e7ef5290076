// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

/// A place stays in its file, whatever number the file has now.
@Suite struct `A place in a book whose files changed` {
    private func content(_ names: String) -> Content {
        Content(
            uri: "file:///book", kind: .audio,
            tracks: names.split(separator: " ").map { .file(path: "/book/\($0)") }, title: "Book")
    }

    @Test(arguments: [
        ("1 2 3", "1 2 3", 2, 2), ("1 2 3", "0 1 2 3", 2, 3), ("1 2 3", "2 3", 1, 0), ("1 2 4", "1 2 3 4", 2, 3),
        ("1 2 3", "1 3", 1, nil), ("1 2 3", "1 two 3", 1, nil), ("1 2 1", "1 2 1 3", 2, 2), ("1 2 1", "0 1 2 1", 2, 3),
        ("1 2 1", "2 1", 2, nil),
    ])
    func `stays in its file`(_ before: String, _ now: String, _ track: Int, _ expected: Int?) {
        let place = MediaPosition(track: track, units: 7)
        #expect(
            content(now).place(place, from: content(before)) == expected.map { MediaPosition(track: $0, units: 7) })
    }

    @Test(arguments: [("1 2 3", "1 3", 1, 1), ("1 2 3 4", "1 4", 1, 1)])
    func `is the start of the next file if its file is gone`(
        _ before: String, _ now: String, _ track: Int, _ expected: Int
    ) {
        let place = MediaPosition(track: track, units: 7)
        #expect(content(now).start(behind: place, of: content(before)) == MediaPosition(track: expected, units: 0))
    }

    @Test(arguments: [("1 2 3", "1 2", 2, 2), ("1 2 3", "0 1 2", 2, 3), ("1 2 3", "1", 1, 1)])
    func `is behind the last file if nothing follows it, and so is refused`(
        _ before: String, _ now: String, _ track: Int, _ expected: Int
    ) {
        let place = MediaPosition(track: track, units: 7)
        #expect(content(now).start(behind: place, of: content(before)) == MediaPosition(track: expected, units: 7))
    }

    @Test func `of one address with other headers stays`() {
        let old = Content(uri: "u", kind: .audio, tracks: [.url("http://a/b.mp3", headers: ["A: 1"])], title: "b")
        let new = Content(uri: "u", kind: .audio, tracks: [.url("http://a/b.mp3", headers: [])], title: "b")
        #expect(new.place(MediaPosition(track: 0, units: 7), from: old) == MediaPosition(track: 0, units: 7))
    }
}
