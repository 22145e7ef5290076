// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The sound that the user chose` {
    @Test func `before the stored choice is read overrides it, and the rest of it is adopted`() {
        var choice = SoundChoice()
        choice.change { $0.isMono = true }
        choice.restore("mono=0 balance=0.5")
        #expect(choice.isRead)
        #expect(choice.overrides.isMono == true && choice.overrides.balance == 0.5)
    }

    @Test func `is read once`() {
        var choice = SoundChoice()
        choice.restore(nil)
        choice.restore("mono=1")
        #expect(choice.overrides.isMono == nil)
    }
}
