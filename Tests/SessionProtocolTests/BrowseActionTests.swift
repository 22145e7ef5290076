// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

struct `A request to browse` {
    @Test(arguments: [
        ("genre:Sci-Fi", BrowseFilter.genre("Sci-Fi")), ("tag:a:b", .tag("a:b")), ("series:x", .series("x")),
        ("author:x", .author("x")), ("narrator:x", .narrator("x")), ("collection:x", .collection("x")),
        ("progress:in-progress", .inProgress), ("progress:finished", .finished), ("progress:not-started", .notStarted),
    ])
    func `has filters of a kind and a value`(_ text: String, _ filter: BrowseFilter) throws {
        #expect(try BrowseFilter(text) == filter)
    }

    @Test(arguments: ["", "genre", "genre:", ":x", "colour:x", "progress:x", "Genre:x"])
    func `refuses any other filter`(_ text: String) {
        #expect(throws: SessionError.self) { try BrowseFilter(text) }
    }

    private static let bad: [(inout BrowseAction) -> Void] = [
        { $0.limit = 0 }, { $0.limit = BrowseAction.mostEntries + 1 }, { $0.offset = -1 }, { $0.sort = "colour" },
        { $0.filters = ["x"] }, { $0.filters = Array(repeating: "tag:x", count: 17) }, { $0.server = "" },
        { $0.words = [String(repeating: "x", count: 1025)] }, { $0.words = [""] }, { $0.action = .show },
    ]

    @Test(arguments: bad.indices) func `is refused if a parameter is out of range`(_ index: Int) {
        var action = BrowseAction(.items)
        Self.bad[index](&action)
        #expect(throws: SessionError.self) { try SessionCommand.browse(action).validate() }
    }

    @Test func `may leave out everything`() throws {
        let message = try RequestMessage(line: Array(#"{"jsonrpc":"2.0","id":1,"method":"browse"}"#.utf8))
        #expect(message.request == .command(.browse(BrowseAction(.libraries))))
        #expect(throws: RequestMessage.Rejection.self) {
            try RequestMessage(line: Array(#"{"jsonrpc":"2.0","id":1,"method":"browse","params":{"limit":0}}"#.utf8))
        }
    }
}
