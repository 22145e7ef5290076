// SPDX-License-Identifier: Apache-2.0

import AudioSession
import JSON
public import PlaybackCore
import TransitionRecords

/// Mono, balance, loudness and silences: the machine decides nothing by them, so they are no part of it.
extension MediaPlaybackController {
    /// The sound options that apply now.
    var sound: SoundOptions { soundChoice.overrides.applied(to: settings.sound) }

    /// Changes the sound of what is heard next, for every item from now on, also in later sessions.
    public func setSound(_ change: @Sendable (inout SoundOverrides) -> Void) async throws(PlaybackError) {
        try await command { _ async throws(PlaybackError) in
            await restoreSound()
            soundChoice.change(change)
            let (sound, text) = (sound, soundChoice.overrides.text)
            ports.log.record(
                TransitionEntry(
                    .event, cause: .user, command: log.command,
                    fields: [
                        "event": "sound", "mono": .bool(sound.isMono), "balance": .double(sound.balance),
                        "loudness": .optional(sound.loudness), "silence": .optional(sound.silence),
                    ]))
            useSound()
            do throws(PlaceStoreError) {
                // A stored choice that could not be read is not overwritten, since it contains more than this one.
                guard soundChoice.isRead else { throw PlaceStoreError(.unavailable, "the library cannot be read") }
                try await ports.store.set(.sound, to: text.isEmpty ? nil : text)
            } catch {
                throw PlaybackError(
                    .io, message: "the option holds for this session only: \(error.message)")
            }
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
        guard !soundChoice.isRead else { return }
        soundChoice.tried()
        do throws(PlaceStoreError) {
            let text = try await ports.store.setting(.sound)
            let before = sound
            soundChoice.restore(text)
            if sound != before { publish(.state) }
        } catch {
            return
        }
    }
}
