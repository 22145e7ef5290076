// SPDX-License-Identifier: Apache-2.0

import AudioSession
import MediaPlayback
import PlaybackCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The choice of sound options` {
    private static func next(after rig: Rig, _ tape: Tape) -> MediaPlaybackController {
        var settings = PlaybackSettings()
        settings.sound.balance = -0.5
        return MediaPlaybackController(
            engines: FakeEngines(tape: tape), outputs: OneOutput(output: FakeOutput(tape: tape)), store: rig.store,
            resolver: FakeResolver(), log: rig.log, settings: settings)
    }

    private static func sounds(_ tape: Tape) -> [String] {
        tape.lines.filter { $0.hasPrefix("output: sound") || $0.hasPrefix("output: opened with") }
    }

    @Test func `is made during playback, and holds for every item and the next session`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.setSound { $0.isMono = true }
        try await rig.controller.setSound { $0.loudness = -18 }
        await rig.tape.wait(for: "output: sound mono loudness -18.0")
        try await rig.controller.play(Rig.request("other.m4b"))
        await rig.controller.shutDown()
        #expect(
            Self.sounds(rig.tape) == [
                "output: sound mono", "output: sound mono loudness -18.0",
                "output: opened with mono loudness -18.0",
            ])
        let tape = Tape()
        try await Self.next(after: rig, tape).play(Rig.request("book.m4b"))
        #expect(
            Self.sounds(tape) == ["output: opened with mono balance -0.5 loudness -18.0"],
            "what was not chosen is as the settings say")
    }

    @Test func `overrides the settings, until it is taken back`() async throws {
        var settings = PlaybackSettings()
        settings.sound = SoundOptions(isMono: true, loudness: -20, silence: 0.5)
        let rig = Rig(settings: settings)
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.setSound { $0.loudness = 0 }
        try await rig.controller.setSound { $0.isMono = false }
        try await rig.controller.setSound { $0.loudness = nil }
        await rig.controller.shutDown()
        #expect(
            Self.sounds(rig.tape) == [
                "output: opened with mono loudness -20.0 silence 0.5", "output: sound mono silence 0.5",
                "output: sound silence 0.5", "output: sound loudness -20.0 silence 0.5",
            ])
    }

    @Test func `holds for this session if it cannot be stored, which is reported`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.store.fail(saves: PlaceStoreError(.diskFull, "the disk is full"))
        await #expect(
            throws: PlaybackError(
                .io, message: "the option holds for this session only: the disk is full")
        ) {
            try await rig.controller.setSound { $0.silence = 0.5 }
        }
        await rig.tape.wait(for: "output: sound silence 0.5")
    }

    /// The stored choice contains more than the one option that is chosen meanwhile.
    @Test func `stands in a library that cannot be read, as does a choice made meanwhile`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.setSound { $0.loudness = -18 }
        await rig.controller.shutDown()
        let tape = Tape()
        let next = Self.next(after: rig, tape)
        rig.store.set(failsLookup: true)
        await #expect(throws: PlaybackError.self) { try await next.setSound { $0.isMono = true } }
        rig.store.set(failsLookup: false)
        try await next.play(Rig.request("book.m4b"))
        try await next.setSound { $0.silence = 0.4 }
        await tape.wait(for: "output: sound mono balance -0.5 loudness -18.0 silence 0.4")
        let kept = try await rig.store.setting(.sound)
        #expect(kept == "mono=1.0 loudness=-18.0 silence=0.4")
    }

    @Test(arguments: ["", "nonsense", "mono", "balance=7", "loudness=-99 silence=9", "silence=nan", "=1 mono=x"])
    func `is that of the settings, whatever a damaged library says`(_ text: String) async throws {
        let rig = Rig()
        try await rig.store.set(.sound, to: text)
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(Self.sounds(rig.tape).isEmpty)
    }
}
