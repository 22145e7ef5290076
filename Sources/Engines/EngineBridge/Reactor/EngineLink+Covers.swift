// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback

/// Requests and receives the picture in a track, which arrives in parts.
extension EngineLink {
    func cover(track: Int, _ completion: @escaping Completion) {
        ask(.cover, deadlines.cover, completion) { .cover(request: $0, track: UInt32(clamping: track)) }
    }

    func takeCover(_ request: UInt32, _ total: UInt32, _ part: [UInt8]) {
        guard pending[request]?.kind == .cover, let have = pending[request]?.picture, total <= Limits.cover,
            have.bytes.isEmpty || have.total == total, !part.isEmpty, have.bytes.count + part.count <= total
        else { return end(misbehaved("sent an invalid picture")) }
        pending[request]?.picture.total = total
        pending[request]?.picture.bytes += part
    }

    func takeCover(_ request: UInt32, _ mediaType: String?) {
        guard let asked = pending[request], asked.kind == .cover, asked.picture.bytes.count == asked.picture.total,
            asked.picture.bytes.isEmpty == (mediaType == nil)
        else { return end(misbehaved("sent an invalid picture")) }
        let picture = mediaType.map { CoverPicture(mediaType: $0, bytes: asked.picture.bytes) }
        answer(request, .success(.cover(picture)))
    }
}
