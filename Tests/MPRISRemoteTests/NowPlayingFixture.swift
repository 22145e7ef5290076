// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

@testable import MPRISRemote

extension NowPlaying {
    /// A book of 30 minutes with three chapters of ten, at a position in milliseconds.
    static func book(
        at position: Double = 0, status: String = "playing", chapters count: Int = 3, durationMs: Int64? = 1_800_000,
        title: String? = "The Lamp", author: String? = "A. Writer", uri: String = "/books/The Lamp.m4b"
    ) -> NowPlaying {
        let chapters = (0..<count).map { index in
            NowPlaying.Chapter(
                title: index == 1 ? nil : "Part \(index + 1)", startMs: Int64(index) * 600_000,
                endMs: Int64(index + 1) * 600_000)
        }
        let index = min(Int(position / 600_000), count - 1)
        return NowPlaying(
            status: Status(
                status: status, intent: status == "playing" ? "play" : "pause", suppression: nil, engine: "ffmpeg",
                owner: "main", item: Status.Item(uri: uri, title: title, author: author),
                position: Status.Position(ms: Int64(position), provenance: "heard"),
                duration: Status.Duration(ms: durationMs, confidence: "exact"), track: nil,
                chapter: count == 0
                    ? nil
                    : Status.Chapter(
                        index: index, count: count, title: chapters[index].title, startMs: chapters[index].startMs,
                        endMs: chapters[index].endMs),
                text: nil, rate: 1.5, volume: 0.8, sleep: nil,
                session: Status.Session(active: true, output: "pulse", route: nil), error: nil),
            chapters: chapters, cover: "/covers/a b.jpg", position: { position })
    }

    /// Nothing at all.
    static func nothing(canResume: Bool = false) -> NowPlaying {
        NowPlaying(
            status: Status(
                status: "idle", intent: "stop", suppression: nil, engine: nil, owner: "main", item: nil,
                position: Status.Position(ms: nil, provenance: "unknown"),
                duration: Status.Duration(ms: nil, confidence: "unknown"), track: nil, chapter: nil, text: nil, rate: 1,
                volume: 1, sleep: nil, session: Status.Session(active: false, output: nil, route: nil), error: nil),
            canResume: canResume, position: { nil })
    }
}

extension RemotePreferences {
    static func by(_ timeline: Timeline, _ buttons: Buttons = .skip) -> RemotePreferences {
        var preferences = RemotePreferences()
        preferences.timeline = timeline
        preferences.buttons = buttons
        return preferences
    }
}
