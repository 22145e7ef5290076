// SPDX-License-Identifier: Apache-2.0

import AudioSession
import JSON
public import PlaybackCore

/// Mono, balance, loudness and silences: the machine decides nothing by them, so they are no part of it.
extension MediaPlaybackController {
    /// The sound options that apply now.
    var sound: SoundOptions { soundWishes.applied(to: settings.sound) }

    /// Changes the sound of what is heard next, for every item from now on, also in later sessions.
    public func setSound(_ change: @Sendable (inout SoundWishes) -> Void) async throws(PlaybackError) {
        _ = nextCommand()
        let command = journal.newest.command
        await restoreSound()
        change(&soundWishes)
        let (sound, text) = (sound, soundWishes.text)
        recorder.record(
            TransitionEntry(
                .event, cause: .user, command: command,
                fields: [
                    "event": "sound", "mono": .bool(sound.isMono), "balance": .double(sound.balance),
                    "loudness": .optional(sound.loudness), "silence": .optional(sound.silence),
                ]))
        useSound()
        do throws(PlaceStoreError) {
            // A stored choice that could not be read is not overwritten, since it contains more than this one.
            guard hasReadSound else { throw PlaceStoreError(.unavailable, "the library cannot be read") }
            try await store.set(.sound, to: text.isEmpty ? nil : text)
        } catch {
            throw PlaybackError(
                code: 74, message: "the option holds for this session only: \(error.message)")
        }
    }

    /// Applies the sound options to what is heard next.
    func useSound() {
        let sound = sound
        outputInTurn { controller in try? await controller.session.set(.sound(sound)) }
        publish(.state)
    }

    /// Reads, once, the choice of an earlier session; the settings apply while it cannot be read.
    func restoreSound() async {
        guard !hasReadSound else { return }
        hasTriedSound = true
        do throws(PlaceStoreError) {
            let text = try await store.setting(.sound)
            guard !hasReadSound else { return }
            hasReadSound = true
            // A choice that was made before the stored one could be read stands.
            let before = sound
            soundWishes = SoundWishes(text: text ?? "").overridden(by: soundWishes)
            if sound != before { publish(.state) }
        } catch {
            return
        }
    }
}
