// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MediaPlayback
import PeakFiles
import SessionProtocol

extension PeaksRequest {
    /// Returns the wish in frames of a track with this rate.
    func wish(rate: Int) -> PeakJob.Wish {
        func frames(_ ms: Int64) -> Int64 { ms * Int64(rate) / 1000 }
        let range: Range<Int64>? =
            fromMs == nil && toMs == nil
            ? nil : frames(fromMs ?? 0)..<max(frames(fromMs ?? 0) + 1, toMs.map(frames) ?? .max)
        return PeakJob.Wish(range: range, columns: columns, playhead: atMs.map(frames))
    }
}

extension WaveformInfo {
    /// Creates the answer to a request.
    init(_ answer: PeakJob.Answer, _ request: PeaksRequest, _ content: Content, file: String?) {
        let rate = Int64(answer.sampleRate)
        func ms(_ frames: Int64) -> Int64 { frames / rate * 1000 + frames % rate * 1000 / rate }
        var bytes: [UInt8] = []
        var missing: [Missing] = []
        for (column, peak) in answer.columns.enumerated() {
            let known = peak ?? Peak(minimum: 0, maximum: 0, rms: 0)
            for number in [UInt16(bitPattern: known.minimum), UInt16(bitPattern: known.maximum), known.rms] {
                bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            }
            guard peak == nil else { continue }
            if let last = missing.last, last.first + last.count == column {
                missing[missing.count - 1].count += 1
            } else {
                missing.append(Missing(first: column, count: 1))
            }
        }
        self.init(
            uri: content.uri, track: request.track, sampleRate: answer.sampleRate, fromMs: ms(answer.range.lowerBound),
            toMs: ms(answer.range.upperBound), trackMs: ms(answer.length), framesPerPeak: answer.framesPerPeak,
            peaks: Data(bytes).base64EncodedString(), missing: missing,
            silences: answer.silences.map {
                Silence(startMs: ms($0.start), endMs: ms($0.end), placeMs: ms($0.place))
            },
            progress: answer.progress.share, isComplete: answer.progress.isComplete, fault: answer.progress.fault,
            file: file)
    }
}
