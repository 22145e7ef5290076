// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SpeechScript

/// Moves within a text.
extension PlaybackService {
    /// Returns the target of a `seek`: a time, or a sentence or paragraph of the text that an owner reads.
    func target(of time: String, for owner: OwnerID?) async throws(PlaybackError) -> SeekTarget {
        switch try? TimeExpression(time, relativeAllowed: true) {
        case .sentences(let steps): .position(try await place(steps, .sentence, for: owner))
        case .paragraphs(let steps): .position(try await place(steps, .paragraph, for: owner))
        case .byte(let byte): .position(try await place(ofByte: byte, for: owner))
        default: try SeekTarget(time, relativeAllowed: true)
        }
    }

    private func place(ofByte byte: Int64, for owner: OwnerID?) async throws(PlaybackError) -> MediaPosition {
        let snapshot = await controller.snapshot(of: owner)
        guard let item = snapshot.loadedItem else {
            throw PlaybackError(
                .unavailable, message: "nothing is read, so byte \(byte) is no place; read a text first")
        }
        guard snapshot.isText else {
            throw PlaybackError(.usage, message: "“\(snapshot.media?.title ?? item.title)” is no text; give a time")
        }
        if let size = snapshot.media?.timeline.tracks.first?.duration, byte > size {
            throw PlaybackError(.noInput, message: "“\(snapshot.media?.title ?? item.title)” has only \(size) bytes")
        }
        return MediaPosition(track: 0, units: byte)
    }

    private func place(
        _ steps: Int, _ unit: SpokenUnit, for owner: OwnerID?
    ) async throws(PlaybackError) -> MediaPosition {
        let snapshot = await controller.snapshot(of: owner)
        guard let position = snapshot.position, let media = snapshot.media else {
            throw PlaybackError(.noInput, message: "nothing is read, so there is no sentence to go to")
        }
        guard let document = media.content.document else {
            throw PlaybackError(.badContent, message: "“\(media.title)” is no text; give a time")
        }
        let place: Int?
        do throws(ItemError) {
            place = try await document.read { script throws(ScriptFileError) in
                try TextSteps(script, by: unit).place(steps, from: Int(clamping: position.units))
            }
        } catch {
            throw PlaybackError(.io, message: "“\(media.title)”: \(error.message)")
        }
        guard let place else {
            throw PlaybackError(.noInput, message: "“\(media.title)” ends before that")
        }
        return MediaPosition(track: 0, units: Int64(place))
    }
}
