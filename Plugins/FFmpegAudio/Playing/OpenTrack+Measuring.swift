// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

extension OpenTrack {
    /// Finds the end of the audio by decoding up to it, and leaves the track there.
    ///
    /// If positions are reliable after a seek, only the last part is decoded. After an interruption the next call
    /// continues where this one stopped.
    func measure() throws(EngineFailure) -> Int64 {
        container.input.source.obeysInterrupt = true
        if let measured = end.measured { return measured }
        if clock.canSeek, container.isSeekable, !end.needsWholeFile, !isChained {
            for start in try placesNearEnd() {
                guard move(to: start) else { continue }
                end.forgetAudio()
                try drain()
                if let reached = end.reached, place.landed != nil, reached > 0 {
                    end.noteMeasured()
                    return reached
                }
            }
        }
        if !end.needsWholeFile {
            if place.next.map({ $0 > extent.first }) ?? true || place.isAtEnd { try reopen() }
            end.beginWholeFile()
        }
        try drain()
        end.noteMeasured()
        guard let reached = end.reached else {
            throw EngineFailure(ROSTRUM_ERROR_EMPTY, "cannot measure “\(name)”: there is no audio in it")
        }
        return reached
    }

    private func drain() throws(EngineFailure) {
        var blocks = 0
        while try advance() {
            blocks += 1
            if blocks % 64 == 0, host.isInterrupted { throw interrupted() }
        }
    }

    /// Returns the raw positions to decode from, the most likely first.
    private func placesNearEnd() throws(EngineFailure) -> [Int64] {
        let margin = Int64(sampleRate) * 2
        var places: [Int64] = []
        switch clock {
        case .counted(let clock):
            try count(clock, to: .max / 4 / max(1, clock.unit))
            places.append(clock.frontier * clock.unit - margin)
        default: break
        }
        if let end = containerEnd().position { places.append(extent.raw(of: end) &- margin) }
        return places.map { max(extent.first, $0) }
    }
}
