// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport
import MediaPlayback
import PlaybackCore

/// Requests and receives peaks, each request with one answer.
extension EngineLink {
    func peaks(track: Int, framesPerPeak: Int, first: Int64, count: Int, _ completion: @escaping Completion) {
        guard let frames = UInt32(exactly: framesPerPeak), Limits.framesPerPeak.contains(frames),
            (0...Limits.units / Int64(framesPerPeak)).contains(first), (1...Int(Limits.peaks)).contains(count)
        else {
            let message = "no \(count) peaks of \(framesPerPeak) frames from number \(first) on"
            return completion(.failure(EngineError(number: ROSTRUM_ERROR_ARGUMENT, message: message)))
        }
        let number = ask(.peaks, deadlines.peaks, completion) {
            .peaks(
                request: $0, track: UInt32(clamping: track), framesPerPeak: frames, first: UInt64(first),
                count: UInt32(count))
        }
        if let number { requests.expectPeaks(number, count: count) }
    }

    func takePeaks(_ request: UInt32, _ peaks: [WirePeak]) {
        guard requests.allowPeaks(request, count: peaks.count) else { return end(misbehaved("sent invalid peaks")) }
        answer(
            request,
            .success(.peaks(peaks.map { Peak(minimum: $0.minimum, maximum: $0.maximum, rms: $0.rms) })))
    }
}
