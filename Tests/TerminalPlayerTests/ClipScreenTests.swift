// SPDX-License-Identifier: Apache-2.0

import RandomTestSupport
import SessionProtocol
import Testing
import TimelineGeometry

@testable import TerminalPlayer

@Suite
struct `The clip editor` {
    private static let owner = "clip-editor-7qk2m9xd"

    private func request(_ command: SessionCommand, _ request: ClipRequest = .control) -> PlayerEffect {
        .send(command, .clipScreen(request, number: 1))
    }

    private func part(_ start: String, _ end: String, loops: Bool = false, number: Int = 1) -> PlayerEffect {
        var parameters = PlayParameters()
        parameters.items = ["/books/whale.m4b"]
        (parameters.at, parameters.until, parameters.owner) = (start, end, Self.owner)
        parameters.loop = loops ? true : nil
        return request(.clip(parameters), .play(number))
    }

    private func range(_ start: String, _ end: String, loops: Bool = true) -> PlayerEffect {
        var action = ClipAction(.range)
        (action.owner, action.start, action.end, action.loop) = (Self.owner, start, end, loops ? true : nil)
        return request(.manageClips(action), .range)
    }

    private func control(_ command: SessionCommand, _ purpose: ClipRequest = .control) -> PlayerEffect {
        request(.addressed(Address(owner: Self.owner), command), purpose)
    }

    @Test func `takes audio focus when it opens, and shows the selection over half of the strip`() {
        var scene = Scene.book()
        #expect(
            scene.state.editClip("7q", now: scene.now) == [
                request(.manageClips(ClipAction(.show, ids: ["7q"])), .open)
            ])
        scene.reply(.open, .clips([Scene.clip]))
        #expect(scene.deeds == [.follow(Self.owner), request(.claim(Self.owner, isAttached: true))])
        #expect(scene.bounds == [52_000, 72_000])
        let geometry = scene.screen?.timeline.geometry
        #expect(geometry?.position == 52_000)
        #expect(geometry.map { abs($0.x(of: 72_000) - $0.x(of: 52_000) - $0.width / 2) < 1e-6 } == true)
    }

    @Test func `is none for a text, whose words are read from the list`() {
        var scene = Scene.book()
        var quote = Scene.clip
        (quote.quote, quote.file) = ("Call me\n  Ishmael.", nil)
        _ = scene.state.editClip("7q", now: scene.now)
        scene.reply(.open, .clips([quote]))
        #expect(scene.screen == nil)
        #expect(scene.state.ending.failure?.message.contains("is of a text") == true)

        var other = Scene.book()
        other.press(.character("7"))
        other.take(.answer(.clips(from: 0), .success(.clips([quote]))))
        other.press(.enter)
        #expect(other.screen == nil)
        #expect(other.deeds.last == .send(.manageClips(ClipAction(.play, ids: [quote.id])), .control))
        #expect(other.state.message?.text == "“Call me Ishmael.”")
    }

    @Test func `moves a bound by keys, and undoes quick steps at once`() {
        var scene = Scene.clip()
        scene.press(.right, .right, .right)
        #expect(scene.bounds == [52_300, 72_000])
        scene.play(.tab, .character(">"), .character("<"), .character("<"))
        #expect(scene.bounds == [52_300, 71_000])
        scene.play(.character("u"))
        #expect(scene.bounds == [52_300, 72_000])
        scene.play(.character("u"), .character("u"), .character("u"))
        #expect(scene.bounds == [52_000, 72_000])
        #expect(scene.screen?.isChanged == false)
        scene.play(.character("r"))
        #expect(scene.bounds == [52_300, 72_000])
        scene.play(.character("r"), .character("r"), .character("r"), .character("r"))
        #expect(scene.bounds == [52_300, 71_000])
    }

    @Test func `sets a bound to the playhead, and snaps to silence`() {
        var scene = Scene.clip()
        scene.play(.tab, .tab, .right, .character("["))
        #expect(scene.bounds == [52_100, 72_000])
        scene.play(.character("f"))
        #expect(scene.bounds == [56_000, 72_000])
        scene.play(.character("b"))
        #expect(scene.bounds == [51_300, 72_000])
        // No bound comes nearer to the other one than a second.
        scene.play(.end, .character("["))
        #expect(scene.bounds == [71_000, 72_000])
    }

    @Test func `saves only what was changed, gives audio focus back, and ends`() {
        var scene = Scene.clip()
        scene.play(.character(">"), .character("n"), .backspace, .character("!"), .enter)
        scene.effects = []
        scene.play(.character("s"))
        var action = ClipAction(.edit, ids: ["7qk2m9xd"])
        action.start = "track:1+53.000"
        action.note = "the sea, and why one goes ther!"
        #expect(scene.deeds == [request(.manageClips(action), .save)])
        // A second save does not send it again.
        scene.play(.character("s"))
        #expect(scene.deeds.count == 1)
        var saved = Scene.clip
        (saved.startMs, saved.durationMs) = (53_000, 19_000)
        scene.effects = []
        scene.reply(.save, .clips([saved]))
        #expect(scene.deeds == [request(.release(Self.owner)), .quit])
        #expect(scene.state.ending.farewell == "Clip 7qk2m9xd is saved: 0:53–1:12.")
    }

    @Test func `keeps the changes if they cannot be saved`() {
        var scene = Scene.clip()
        scene.play(.character(">"), .character("s"))
        scene.refuse(.save, .io, "the disk is full")
        #expect(scene.screen?.isChanged == true && scene.text.contains("the disk is full"))
        scene.effects = []
        scene.play(.character("s"))
        #expect(scene.deeds.count == 1)
    }

    @Test func `asks before changes are lost`() {
        var scene = Scene.clip()
        scene.play(.right, .escape)
        #expect(scene.text.contains("The changes are not saved"))
        scene.play(.character("x"))
        #expect(scene.screen != nil && scene.screen?.prompt == nil)
        scene.effects = []
        scene.play(.character("q"), .character("d"))
        #expect(scene.deeds == [request(.release(Self.owner)), .quit])
        // Without changes it asks nothing.
        var other = Scene.clip()
        other.play(.escape)
        #expect(other.screen == nil && other.deeds.last == .quit)
    }

    @Test func `plays the selection, and moves its bounds while it loops`() {
        var scene = Scene.clip()
        scene.play(.character("l"), .enter)
        #expect(scene.deeds == [part("track:1+52.000", "track:1+72.000", loops: true)])
        scene.take(.status(scene.clipStatus("playing", ms: 52_000)))
        scene.effects = []
        scene.play(.tab, .character("<"))
        #expect(scene.deeds == [range("track:1+52.000", "track:1+71.000")])
        scene.effects = []
        scene.play(.character("u"))
        #expect(scene.deeds == [range("track:1+52.000", "track:1+72.000")])
        scene.effects = []
        scene.play(.character("l"))
        #expect(scene.deeds == [range("track:1+52.000", "track:1+72.000", loops: false)])
    }

    @Test func `plays from the playhead, and takes the whole selection when that loops`() {
        var scene = Scene.clip()
        scene.play(.character("l"), .tab, .tab, .character(">"))
        scene.effects = []
        scene.play(.character(" "))
        #expect(scene.deeds == [part("track:1+53.000", "track:1+72.000")])
        scene.take(.status(scene.clipStatus("loading", ms: 53_000)))
        scene.effects = []
        scene.take(.status(scene.clipStatus("playing", ms: 53_000)))
        #expect(scene.deeds == [range("track:1+52.000", "track:1+72.000")])
        scene.effects = []
        scene.play(.character(" "))
        #expect(scene.deeds == [control(.pause)])
        scene.take(.status(scene.clipStatus("paused", ms: 54_000)))
        scene.effects = []
        scene.play(.character(" "))
        #expect(scene.deeds == [control(.resume)])
    }

    @Test(arguments: [
        (TerminalKey.character("1"), "track:1+52.000", "100%"),
        (.character("2"), "track:1+72.000", "100%"),
        (.character("3"), "track:1+70.000", "track:1+72.000"),
    ])
    func `plays from a handle`(key: TerminalKey, start: String, end: String) {
        var scene = Scene.clip()
        scene.play(key)
        #expect(scene.deeds == [part(start, end)])
    }

    @Test func `follows what sounds, and returns to its start at its end`() {
        var scene = Scene.clip()
        scene.play(.enter)
        scene.take(.status(scene.clipStatus("playing", ms: 52_000)))
        for _ in 0..<100 { scene.answer(scene.take(.tick, after: 33)) }
        let position = scene.screen?.timeline.geometry.position ?? 0
        #expect(abs(position - 55_300) <= 1)
        #expect(scene.state.nextChange(scene.now) == 33)
        scene.take(.status(scene.clipStatus("ended", ms: 72_000)))
        scene.take(.status(scene.clipStatus("ended", ms: 72_000)))
        #expect(scene.screen?.timeline.geometry.position == 52_000)
        #expect(scene.state.nextChange(scene.now) == nil)
    }

    @Test func `begins again with a selection that repeats, and pushes no bound with its sound`() {
        var scene = Scene.clip()
        scene.play(.character("k"), .character("l"), .enter)
        scene.take(.status(scene.clipStatus("playing", ms: 52_000)))
        for _ in 0..<1000 { scene.answer(scene.take(.tick, after: 33)) }
        // 33 s are a turn of 20 s and 13 s of the next one.
        #expect(abs((scene.screen?.timeline.geometry.position ?? 0) - 65_000) <= 2)
        #expect(scene.bounds == [52_000, 72_000])
        var other = Scene.clip()
        other.play(.character("k"), .enter)
        other.take(.status(other.clipStatus("playing", ms: 52_000)))
        for _ in 0..<620 { other.answer(other.take(.tick, after: 33)) }
        #expect(other.bounds == [52_000, 72_000])
    }

    @Test func `minds only the part that was asked for last`() {
        var scene = Scene.clip()
        scene.play(.character("l"), .enter, .enter)
        scene.refuse(.play(1), .busy, "another command came")
        scene.take(.status(scene.clipStatus("playing", ms: 52_000)))
        scene.effects = []
        scene.play(.tab, .character("<"))
        #expect(scene.deeds == [range("track:1+52.000", "track:1+71.000")])
        #expect(!scene.text.contains("another command"))
    }

    @Test func `waits for nothing more after a part was refused because the session is busy`() {
        var scene = Scene.clip()
        scene.play(.enter)
        scene.refuse(.play(1), .busy, "too many commands wait")
        #expect(scene.text.contains("too many commands wait") && scene.screen?.playback.isActive == false)
        scene.effects = []
        scene.play(.enter)
        #expect(scene.deeds == [part("track:1+52.000", "track:1+72.000", number: 2)])
    }

    @Test func `plays from where the mouse taps, outside of what plays`() {
        var scene = Scene.clip()
        scene.play(.enter)
        scene.take(.status(scene.clipStatus("playing", ms: 52_000)))
        scene.play(.character("-"), .character("-"))
        scene.effects = []
        scene.take(.press(row: 8, column: 70))
        scene.take(.lift(row: 8, column: 70), after: 50)
        guard case .send(.clip(let play), _)? = scene.deeds.last else { Issue.record("\(scene.deeds)"); return }
        let start = play.at.flatMap { $0.split(separator: "+").last }.flatMap { Double($0) } ?? 0
        #expect(start > 72 && play.until == "track:1+600.000")
    }

    @Test func `takes pasted text as one line of the note, and never as keys`() {
        var scene = Scene.clip()
        scene.take(.paste("sdq"))
        #expect(scene.screen != nil && scene.bounds == [52_000, 72_000])
        scene.play(.character("n"))
        for _ in 0..<40 { scene.press(.backspace) }
        scene.take(.paste("it\nsays \u{1}so"))
        scene.play(.enter)
        #expect(scene.screen?.draft?.note == "it says  so")
    }

    @Test func `goes on with the clip's own file if the recording turns out to be gone, and keeps the note`() {
        var scene = Scene.clip()
        scene.play(.character(">"), .character("n"), .character("!"), .enter, .enter)
        scene.effects = []
        scene.answer(scene.refuse(.play(1), .notFound, "no such file"))
        #expect(scene.bounds == [0, 20_000] && scene.text.contains("the clip's own file"))
        guard case .send(.clip(let play), _)? = scene.deeds.last else { Issue.record("\(scene.deeds)"); return }
        #expect(play.items == ["/clips/7qk2m9xd-1.m4a"] && play.until == "track:1+20.000")
        scene.play(.character(">"))
        #expect(scene.screen?.save?.note == Scene.clip.note + "!" && scene.screen?.save?.start == nil)
    }

    @Test func `plays to the end of the recording once that is known, and nothing behind it`() {
        var scene = Scene.clip()
        scene.take(.status(scene.clipStatus("paused", ms: 52_000)))
        scene.play(.character("2"))
        #expect(scene.deeds.last == part("track:1+72.000", "track:1+600.000"))
        for _ in 0..<30 { scene.play(.tab, .tab, .pageDown, .tab) }
        scene.effects = []
        scene.play(.character(" "), .character(" "))
        #expect(!scene.deeds.contains { if case .send(.clip, _) = $0 { true } else { false } })
    }

    @Test func `leaves at once without changes, and does not wait for a save that is under way`() {
        var scene = Scene.clip()
        scene.play(.character("s"))
        #expect(scene.deeds.last == .quit)
        var other = Scene.clip()
        other.play(.character(">"), .character("s"), .escape)
        #expect(other.screen == nil && other.deeds.last == .quit)
    }

    @Test func `takes no change between a save and its answer`() {
        var scene = Scene.clip()
        scene.play(.character(">"), .character("s"), .character(">"), .character("n"))
        #expect(scene.bounds == [53_000, 72_000] && scene.screen?.prompt == nil)
        // An answer to a former screen closes none.
        scene.take(.answer(.clipScreen(.save, number: 0), .success(.clips([Scene.clip]))))
        #expect(scene.screen != nil)
    }

    @Test func `undoes a drag at once, however long it takes`() {
        var scene = Scene.clip()
        scene.take(.press(row: 8, column: 78))
        scene.take(.drag(row: 8, column: 70), after: 100)
        scene.take(.drag(row: 8, column: 60), after: 5000)
        scene.take(.lift(row: 8, column: 60), after: 5000)
        #expect(scene.bounds != [52_000, 72_000])
        scene.play(.character("u"))
        #expect(scene.bounds == [52_000, 72_000])
    }

    @Test func `snaps to the chapters of its recording`() {
        var scene = Scene.clip()
        var contents = Scene.whale
        contents.chapters[1].startMs = 54_321
        scene.reply(.contents, .contents(contents))
        scene.play(.character("f"))
        #expect(scene.bounds == [54_321, 72_000])
    }

    @Test func `opens a clip across files when their lengths are known, and changes no bound by that`() {
        var clip = Scene.clip
        clip.start = .init(track: 2, units: 15_000, unitsPerSecond: 1000)
        clip.end = .init(track: 3, units: 5_000, unitsPerSecond: 1000)
        (clip.startMs, clip.durationMs) = (nil, nil)
        var scene = Scene.book()
        _ = scene.state.editClip("7q", now: scene.now)
        let asked = scene.reply(.open, .clips([clip]))
        #expect(scene.bounds == nil && scene.text.contains("One moment"))
        scene.press(.right, .character("s"))
        scene.answer(asked)
        #expect(scene.bounds == [15_000, Scene.trackMs + 5_000])
        #expect(scene.screen?.isChanged == false && scene.screen?.save == nil)
    }

    @Test func `keeps a bound at the end of a file whose length is only stated, or turns out shorter`() throws {
        for (isComplete, trackMs) in [(false, 64), (false, 71_990), (true, 71_990)] as [(Bool, Int64)] {
            var scene = Scene.book()
            let opening = scene.state.editClip("7q", now: scene.now)
            #expect(opening.count == 1)
            for case .send(.peaks(let request), .clipScreen(let wish, _)) in scene.reply(.open, .clips([Scene.clip])) {
                var info = Scene.waveform(request, trackMs: trackMs)
                info.isComplete = isComplete
                scene.reply(wish, .waveform(info))
            }
            #expect(scene.bounds == [52_000, 72_000] && scene.screen?.isChanged == false)
        }
    }

    @Test func `moves a start into the file before, once its length is known`() {
        var clip = Scene.clip
        clip.start = .init(track: 1, units: 2_000, unitsPerSecond: 1000)
        clip.end = .init(track: 1, units: 10_000, unitsPerSecond: 1000)
        (clip.startMs, clip.durationMs) = (Scene.trackMs + 2_000, 8_000)
        var scene = Scene.book()
        _ = scene.state.editClip("7q", now: scene.now)
        let asked = scene.reply(.open, .clips([clip]))
        scene.press(.character("<"), .character("<"), .character("<"))
        #expect(scene.bounds?.first == Scene.trackMs)
        scene.answer(asked)
        scene.play(.character("<"))
        #expect(scene.screen?.save?.start == "track:1+599.000")
    }

    @Test func `takes news of its own recording alone`() {
        var scene = Scene.clip()
        let other = WaveformProgress(uri: "file:///other", track: 0, progress: 0.02, isComplete: false, fault: "broken")
        scene.take(.peaks(other))
        #expect(!scene.text.contains("broken") && !scene.text.contains("2 %"))
    }

    @Test func `seeks in what plays, and plays on from elsewhere`() {
        var scene = Scene.clip()
        scene.play(.enter)
        scene.take(.status(scene.clipStatus("playing", ms: 52_000)))
        scene.effects = []
        scene.play(.tab, .tab, .character(">"))
        #expect(scene.deeds.last == control(.seek("track:1+59.000"), .seek))
        scene.reply(.seek, .done)
        // What lies outside of the part is played on its own.
        scene.play(.end)
        #expect(scene.deeds.last == part("track:1+72.000", "track:1+600.000", number: 2))
    }

    @Test func `moves with the mouse: the strip, a handle, and a tap`() {
        var scene = Scene.clip()
        let row = 8
        // The strip has 78 columns of two pixels; 20 s are half of it.
        let handle = 1 + 39 + 39
        scene.take(.press(row: row, column: handle - 1))
        scene.take(.drag(row: row, column: handle - 11), after: 100)
        scene.take(.lift(row: row, column: handle - 11), after: 100)
        #expect(scene.bounds?[0] == 52_000 && abs((scene.bounds?[1] ?? 0) - (72_000 - 5_128)) <= 2)
        scene.play(.character("u"))
        #expect(scene.bounds == [52_000, 72_000])
        // Panning moves what is under the mouse.
        let before = scene.screen?.timeline.geometry.playhead ?? 0
        scene.take(.press(row: row, column: 20))
        scene.take(.drag(row: row, column: 25), after: 500)
        scene.take(.lift(row: row, column: 25), after: 500)
        let moved = before - (scene.screen?.timeline.geometry.playhead ?? 0)
        #expect(abs(moved - 5 * 20_000 / 39.0) < 5)
        // A tap goes there.
        scene.take(.press(row: row, column: 60), after: 500)
        scene.take(.lift(row: row, column: 60), after: 50)
        for _ in 0..<10 { scene.take(.tick, after: 33) }
        let tapped = (scene.screen?.timeline.geometry.playhead ?? 0) - (before - moved)
        #expect(abs(tapped - (60 + 0.5 - 1 - 39) * 20_000 / 39) < 5)
        scene.take(.wheel(-3))
        #expect((scene.screen?.timeline.geometry.secondsPerPixel ?? 0) < 20.0 / 78)
    }

    @Test func `claims again, and keeps the changes, when another session comes`() {
        var scene = Scene.clip()
        scene.play(.right)
        scene.take(.lost("the session has ended"))
        scene.effects = []
        scene.take(.connected)
        #expect(scene.deeds.contains(.follow(Self.owner)))
        #expect(scene.deeds.contains(request(.claim(Self.owner, isAttached: true))))
        #expect(scene.bounds == [52_100, 72_000])
    }

    @Test func `says why it cannot open a clip, and ends`() {
        var scene = Scene.book()
        _ = scene.state.editClip("zz", now: scene.now)
        scene.refuse(.open, .notFound, "no clip zz")
        #expect(scene.state.ending.failure?.message == "no clip zz")
        #expect(scene.deeds.last == .quit)
    }

    @Test func `keeps the bounds of a clip whose recording is gone`() {
        var gone = Scene.clip
        gone.sourceThere = false
        var scene = Scene.clip(gone)
        #expect(scene.bounds == [0, 20_000])
        scene.play(.tab, .right, .character("["), .character("]"), .character("f"))
        #expect(scene.bounds == [0, 20_000] && scene.screen?.isChanged == false)
        scene.effects = []
        scene.play(.character("n"), .character("x"), .enter, .character("s"))
        var action = ClipAction(.edit, ids: ["7qk2m9xd"])
        action.note = Scene.clip.note + "x"
        #expect(scene.deeds == [request(.manageClips(action), .save)])
    }

    @Test func `is a viewer until e is pressed, which gives the sound back at the end`() {
        var scene = Scene.clip(Scene.clip, .viewing, endsPlayer: false)
        let viewer = "clip-viewer-7qk2m9xd"
        scene.play(.right, .character("["), .character("n"))
        #expect(scene.bounds == [52_000, 72_000] && scene.screen?.prompt == nil)
        scene.effects = []
        scene.play(.character(" "))
        #expect(scene.deeds.first == request(.claim(viewer, isAttached: true)))
        scene.take(.status(scene.clipStatus("playing", ms: 52_000, owner: viewer)))
        scene.effects = []
        scene.take(.status(scene.clipStatus("ended", ms: 72_000, owner: viewer)))
        #expect(scene.deeds == [request(.release(viewer))])
        scene.effects = []
        scene.play(.character("e"))
        #expect(scene.deeds == [.follow(Self.owner), request(.claim(Self.owner, isAttached: true))])
        scene.effects = []
        scene.play(.escape)
        #expect(scene.deeds.prefix(2) == [request(.release(Self.owner)), .follow("main")])
        #expect(scene.screen == nil)
    }

    @Test func `deletes a clip only if asked twice`() {
        var scene = Scene.clip(Scene.clip, .viewing, endsPlayer: false)
        scene.play(.character("d"), .character("n"))
        #expect(scene.deeds.isEmpty)
        scene.play(.character("d"), .character("y"))
        #expect(scene.deeds == [request(.manageClips(ClipAction(.delete, ids: ["7qk2m9xd"])), .delete)])
        scene.reply(.delete, .done)
        #expect(scene.screen == nil && scene.text.contains("is deleted"))
    }

    @Test func `leaves statuses of the book alone`() {
        var scene = Scene.clip()
        scene.take(.status(scene.clipStatus("playing", ms: 599_000, owner: "main")))
        #expect(scene.screen?.timeline.geometry.position == 52_000)
    }

    @Test func `is drawn in every size, and by ASCII alone`() {
        for rows in [1, 5, 20, 24, 50] {
            for columns in [1, 10, 60, 80, 200] {
                var scene = Scene.clip(rows: rows, columns: columns)
                scene.play(.character("?"), .escape, .character("n"))
                #expect(scene.lines.count == rows)
            }
        }
        let scene = Scene.clip(glyphs: .ascii)
        let strip = scene.lines[3..<16].joined()
        #expect(strip.allSatisfy(\.isASCII) && strip.contains("#"))
    }

    @Test(arguments: 0..<10)
    func `survives any keys, mouse and answers`(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        var scene = Scene.clip(endsPlayer: false)
        let keys: [TerminalKey] =
            "123lksnurbfed[]<>+-= pqy?x".map { .character($0) } + [
                .left, .right, .up, .down, .tab, .enter, .escape, .home, .end, .pageUp, .pageDown, .backspace,
            ]
        for _ in 0..<1000 {
            if scene.screen == nil {
                scene = Scene.clip(Scene.clip, random.next(below: 2) == 0 ? .viewing : .editing, endsPlayer: false)
            }
            let (row, column) = (Int(random.next(below: 30)), Int(random.next(below: 90)))
            var effects: [PlayerEffect]
            switch random.next(below: 20) {
            case 0..<9: effects = scene.take(.key(keys[Int(random.next(below: keys.count))]))
            case 9: effects = scene.take(.press(row: row, column: column))
            case 10, 11: effects = scene.take(.drag(row: row, column: column))
            case 12: effects = scene.take(.lift(row: row, column: column))
            case 13:
                effects = scene.take(
                    .resized(.init(rows: Int(random.next(below: 60)), columns: Int(random.next(below: 250)))))
            case 14:
                let words = ["playing", "paused", "loading", "ended", "error", "idle"]
                effects = scene.take(
                    .status(
                        scene.clipStatus(
                            words[Int(random.next(below: 6))], ms: Int64(random.next(below: 700_000)),
                            owner: scene.screen?.owner ?? "main")))
            case 15:
                effects = scene.take(
                    .peaks(WaveformProgress(uri: "x", track: 0, progress: 0.5, isComplete: false, fault: nil)))
            case 16: effects = scene.reply(.seek, .done)
            case 17: effects = scene.refuse(.play(Int(random.next(below: 4))), .unavailable, "no")
            default: effects = scene.take(.tick, after: Int64(random.next(below: 400)))
            }
            if random.next(below: 3) > 0 { scene.answer(effects) }
            if let bounds = scene.bounds {
                #expect(0 <= bounds[0] && bounds[1] - bounds[0] >= 1000 && bounds[1] <= Scene.trackMs)
            }
            if random.next(below: 10) == 0 { _ = scene.lines }
        }
    }
}
