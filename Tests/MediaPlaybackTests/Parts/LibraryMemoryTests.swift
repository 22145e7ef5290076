// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `Data from the library` {
    @Test func `is read again only if reading failed`() async {
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
