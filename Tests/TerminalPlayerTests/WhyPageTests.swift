// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

@testable import TerminalPlayer

@Suite
struct `The page of the newest events` {
    @Test func `shows the log when the session has written what it had in memory`() {
        var scene = Scene.book()
        #expect(scene.press(.character("6")).contains(.readRecords))
        #expect(scene.take(.answer(.records, .success(.done))) == [.showRecords])
        scene.take(.records(["10:00:00.000  event  user  event=pause", "10:00:00.001  transition  user"]))
        #expect(scene.text.contains("event=pause"))
        #expect(scene.press(.enter).contains(.readRecords))
    }

    @Test func `says so if there is no log`() {
        var scene = Scene.book()
        scene.press(.character("6"))
        #expect(!scene.text.contains("Nothing has happened yet"))
        scene.take(.records([]))
        #expect(scene.text.contains("Nothing has happened yet"))
    }
}
