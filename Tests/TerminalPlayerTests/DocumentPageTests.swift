// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

@testable import TerminalPlayer

@Suite
struct `The page of the reading list` {
    private static let eight = TerminalKey.character("8")

    private static func scene(rows: Int = 24, columns: Int = 80) -> Scene {
        var scene = Scene.book(rows: rows, columns: columns)
        scene.press(eight)
        scene.take(.answer(.documents, .success(.documents(Scene.documents))))
        scene.effects = []
        return scene
    }

    private func requests(_ scene: Scene) -> [ReadingAction] {
        scene.effects.compactMap { if case .send(.reading(let action), _) = $0 { action } else { nil } }
    }

    @Test func `asks for the list when it is shown, once at a time`() {
        var scene = Scene.book()
        scene.press(Self.eight)
        #expect(scene.text.contains("One moment"))
        scene.press(.character("1"), Self.eight)
        #expect(requests(scene) == [ReadingAction(.list)])
        scene.take(.answer(.documents, .failure(SessionError(.io, "cannot read the list"))))
        #expect(scene.text.contains("cannot read the list"))
        scene.press(.character("1"), Self.eight)
        #expect(requests(scene).count == 2)
        scene.take(.answer(.documents, .success(.documents([]))))
        #expect(scene.text.contains("`rostrum reading add URL`"))
    }

    @Test func `reads the one that is chosen, by keys or by two presses`() throws {
        var scene = Self.scene()
        scene.press(.down, .enter)
        var read = PlayParameters()
        read.items = ["reading:b2b2b2"]
        read.owner = "main"
        read.asText = true
        #expect(scene.commands == [.read(read)])
        let row = try #require(scene.lines.firstIndex { $0.contains("On the Shoulders") })
        scene.take(.press(row: row, column: 10))
        #expect(scene.commands.count == 1, "the first press selects")
        scene.take(.press(row: row, column: 10))
        read.items = ["reading:a1a1a1"]
        #expect(scene.commands.last == .read(read))
    }

    @Test func `says why one cannot be read`() {
        var scene = Self.scene()
        scene.press(.end, .enter)
        #expect(scene.commands == [] && scene.text.contains("cannot be read: it is damaged"))
    }

    @Test func `archives the selected one and puts it back, and shows what the filter lets through`() {
        var scene = Self.scene()
        #expect(scene.text.contains("3 documents   listed (f)") && !scene.text.contains("An Old Essay"))
        scene.press(.character("a"))
        #expect(requests(scene) == [ReadingAction(.archive, id: "a1a1a1")])
        var archived = Scene.documents
        archived[0].isArchived = true
        scene.take(.answer(.document, .success(.documents([archived[0]]))))
        #expect(scene.text.contains("“On the Shoulders of Giants” is archived."))
        #expect(requests(scene).last == ReadingAction(.list))
        scene.take(.answer(.documents, .success(.documents(archived))))
        #expect(scene.text.contains("2 documents   listed (f)"))
        scene.press(.character("f"))
        #expect(scene.text.contains("2 documents   archived (f)") && scene.text.contains("An Old Essay"))
        scene.press(.character("a"))
        #expect(requests(scene).last == ReadingAction(.unarchive, id: "a1a1a1"))
        scene.press(.character("f"))
        #expect(scene.text.contains("4 documents   all (f)"))
    }

    @Test func `deletes only what the listener confirms`() {
        var scene = Self.scene()
        for other in [TerminalKey.character("n"), .escape, .enter, .character("d")] {
            scene.press(.character("d"))
            #expect(scene.text.contains("y deletes it") && scene.text.contains("“On the Shoulders of Giants”"))
            scene.press(other)
            #expect(!scene.text.contains("y deletes it") && requests(scene) == [])
        }
        scene.press(.character("d"), .character("y"))
        #expect(requests(scene) == [ReadingAction(.delete, id: "a1a1a1")])
        scene.take(.answer(.deletedDocument, .success(.documents([Scene.documents[0]]))))
        #expect(scene.text.contains("“On the Shoulders of Giants” is deleted."))
        #expect(requests(scene).last == ReadingAction(.list))
    }

    @Test func `is the only one on which these keys do something`() {
        for page in PlayerState.Page.allCases where page != .documents {
            var scene = Self.scene()
            scene.state.page = page
            scene.press(.character("a"), .character("d"), .character("y"))
            #expect(requests(scene) == [], "\(page)")
        }
        var empty = Scene.book()
        empty.press(Self.eight, .character("a"), .character("d"), .enter)
        #expect(empty.state.overlay == nil && empty.commands == [])
    }

    @Test func `takes any numbers and titles that a session may send`() {
        var scene = Self.scene()
        var documents = Scene.documents
        for percent in [-Double.infinity, -1, 1e300, .nan, 99.9] {
            documents[0].percent = percent
            documents[0].title = String(repeating: "三\u{202E}", count: 500)
            scene.take(.answer(.documents, .success(.documents(documents))))
            #expect(scene.lines.allSatisfy { $0.columns <= 80 })
        }
    }
}

extension Scene {
    /// A reading list with one document that is archived.
    static let documents: [ReadingDocumentInfo] = [
        document("a1a1a1", "On the Shoulders of Giants", "R. Merton", percent: nil),
        document("b2b2b2", "Politics and the English Language", "George Orwell", percent: 42.5),
        document("c3c3c3", nil, nil, percent: 3, fault: "it is damaged"),
        document("d4d4d4", "An Old Essay", nil, percent: 100, isArchived: true),
    ]

    private static func document(
        _ id: String, _ title: String?, _ author: String?, percent: Double?, isArchived: Bool = false,
        fault: String? = nil
    ) -> ReadingDocumentInfo {
        let url = "https://example.org/\(id)"
        return ReadingDocumentInfo(
            id: id, uri: url, url: url, title: title, author: author, percent: percent, isArchived: isArchived,
            addedAt: 0, fault: fault)
    }
}
