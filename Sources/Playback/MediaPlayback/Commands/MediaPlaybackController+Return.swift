// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

extension MediaPlaybackController {
    /// Seeks in the current or coming item; if there is none, the last item resumes from that place.
    ///
    /// In the last case, returns when the item is audible. A relative move counts from the saved place.
    public func goTo(_ target: SeekTarget) async throws(PlaybackError) {
        if isLeftAlone {
            await restore()
            // A `play` may have arrived while the library was read.
            if isLeftAlone {
                let owner = machine.state.owner
                if let last = machine.state.lastItems(of: owner).first {
                    var options = ResumeOptions()
                    options.owner = owner
                    options.start = target
                    return try await resume(lastOf: last.item.kind, options)
                }
                if let fault = memory.fault { throw fault }
            }
        }
        try await seek(target)
    }

    /// `true` if there is no item, and none is coming.
    private var isLeftAlone: Bool { machine.state.current == nil && !machine.state.isComing(nil) }
}
