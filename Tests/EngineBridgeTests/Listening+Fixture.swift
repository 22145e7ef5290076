// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PlaybackCore

/// Returns content that makes the fixture engine behave as `mode` says.
func fixture(_ mode: String = "", tracks: Int = 1, source: TrackSource = .file(path: "/dev/null")) -> Content {
    Content(
        uri: "fixture:", kind: .audio, tracks: Array(repeating: source, count: tracks), title: "fixture",
        language: mode)
}

extension PlaybackEngine {
    /// Returns the first event that `wanted` accepts; `nil` if the stream ends without one.
    func firstEvent<T: Sendable>(_ wanted: (EngineEvent) -> T?) async -> T? {
        for await event in events {
            if let found = wanted(event) { return found }
        }
        return nil
    }

    /// Returns the reason why the engine is gone; `nil` if it ended as requested.
    func fate() async -> EngineError? {
        await firstEvent { if case .gone(let error, _, _) = $0 { error } else { nil } }
    }
}

/// Returns the error that a call throws.
func failure(_ body: () async throws(EngineError) -> Void) async -> EngineError? {
    do throws(EngineError) {
        try await body()
        return nil
    } catch {
        return error
    }
}
