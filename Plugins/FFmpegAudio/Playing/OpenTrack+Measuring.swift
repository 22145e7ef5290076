// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

extension OpenTrack {
    /// Finds the end of the sound by decoding up to it; leaves the track there.
    ///
    /// Where positions can be relied on after a seek only the last part is decoded. After an interruption the next call goes
    /// on where this one was.
    func measure() throws(EngineFailure) -> Int64 {
        container.input.source.obeysInterrupt = true
        if let reachedEnd, isMeasured { return reachedEnd }
        if clock.canSeek, container.isSeekable, !drainsFromStart {
            for place in try placesNearEnd() {
                guard move(to: place) else { continue }
                lastEnd = 0
                try drain()
                if let end = reachedEnd, landedRaw != nil, end > 0 {
                    isMeasured = true
                    return end
                }
            }
        }
        if !drainsFromStart {
            if nextRaw.map({ $0 > rawFirst }) ?? true || isAtEnd { try reopen() }
            lastEnd = 0
            drainsFromStart = true
        }
        try drain()
        drainsFromStart = false
        isMeasured = true
        guard let reachedEnd else {
            throw EngineFailure(ROSTRUM_ERROR_EMPTY, "cannot measure “\(name)”: there is no audio in it")
        }
        return reachedEnd
    }

    private func drain() throws(EngineFailure) {
        var blocks = 0
        while try advance() {
            blocks += 1
            if blocks % 64 == 0, host.isInterrupted { throw interrupted() }
        }
    }

    /// Raw positions to decode from, the likeliest first.
    private func placesNearEnd() throws(EngineFailure) -> [Int64] {
        let margin = Int64(sampleRate) * 2
        var places: [Int64] = []
        switch clock {
        case .counted(let clock):
            try count(clock, to: .max / 4 / max(1, clock.unit))
            places.append(clock.frontier * clock.unit - margin)
        default: break
        }
        if let end = containerEnd().position { places.append(origin &+ end &- margin) }
        return places.map { max(rawFirst, $0) }
    }
}
