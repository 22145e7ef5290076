// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import SpeechScript

/// Targets that name a sentence or paragraph of a text by its number.
///
/// All others are worked out at once; these need a way through the script, and become places before they are used.
extension MediaPlaybackController {
    /// Returns a target as a place if it is a sentence or paragraph, and any other as it is.
    func located(_ target: SeekTarget, in content: Content) async throws(PlaybackError) -> SeekTarget {
        guard case .spoken(let unit, let number) = target else { return target }
        guard let document = content.document else {
            throw PlaybackError(
                .usage, message: "\(unit.rawValue):\(number): “\(content.title)” is no text; give a time")
        }
        let start = try await document.start(of: unit, number: number, in: document.title ?? content.title)
        return .position(MediaPosition(track: 0, units: start))
    }

    /// Returns a request whose start and end are worked out in the same way.
    func located(_ request: PlayRequest, in content: Content) async throws(PlaybackError) -> PlayRequest {
        var request = request
        if case .at(let target) = request.start { request.start = .at(try await located(target, in: content)) }
        if let until = request.until { request.until = try await located(until, in: content) }
        return request
    }

    /// Works out the end that was asked for of an item that is being opened.
    func locateLimit(_ generation: UInt32, of content: Content) async throws(PlaybackError) {
        guard let limit = items[opening: content.uri].limit, case .spoken = limit else { return }
        let end = try await located(limit, in: content)
        guard generation == machine.state.generation, items[opening: content.uri].limit == limit else { return }
        items[opening: content.uri].limit = end
    }

    /// Sets the end of an item, once its place is known.
    ///
    /// What is not open yet works out the place when it is.
    func setEnd(_ until: SeekTarget, of playing: Playing) async throws(PlaybackError) {
        var end = until
        if let content = desk.media(of: playing)?.content { end = try await located(until, in: content) }
        guard machine.state.current?.item == playing.item else { return }
        items[opening: playing.item.uri].limit = end
        setLimit()
    }
}
