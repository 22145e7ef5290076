// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ProgressSync
import Testing

@Suite struct `News of places` {
    @Test func `say which place counts and how to get the other`() {
        let here = ProgressRecord(milliseconds: 14_405_999, updatedAt: 0, provenance: .heard)
        let there = ProgressRecord(milliseconds: 720_000, updatedAt: 0, provenance: .restored)
        let end = ProgressRecord(milliseconds: 1, isFinished: true, updatedAt: 0, provenance: .restored)
        let news: [ProgressNews] = [
            .apart(local: here, remote: there, winner: .local), .apart(local: here, remote: end, winner: .remote),
            .apart(local: here, remote: there, winner: .undecided), .elsewhere(there), .refused,
        ]
        let text = news.map { $0.notice(of: "A book") }.map { "\($0.title): \($0.text)" }.joined(separator: "\n")
        #expect(
            text == """
                “A book” goes on at 4:00:05: the server has 0:12:00; `rostrum undo` goes there
                “A book” goes on at the end: that is where another device is; `rostrum undo` goes back to 4:00:05
                “A book” has two places: 4:00:05 here and 0:12:00 on the server; play it to go on from here, `rostrum undo` goes to the other
                “A book” plays on another device, too: it is at 0:12:00 there; nothing moves here
                The place in “A book” is kept here only: the server refuses it; see whether the item is still there
                """)
    }
}

@Suite struct `The identity of a server's item` {
    @Test(arguments: [
        "audiobookshelf://home/e0138a5e-78ba-40cc-9789-6fd03f2a4336", "audiobookshelf://a1/li_abc/ep_1",
    ])
    func `is its URI, and back`(_ uri: String) {
        let item = ServedItem(uri: uri)
        #expect(item?.uri == uri)
        #expect(item.flatMap { ServedItem(account: $0.account, key: $0.key) } == item)
    }

    @Test(arguments: [
        "", "file:///a.mp3", "audiobookshelf://", "audiobookshelf://a", "audiobookshelf://a/", "audiobookshelf://a/b/",
        "audiobookshelf://a/b/c/d", "audiobookshelf://a/../b", "audiobookshelf://a/b?c", "audiobookshelf://a/%2e",
    ])
    func `leads to no other path`(_ uri: String) {
        #expect(ServedItem(uri: uri) == nil)
    }
}
