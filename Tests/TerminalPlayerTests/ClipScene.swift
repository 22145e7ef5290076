// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import TimelineGeometry

@testable import TerminalPlayer

extension Scene {
    /// The clip of the walk-through: 0:52 to 1:12 of a recording of ten minutes.
    static let clip = ClipInfo(
        id: "7qk2m9xd", uri: "file:///books/whale.m4b", items: ["/books/whale.m4b"], title: "The Whale",
        author: "H. Melville", chapter: "Loomings",
        start: .init(track: 0, units: 2_293_200, unitsPerSecond: 44_100),
        end: .init(track: 0, units: 3_175_200, unitsPerSecond: 44_100), startMs: 52_000, durationMs: 20_000,
        note: "the sea, and why one goes there", tags: ["sea"], createdAt: 1, changedAt: 1, sourceThere: true,
        file: .init(path: "/clips/7qk2m9xd-1.m4a", frames: 882_000, sampleRate: 44_100, encoded: false))

    static let trackMs: Int64 = 600_000

    /// Opens a clip as the session sends it, and answers what is asked about its sound.
    static func clip(
        _ clip: ClipInfo = Scene.clip, _ mode: ClipScreen.Mode = .editing, rows: Int = 24, columns: Int = 80,
        glyphs: Glyphs = .unicode, endsPlayer: Bool = true
    ) -> Scene {
        var scene = Scene.book(rows: rows, columns: columns, glyphs: glyphs)
        if endsPlayer {
            scene.answer(scene.state.editClip("7q", now: scene.now))
        } else {
            scene.answer(scene.state.openClip("7q", mode, scene.now))
        }
        scene.answer(scene.reply(.open, .clips([clip])))
        scene.effects = []
        return scene
    }

    /// Answers questions about waveforms as a session does that has made all of them; keeps the rest.
    mutating func answer(_ effects: [PlayerEffect]) {
        var open = effects
        while !open.isEmpty {
            let effect = open.removeFirst()
            guard case .send(.peaks(let request), .clipScreen(.peaks(let wish), _)) = effect else { continue }
            open += reply(.peaks(wish), .waveform(Self.waveform(request)))
        }
    }

    /// Answers a request of the screen.
    @discardableResult
    mutating func reply(_ request: ClipRequest, _ answer: Answer) -> [PlayerEffect] {
        take(.answer(.clipScreen(request, number: state.clipScreens), .success(answer)))
    }

    /// Refuses a request of the screen.
    @discardableResult
    mutating func refuse(_ request: ClipRequest, _ code: SessionError.Code, _ message: String) -> [PlayerEffect] {
        take(.answer(.clipScreen(request, number: state.clipScreens), .failure(SessionError(code, message))))
    }

    /// Presses keys, and answers what they ask for.
    mutating func play(_ keys: TerminalKey..., after ms: Int64 = 2000) {
        for key in keys {
            now += ms
            answer(take(.key(key)))
        }
    }

    /// The effects that matter to the session and the shell, without questions about sound and settings.
    var deeds: [PlayerEffect] {
        effects.filter {
            switch $0 {
            case .send(.peaks, _), .send(.settings, _), .send(.addressed(_, .contents), _): false
            default: true
            }
        }
    }

    var screen: ClipScreen? { state.clipScreen }
    var bounds: [Int64]? { screen?.timeline.selection.map { [$0.start, $0.end] } }

    /// The loudness at a time: sentences of some seconds with pauses between them.
    private static func loudness(_ ms: Int64) -> Int {
        let phase = ms % 4700
        guard phase < 3900 else { return 60 }
        let syllable = abs(Int(phase % 240) - 120)
        return 2500 + syllable * 60 + Int((ms / 240) % 7) * 1100
    }

    static func waveform(_ request: PeaksRequest, trackMs: Int64 = Scene.trackMs) -> WaveformInfo {
        let (from, to) = (request.fromMs ?? 0, request.toMs ?? trackMs)
        let step = max(1, (to - from) / Int64(request.columns))
        var bytes: [UInt8] = []
        var missing: [WaveformInfo.Missing] = []
        for column in 0..<request.columns {
            let ms = from + Int64(column) * step
            let level = UInt16(ms < trackMs ? loudness(ms) : 0)
            for number in [0 &- level, level, level / 2] {
                bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            }
            if ms >= trackMs { missing.append(.init(first: column, count: 1)) }
        }
        let first = from / 4700
        let silences = (first..<max(first, to / 4700 + 1)).map { number in
            WaveformInfo.Silence(
                startMs: number * 4700 + 3900, endMs: (number + 1) * 4700, placeMs: number * 4700 + 4300)
        }
        return WaveformInfo(
            uri: "file:///books/whale.m4b", track: request.track, sampleRate: 44_100, fromMs: from, toMs: to,
            trackMs: trackMs, framesPerPeak: 512, peaks: Data(bytes).base64EncodedString(), missing: missing,
            silences: silences, progress: 1, isComplete: true, fault: nil, file: nil)
    }

    /// A status of the clip's owner.
    func clipStatus(_ status: String, ms: Int64, owner: String = "clip-editor-7qk2m9xd", rate: Double = 1) -> Status {
        .paused.with {
            $0.owner = owner
            $0.status = status
            $0.intent = status == "playing" || status == "loading" ? "play" : "pause"
            $0.item = .init(uri: "file:///books/whale.m4b#clip", title: "The Whale", author: nil)
            $0.position.ms = ms
            $0.track = .init(index: 0, count: 1, positionMs: ms, durationMs: Scene.trackMs)
            $0.rate = rate
        }
    }
}
