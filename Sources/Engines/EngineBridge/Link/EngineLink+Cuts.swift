// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineABI
import EngineTransport
import Glibc
import MediaPlayback

/// Requests that a passage is written into a file, and receives what became of it.
extension EngineLink {
    func cut(_ cut: ClipCut, _ completion: @escaping Completion) {
        let order = HostMessage.Cut(
            startTrack: UInt32(exactly: cut.start.track) ?? .max, start: cut.start.units,
            endTrack: UInt32(exactly: cut.end.track) ?? .max, end: cut.end.units, format: cut.format?.rawValue ?? "",
            tags: cut.tags.sorted { $0.key.rawValue < $1.key.rawValue }.map { key, value in
                WireTag(key: key.rawValue, value: value.replacing("\0", with: " "))
            },
            hasCover: cut.cover != nil)
        guard order.isPlausible else {
            let message =
                "no passage from \(cut.start.track):\(cut.start.units) to \(cut.end.track):\(cut.end.units)"
            return completion(.failure(EngineError(number: EngineNumber.usage, message: message)))
        }
        // The engine gets duplicates, which are closed once they are sent or the message is dropped.
        var descriptors: [OwnedDescriptor] = []
        for shared in [cut.file, cut.cover].compactMap(\.self) {
            let own = fcntl(shared.rawValue, F_DUPFD_CLOEXEC, 3)
            guard own >= 0 else {
                let message = "cannot hand over the file to write: \(String(cString: strerror(errno)))"
                return completion(.failure(EngineError(number: ROSTRUM_ERROR_IO, message: message)))
            }
            descriptors.append(OwnedDescriptor(owning: own))
        }
        ask(.cut, deadlines.cut, completion, descriptors: descriptors) { .cut(request: $0, order) }
    }

    func takeCut(_ request: UInt32, _ result: WireCutResult) {
        guard requests.kind(of: request) == .cut else { return end(misbehaved("cut something that was not requested")) }
        answer(
            request,
            .success(
                .cut(
                    CutResult(
                        isEncoded: result.isEncoded, frames: result.frames, sampleRate: Int(result.sampleRate),
                        fileExtension: result.fileExtension))))
    }
}
