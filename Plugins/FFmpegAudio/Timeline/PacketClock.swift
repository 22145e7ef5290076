// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// A clock that tells which sample of the decoder's whole output a packet begins with: its raw position.
///
/// Raw positions count from the stream's own zero; the track's units begin at its first audible sample.
enum PacketClock {
    /// Time stamps count samples, or can be converted to samples without rounding.
    case timestamps(TimestampClock)
    /// Every packet of the container's complete index holds the same number of samples.
    case entries(EntryClock)
    /// Time stamps are too coarse, so packets are counted from the start of the file.
    case counted(CountingClock)
    /// Only the decoder's output, from the start of the file, is reliable.
    case decoded

    /// Stamps a packet that is about to be decoded; returns `false` if its place is not known.
    func stamp(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        switch self {
        case .counted(let clock): return clock.stamp(packet)
        case .timestamps, .entries:
            if packet.pointee.pts == CFF_NO_TIME { packet.pointee.pts = packet.pointee.dts }
            return true
        case .decoded: return true
        }
    }

    /// Returns the raw position that belongs to the stamp of a decoded frame.
    func raw(_ stamp: Int64) -> Int64? {
        guard stamp != CFF_NO_TIME else { return nil }
        switch self {
        case .timestamps(let clock): return clock.raw(stamp)
        case .entries(let clock): return clock.raw(stamp)
        case .counted(let clock): return clock.raw(stamp)
        case .decoded: return nil
        }
    }

    var canSeek: Bool {
        if case .decoded = self { return false }
        return true
    }
}

/// A time base with a whole number of ticks a sample, or of samples a tick.
struct TimestampClock {
    let timeBase: AVRational
    let rate: Int32

    /// Creates a clock; `nil` if time stamps would have to be rounded.
    init?(timeBase: AVRational, rate: Int32) {
        guard timeBase.num > 0, timeBase.den > 0, rate > 0 else { return nil }
        let ticks = Int64(timeBase.den)
        let samples = Int64(timeBase.num) * Int64(rate)
        guard ticks % samples == 0 || samples % ticks == 0 else { return nil }
        self.timeBase = timeBase
        self.rate = rate
    }

    func raw(_ stamp: Int64) -> Int64 {
        av_rescale_q(stamp, timeBase, AVRational(num: 1, den: rate))
    }

    func stamp(_ raw: Int64) -> Int64 {
        av_rescale_q_rnd(raw, AVRational(num: 1, den: rate), timeBase, AV_ROUND_DOWN)
    }
}
