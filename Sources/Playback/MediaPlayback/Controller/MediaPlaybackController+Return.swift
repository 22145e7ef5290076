// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

extension MediaPlaybackController {
    /// Goes to a place in what is there; if nothing is, the last item goes on from that place.
    ///
    /// In the second case it returns when it is heard. A move counts from the place that was kept.
    public func goTo(_ target: SeekTarget) async throws(PlaybackError) {
        if machine.state.current == nil {
            await restore()
            let last = machine.state.remembered[machine.state.owner]
            if machine.state.current == nil, let kind = [ContentKind.audio, .text].first(where: { last?[$0] != nil }) {
                var wishes = LastItemWishes()
                wishes.owner = machine.state.owner
                wishes.start = target
                return try await resume(lastOf: kind, wishes)
            }
        }
        try await seek(target)
    }
}
