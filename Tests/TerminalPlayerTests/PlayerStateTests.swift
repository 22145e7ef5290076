// SPDX-License-Identifier: Apache-2.0

import FakeSession
import JSON
import SessionProtocol
import Testing

@testable import TerminalPlayer

@Suite
struct `The full-screen player` {
    @Test(
        arguments: [
            (" ", .toggle), ("p", .toggle), ("x", .stop), (">", .chapter("next")), ("<", .chapter("previous")),
            ("]", .rate(1.35)), ("[", .rate(1.15)), ("-", .volume(0.95)), ("u", .undo),
        ] as [(Character, SessionCommand)])
    func `sends a command for a key, to its own owner`(key: Character, command: SessionCommand) {
        var scene = Scene.book()
        scene.press(.character(key))
        #expect(scene.commands == [command])
    }

    @Test func `says that a clip was made, or why not`() {
        var scene = Scene.book()
        #expect(scene.press(.character("c")) == [.send(.manageClips(ClipAction(.add)), .clip)])
        let clip = ClipInfo(
            id: "7qk2m9xd", uri: "file:///x", items: ["/x"], title: "T", author: nil, chapter: nil,
            start: .init(track: 0, units: 0, unitsPerSecond: 1), end: .init(track: 0, units: 20, unitsPerSecond: 1),
            startMs: 3_713_000, durationMs: 20_000, note: "", tags: [], createdAt: 1, changedAt: 1, sourceThere: true,
            file: nil)
        scene.take(.answer(.clip, .success(.clip(clip))))
        #expect(scene.state.message?.text == "Clip 7qk2m9xd is kept: 1:01:53–1:02:13.")
        scene.take(.answer(.clip, .failure(SessionError(.unavailable, "no session"))))
        #expect(scene.state.message?.text == "no session")
    }

    @Test func `adds quick presses up before the session has confirmed one`() {
        var scene = Scene.book()
        scene.type("]]-")
        scene.type("-")
        #expect(scene.commands == [.rate(1.35), .rate(1.45), .volume(0.95), .volume(0.9)])
    }

    // MARK: - Own position

    @Test func `shows a skip at once, and what the session says when it has answered`() {
        var scene = Scene.book()
        let skip = scene.press(.right)
        #expect(scene.commands == [.skip(forward: true)])
        #expect(scene.state.own.at(scene.now) == 3_753_250)
        // A status from before the skip does not take it back.
        scene.take(
            .status(
                .paused.with {
                    $0.status = "playing"; $0.position.ms = 3_724_000
                }), after: 100)
        #expect(scene.state.own.at(scene.now) == 3_753_375)
        scene.take(
            .status(
                .paused.with {
                    $0.status = "playing"; $0.position.ms = 3_748_000
                }), after: 10)
        scene.take(.answer(.seek, .success(.done)))
        #expect(scene.state.own.at(scene.now) == 3_748_000)
        guard case .send(_, .seek)? = skip.first else { return #expect(Bool(false), "\(skip)") }
    }

    @Test func `goes back to what is true if the session refuses a seek`() {
        var scene = Scene.book()
        scene.press(.right, .right)
        scene.take(.answer(.seek, .failure(SessionError(.notFound, "no such position"))))
        #expect(scene.state.own.at(scene.now) == 3_783_250)
        scene.take(.answer(.seek, .failure(SessionError(.notFound, "no such position"))))
        #expect(scene.state.own.at(scene.now) == 3_723_250)
        #expect(scene.lines.last == " no such position")
    }

    @Test(
        arguments: [
            // Position, key, where it shows.
            (3_723_250, ">", 5_400_000), (3_723_250, "<", 3_600_000), (3_602_999, "<", 1_800_000),
            (3_603_000, "<", 3_600_000), (0, "<", 0), (35_000_000, ">", 35_000_000),
        ] as [(Int64, Character, Int64)])
    func `shows the chapter that a key goes to`(position: Int64, key: Character, shown: Int64) {
        var scene = Scene.book()
        scene.take(.status(.paused.with { $0.position.ms = position }))
        scene.press(.character(key))
        #expect(scene.state.own.at(scene.now) == shown)
    }

    @Test func `follows its owner, and keeps its position while another owner has the sound`() {
        var scene = Scene.book()
        scene.take(
            .status(
                .paused.with {
                    $0.suppression = "owner"; $0.session.active = false; $0.position.ms = 3_730_000
                }))
        #expect(scene.effects.contains(.send(.status, .holder)))
        scene.take(.answer(.holder, .success(.status(.idle.with { $0.owner = "clip-viewer-1" }))))
        #expect(scene.text.contains("Held: clip-viewer-1 has the sound."))
        #expect(scene.state.own.at(scene.now + 60_000) == 3_730_000)
        scene.press(.left)
        #expect(scene.state.own.at(scene.now) == 3_700_000)
        scene.take(
            .status(
                .paused.with {
                    $0.status = "playing"; $0.position.ms = 3_700_000
                }))
        #expect(!scene.text.contains("Held"))
    }

    @Test func `adopts what another client plays`() {
        var scene = Scene.book()
        scene.take(
            .status(.paused.with { $0.item = .init(uri: "file:///b/emma.m4b", title: "Emma", author: "J. Austen") }))
        #expect(scene.text.contains("Emma"))
        #expect(scene.effects.contains(.send(.addressed(Address(owner: "main"), .contents), .contents)))
        #expect(!scene.text.contains("Loomings"), "the chapters of the other book")
    }

    @Test func `asks again when the listener comes back to its window`() {
        var scene = Scene.book()
        let effects = scene.take(.focused)
        #expect(effects.first == .send(.addressed(Address(owner: "main"), .status), .status))
        scene.take(.answer(.status, .success(.status(.paused.with { $0.position.ms = 4_000_000 }))))
        #expect(scene.state.own.at(scene.now) == 4_000_000)
    }

    // MARK: - Time

    @Test(
        arguments: [
            // Status, speed, position, and the ms until something changes.
            ("playing", 1.0, 3_723_250, 750), ("playing", 2.0, 3_723_250, 375), ("playing", 1.0, 3_723_990, 100),
            ("paused", 1.0, 3_723_250, nil), ("loading", 1.0, 3_723_250, nil), ("playing", 1.0, 36_000_000, nil),
        ] as [(String, Double, Int64, Int64?)])
    func `wakes up for the next second, and not at all while nothing moves`(
        status: String, rate: Double, position: Int64, wait: Int64?
    ) {
        var scene = Scene.book()
        scene.take(
            .status(
                .paused.with {
                    $0.status = status; $0.rate = rate; $0.position.ms = position
                }))
        #expect(scene.state.nextChange(scene.now) == wait)
    }

    @Test func `stops its clock when the session is gone, and keeps what it showed`() {
        var scene = Scene.book()
        scene.take(.lost("the session has ended"), after: 1000)
        #expect(scene.state.nextChange(scene.now) == nil)
        #expect(scene.state.own.at(scene.now + 9_000_000) == 3_724_500)
        #expect(scene.lines.last == " the session has ended")
        #expect(scene.text.contains("The Whale"))
    }

    // MARK: - The next book

    private func ended(playsNext: Bool) -> Scene {
        var scene = Scene.book()
        if playsNext {
            let entry = SettingsList.Entry(
                name: "playNext", value: true, default: false, values: "true or false", meaning: "", effect: "live")
            scene.take(.answer(.settings, .success(.settings(SettingsList(path: "/s", settings: [entry], fault: nil)))))
        }
        scene.take(
            .status(
                .paused.with {
                    $0.status = "ended"; $0.position.ms = 36_000_000
                }))
        #expect(scene.effects.contains(.send(.library(LibraryAction(.next, id: "file:///books/whale.m4b")), .next)))
        scene.take(.answer(.next, .success(.books([Scene.shelf[1]]))))
        scene.effects = []
        return scene
    }

    @Test func `offers the next book at the end of one`() {
        var scene = ended(playsNext: false)
        #expect(scene.text.contains("Next: Middlemarch. Enter or n plays it, Escape does not."))
        #expect(scene.state.nextChange(scene.now) == nil)
        scene.press(.enter)
        guard case .play(let play)? = scene.commands.first else { return #expect(Bool(false), "\(scene.commands)") }
        #expect(play.items == ["library:b2"] && play.owner == "main")
    }

    @Test func `forgets the next book when the listener does not want it`() {
        var scene = ended(playsNext: true)
        scene.press(.escape)
        #expect(!scene.text.contains("Next:"))
        let later = scene.take(.tick, after: 20_000)
        #expect(later.isEmpty)
    }

    @Test func `asks for the next book after 15 s if a setting says so, and only if nothing sounds`() {
        var scene = ended(playsNext: true)
        #expect(scene.text.contains("starts in 15 s"))
        let early = scene.take(.tick, after: 14_999)
        #expect(early.isEmpty)
        let due = scene.take(.tick, after: 1)
        guard case .send(.play(let play), .start)? = due.first else { return #expect(Bool(false), "\(due)") }
        #expect(play.items == ["library:b2"] && play.ifSilent == true)
        scene.take(.answer(.start, .failure(SessionError(.busy, "not silent"))))
        #expect(scene.text.contains("Next: Middlemarch"), "it is still offered")
        let later = scene.take(.tick, after: 60_000)
        #expect(later.isEmpty)
    }

    // MARK: - Keys and pointer

    @Test func `goes to a chapter of the list with Enter and with the mouse`() {
        var scene = Scene.book()
        scene.press(.down, .enter)
        #expect(scene.commands == [.seek("5400.000")])
        let row = scene.lines.lastIndex { $0.contains("The Counterpane") } ?? 0
        scene.take(.press(row: row, column: 10))
        #expect(scene.commands.count == 2)
    }

    @Test func `goes to where the mouse presses the bar of the book`() {
        var scene = Scene.book()
        let row = scene.lines.lastIndex { $0.contains("1:02:03") } ?? 0
        scene.take(.press(row: row, column: 2))
        #expect(scene.commands == [.seek("0.000")])
    }

    @Test(
        arguments: [
            ("1:02:00", SessionCommand.seek("1:02:00"), 3_720_000), ("+90", .seek("+90"), 3_813_250),
            ("50%", .seek("50%"), 18_000_000), ("ch:2", .seek("1800.000"), 1_800_000),
            ("nonsense", .seek("nonsense"), 3_723_250),
            ("99:00:00", .seek("99:00:00"), 36_000_000),
        ] as [(String, SessionCommand, Int64)])
    func `goes to a time that is typed, and shows it at once`(text: String, command: SessionCommand, shown: Int64) {
        var scene = Scene.book()
        scene.type("gx")
        scene.press(.backspace)
        scene.type(text)
        scene.press(.enter)
        #expect(scene.commands == [command])
        #expect(scene.state.own.at(scene.now) == shown)
    }

    @Test func `keeps what a session unloads as it leaves`() {
        var scene = Scene.book()
        scene.take(.status(.idle), after: 1000)
        #expect(scene.text.contains("Nothing is loaded"))
        scene.take(.lost("the session has ended"), after: 500)
        #expect(scene.text.contains("The Whale"))
        #expect(scene.state.own.at(scene.now + 60_000) == 3_724_500)
    }

    @Test func `lets the keys of the listener come before those of lists`() {
        var scene = Scene.book()
        let entry = SettingsList.Entry(
            name: "keys", value: .array([.string("louder=up"), .string("pause=enter")]), default: .array([]),
            values: "",
            meaning: "", effect: "live")
        scene.take(.answer(.settings, .success(.settings(SettingsList(path: "/s", settings: [entry], fault: nil)))))
        scene.take(.status(.paused.with { $0.volume = 0.5 }))
        scene.press(.up, .enter)
        #expect(scene.commands == [.volume(0.55), .toggle])
    }

    @Test(
        arguments: [
            ("routeLost", true, "the sound server is gone"),
            ("routeLost", nil, "the headphones or the device went away"),
            ("sleep", nil, "the sleep timer has ended"),
            ("interruption", nil, "a call or another program has the sound"),
        ] as [(String, Bool?, String)])
    func `says why the sound is held`(suppression: String, lost: Bool?, words: String) {
        var scene = Scene.book()
        scene.take(
            .status(
                .paused.with {
                    $0.intent = "play"; $0.suppression = suppression; $0.session.lost = lost
                }))
        #expect(scene.text.contains("Held: " + words))
    }

    @Test func `steers the big mode with arrows and Enter alone`() {
        var scene = Scene.book(isBig: true)
        scene.press(.enter, .right, .enter, .left, .left, .enter, .up)
        #expect(scene.commands == [.toggle, .skip(forward: true), .skip(forward: false), .volume(1)])
        scene.press(.right, .right, .right, .right, .right, .enter)
        #expect(scene.state.sofa?.shelf == .books)
        scene.effects = []
        scene.press(.down, .enter)
        guard case .play(let play)? = scene.commands.first else { return #expect(Bool(false), "\(scene.commands)") }
        #expect(play.items == ["library:a1"])
        #expect(scene.state.sofa?.shelf == .controls)
    }

    @Test func `sets the sleep timer from a list`() {
        var scene = Scene.book()
        scene.press(.character("s"), .down, .enter)
        #expect(scene.commands == [.sleep("30")])
    }

    @Test func `does nothing to another book than the one on the screen`() {
        var scene = Scene.book()
        scene.press(.right, .character(">"), .enter)
        scene.type("g1:00")
        scene.press(.enter)
        let items = scene.effects.compactMap { effect -> String?? in
            guard case .send(.addressed(let address, _), .seek) = effect else { return nil }
            return address.item
        }
        #expect(items == Array(repeating: "file:///books/whale.m4b", count: 4))
    }

    @Test func `starts no book whose countdown ran out while nobody saw it`() {
        var scene = ended(playsNext: true)
        let late = scene.take(.tick, after: 18_000)
        #expect(late.isEmpty)
        #expect(scene.text.contains("Next: Middlemarch. "))
    }

    @Test func `drops a time that was being typed for another book`() {
        var scene = Scene.book()
        scene.type("g50:00")
        scene.take(.status(.paused.with { $0.item = .init(uri: "file:///b/emma.m4b", title: "Emma", author: nil) }))
        // The rest of what is being typed goes to the box, and to no page.
        scene.type("2")
        #expect(scene.state.page == .now)
        scene.press(.enter)
        #expect(!scene.commands.contains(.seek("50:00")) && scene.commands.last == .seek("2"))
    }

    @Test func `moves what is coming after a session has ended`() {
        var scene = Scene.book()
        scene.take(.lost("the session has ended"))
        let skip = scene.press(.right)
        #expect(skip.first == .send(.addressed(Address(owner: "main"), .skip(forward: true)), .seek))
    }

    @Test func `forgets what was wanted of another book`() {
        var scene = Scene.book()
        scene.press(.right)
        scene.take(
            .status(
                .paused.with {
                    $0.item = .init(uri: "file:///b/emma.m4b", title: "Emma", author: nil)
                    $0.position.ms = 5000
                }))
        #expect(scene.state.own.at(scene.now) == 5000)
        scene.take(.answer(.seek, .success(.done)))
        #expect(scene.state.own.at(scene.now) == 5000)
    }

    @Test func `does not start the next book of one that had ended before it looked`() {
        var scene = Scene()
        let entry = SettingsList.Entry(
            name: "playNext", value: true, default: false, values: "true or false", meaning: "", effect: "live")
        scene.take(.answer(.settings, .success(.settings(SettingsList(path: "/s", settings: [entry], fault: nil)))))
        scene.take(
            .status(
                .paused.with {
                    $0.status = "ended"; $0.position.ms = 36_000_000
                }))
        scene.take(.answer(.next, .success(.books([Scene.shelf[1]]))))
        #expect(scene.text.contains("Next: Middlemarch. "))
        let later = scene.take(.tick, after: 60_000)
        #expect(later.isEmpty)
    }

    @Test func `goes to the selected chapter with Enter also while a next book is offered`() {
        var scene = ended(playsNext: false)
        scene.press(.up, .enter)
        #expect(scene.commands == [.seek("1800.000")])
    }

    @Test func `refuses the next book with Escape in big mode, too`() {
        var scene = ended(playsNext: true)
        scene.press(.character("b"), .escape)
        #expect(scene.state.next == nil && scene.state.sofa != nil)
        scene.press(.character("b"))
        #expect(scene.state.sofa == nil)
    }

    @Test func `lets no press through a box`() {
        var scene = Scene.book()
        scene.press(.character("?"))
        for row in 0..<24 {
            var pressed = scene
            pressed.take(.press(row: row, column: 20))
            #expect(pressed.commands.isEmpty && pressed.state.overlay == nil, "row \(row)")
        }
    }

    @Test func `goes to chapters with any start that a session may say`() {
        var scene = Scene.book()
        var contents = Scene.whale
        contents.chapters[3].startMs = -1999
        scene.take(.answer(.contents, .success(.contents(contents))))
        scene.press(.down, .enter)
        #expect(scene.commands == [.seek("0.000")])
    }

    @Test func `lists the library once at a time`() {
        var scene = Scene.book()
        scene.press(.character("2"), .character("1"), .character("2"))
        let lists = scene.effects.filter { $0 == .send(.library(LibraryAction(.list)), .books) }
        #expect(lists.count == 1)
    }

    @Test func `fits any small terminal`() {
        for rows in 1...20 {
            for columns in [1, 2, 3, 9, 15, 40, 59, 60, 61] {
                for page in PlayerState.Page.allCases {
                    var scene = Scene.book(rows: rows, columns: columns)
                    scene.state.page = page
                    let lines = scene.lines
                    #expect(lines.count == rows && lines.allSatisfy { $0.columns <= columns })
                }
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 10), (10, 20), (24, 79), (5, 300), (200, 10), (0, -5), (100_000, 100_000)])
    func `fits any terminal`(rows: Int, columns: Int) {
        for page in PlayerState.Page.allCases {
            for overlay in [nil, .help, .sleep(Selection()), .go("1"), .delete(id: "x", name: "A long essay")]
                as [PlayerState.Overlay?]
            {
                for isBig in [false, true] where rows < 1000 || overlay == nil && page == .now {
                    var scene = Scene.book(rows: rows, columns: columns, isBig: isBig)
                    scene.state.page = page
                    scene.state.overlay = overlay
                    let lines = scene.lines
                    #expect(lines.count == min(max(rows, 1), 1000))
                    #expect(lines.allSatisfy { $0.columns <= min(max(columns, 1), 2000) })
                }
            }
        }
    }

    @Test func `takes any numbers that a session may send`() {
        let extremes: [Int64] = [.min, -1, 0, 1, .max]
        for position in extremes {
            for end in extremes {
                var scene = Scene.book()
                scene.take(
                    .status(
                        .paused.with {
                            $0.status = "playing"
                            $0.position.ms = position
                            $0.duration.ms = end
                            $0.chapter = .init(index: .max, count: .min, title: nil, startMs: end, endMs: position)
                            $0.text = .init(offset: position, length: end)
                            $0.sleep = .init(remainingMs: position)
                        }), after: 1000)
                for key in [TerminalKey.left, .right, .character(">"), .down, .enter] { scene.press(key) }
                for page in PlayerState.Page.allCases {
                    scene.state.page = page
                    #expect(scene.lines.count == 24)
                }
                _ = scene.state.nextChange(scene.now)
            }
        }
    }
}
