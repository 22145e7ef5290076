// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback

/// Requests and receives the picture in a track, which arrives in parts.
extension EngineLink {
    func cover(track: Int, _ completion: @escaping Completion) {
        ask(.cover, deadlines.cover, completion) { .cover(request: $0, track: UInt32(clamping: track)) }
    }

    func takeCover(_ request: UInt32, _ total: UInt32, _ part: [UInt8]) {
        if !requests.addPicturePart(request, total: total, part) { end(misbehaved("sent an invalid picture")) }
    }

    func takeCover(_ request: UInt32, _ mediaType: String?) {
        guard let bytes = requests.picture(request, isThere: mediaType != nil) else {
            return end(misbehaved("sent an invalid picture"))
        }
        answer(request, .success(.cover(mediaType.map { CoverPicture(mediaType: $0, bytes: bytes) })))
    }
}
