// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

extension MediaPlaybackController {
    /// Goes to a place in what is there, or is about to be; if nothing is, the last item goes on from that place.
    ///
    /// In the last case it returns when it is heard. A move counts from the place that was kept.
    public func goTo(_ target: SeekTarget) async throws(PlaybackError) {
        if isLeftAlone {
            await restore()
            // A `play` may have come while the library was read.
            if isLeftAlone {
                let owner = machine.state.owner
                if let last = machine.state.lastItems(of: owner).first {
                    var wishes = LastItemWishes()
                    wishes.owner = owner
                    wishes.start = target
                    return try await resume(lastOf: last.item.kind, wishes)
                }
                if let memoryFault { throw memoryFault }
            }
        }
        try await seek(target)
    }

    /// Nothing is there, and nothing is about to be.
    private var isLeftAlone: Bool { machine.state.current == nil && !isComing(nil) }
}
