// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

extension MediaPlaybackController {
    /// Seeks in the current or coming item; if there is none, the last item resumes from that place.
    ///
    /// In the last case, returns when the item is audible. A relative move counts from the saved place.
    public func goTo(_ target: SeekTarget) async throws(PlaybackError) {
        guard machine.state.current == nil, !machine.state.isComing(nil) else { return try await seek(target) }
        var options = ResumeOptions()
        options.owner = machine.state.owner
        options.start = target
        try await playLast(of: nil, options)
    }
}
