// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import Testing

@Suite struct `A title from a file name` {
    @Test(arguments: [
        ("count_monte_cristo_64kb.mp3", "count monte cristo"), ("a_b_128kbps.m4b", "a b"),
        ("My_Book_VBR.ogg", "My Book"),
        ("Mr. Smith", "Mr. Smith"), ("book", "book"), (".hidden", ".hidden"), ("The  Book.mp3", "The Book"),
        ("64kb.mp3", "64kb"), ("on 64kb.mp3", "on 64kb"), ("__.mp3", "__"), ("a.b.flac", "a.b"), ("1.5", "1.5"),
    ])
    func `loses extension, underscores and bit rate`(_ name: String, _ title: String) {
        #expect(FileTitle.title(name) == title)
    }

    @Test(arguments: [
        ("count_monte_cristo_64kb", "count monte cristo"), ("St.Ives", "St.Ives"), ("Die_drei_???", "Die drei ???"),
    ])
    func `of a folder loses underscores and bit rate, but no extension`(_ name: String, _ title: String) {
        #expect(FileTitle.title(ofFolder: name) == title)
    }

    @Test func `is also used for a track`() {
        #expect(TrackSource.file(path: "/a_b/part_01_64kb.mp3").title == "part 01")
        #expect(TrackSource.url("http://h/part_02_64kb.mp3?token=x_y.z", headers: []).title == "part 02")
    }
}
