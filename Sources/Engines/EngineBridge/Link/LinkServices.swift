// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// The work that a link hands to other threads.
struct LinkServices {
    /// Opens a source on another thread; `EngineLink.opened` receives it, on the reactor's thread.
    var openSource: (SourceRequest, RequestedSource) -> Void
    /// Keeps the index that measuring produced, on another thread.
    var keepIndex: ([UInt8], TrackIndexKey) -> Void
    /// Takes over a process that was killed and does not exit.
    var leaveBehind: (EngineProcess) -> Void
}
