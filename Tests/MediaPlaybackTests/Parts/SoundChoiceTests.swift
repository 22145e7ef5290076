// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The sound that the user chose` {
    @Test func `before the stored choice is read stands, and the rest of that is taken over`() {
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

    @Test func `is known to be unread after a failure, which is tried only once for a sound`() {
        var choice = SoundChoice()
        choice.tried()
        #expect(choice.isTried && !choice.isRead)
    }

    @Test func `of the library is asked for again only if it could not be read`() async {
        var memory = LibraryMemory()
        var asked = 0
        func read() -> Task<Void, Never>? {
            memory.read {
                asked += 1
                return Task {}
            }
        }
        #expect(read() != nil && read() != nil && asked == 1, "one task for all who ask meanwhile")
        memory.begin()
        memory.failed(PlaceStoreError(.timedOut, "no answer"))
        memory.complete()
        memory.ended()
        #expect(memory.fault?.kind == .io)
        #expect(read() != nil && asked == 2)
        memory.begin()
        memory.complete()
        memory.ended()
        #expect(read() == nil && asked == 2 && memory.fault == nil)
    }
}
