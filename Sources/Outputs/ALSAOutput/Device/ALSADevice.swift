// SPDX-License-Identifier: Apache-2.0

import AudioSession
import CALSA
import Clocks

/// A device that writes a stream to a PCM.
///
/// It is used on the output's thread.
///
/// Frames for which the PCM has no space yet are staged here, where they can still be replaced.
final class ALSADevice: StreamDevice {
    let format: AudioFormat
    private let handle: ALSAHandle
    private let name: String
    private var pcm: OpaquePointer { handle.pcm }
    /// The frame behind the last one handed to the PCM; the frames from there up to `written` are staged.
    private var handed: Int64 = 0
    private var written: Int64 = 0
    private let stage: SampleBuffer
    private let converted: UnsafeMutableRawPointer
    private var isRunning = false
    private var lastHeard: Int64 = -1
    /// The time when the PCM last started, and what was heard until then: no device is much faster than its clock.
    private var beginning: (time: Int64, heard: Int64) = (0, 0)

    private static let convertedFrames = 2_048
    /// The time that a PCM may be ahead of our clock, in milliseconds.
    private static let tolerance = 5.0

    init(_ name: String, _ handle: ALSAHandle) {
        self.name = name
        self.handle = handle
        format = handle.format
        stage = SampleBuffer(
            frames: format.frames(milliseconds: 1_000) + handle.bufferFrames, channels: format.channels)
        converted = .allocate(byteCount: Self.convertedFrames * format.channels * 4, alignment: 8)
    }

    deinit {
        snd_pcm_drop(pcm)
        converted.deallocate()
    }

    private func failure(_ call: String, _ result: Int) -> OutputError {
        ALSAHandle.failure(call, Int32(clamping: result), name, isOpening: false)
    }

    // MARK: StreamDevice

    var flows: Bool { isRunning }

    func replaceable() throws(OutputError) -> Int64 {
        guard isRunning, handle.rewinds else { return handed }
        let rewindable = snd_pcm_rewindable(pcm)
        // The hardware may be fetching the next frames at this moment.
        let safe = Int64(format.frames(milliseconds: 10))
        return handed - max(0, Int64(rewindable) - safe)
    }

    func heard(at now: Int64) -> Int64 {
        guard isRunning else { return lastHeard }
        var delay: snd_pcm_sframes_t = 0
        // After an underrun nothing is on its way any more, whatever a plugin reports.
        let isOn = snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING && snd_pcm_delay(pcm, &delay) >= 0
        let frame = isOn || handed == 0 ? handed - Int64(max(0, delay)) : handed
        // Some plugins report no delay at all for a moment after they started.
        let seconds = Double(max(0, now - beginning.time)) / 1e9 * 1.001 + Self.tolerance / 1000
        let possible = beginning.heard + Int64(seconds * Double(format.sampleRate))
        lastHeard = max(lastHeard, min(frame, handed, possible))
        return lastHeard
    }

    func write(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) throws(OutputError) {
        if frame < handed {
            let back = snd_pcm_rewind(pcm, snd_pcm_uframes_t(handed - frame))
            // What could not be taken back is heard, and its replacement follows it.
            if back > 0 { handed -= Int64(back) }
        }
        written = frame
        for index in 0..<frames {
            let place = Int((frame + Int64(index)) % Int64(stage.frames)) * format.channels
            (stage.samples + place).update(from: samples + index * format.channels, count: format.channels)
        }
        written += Int64(frames)
        try hand()
    }

    /// Hands over as many frames as the PCM has space for.
    private func hand() throws(OutputError) {
        while handed < written {
            let available = snd_pcm_avail_update(pcm)
            if available < 0 {
                try recover(Int(available))
                continue
            }
            if available == 0 { return }
            let offset = Int(handed % Int64(stage.frames))
            let run = min(Int(written - handed), stage.frames - offset, Self.convertedFrames, Int(available))
            let result = writeOnce(stage.samples + offset * format.channels, run)
            if result == -Int(EAGAIN) { return }
            if result < 0 {
                try recover(result)
                continue
            }
            if result == 0 { return }
            handed += Int64(result)
            if isRunning { try begin() }
        }
    }

    private func writeOnce(_ samples: UnsafePointer<Float>, _ frames: Int) -> Int {
        let count = frames * format.channels
        switch handle.encoding {
        case SND_PCM_FORMAT_S32:
            let target = converted.assumingMemoryBound(to: Int32.self)
            for index in 0..<count {
                target[index] = Int32(clamping: SampleBounds.integer(samples[index], fullScale: 2_147_483_648))
            }
        case SND_PCM_FORMAT_S16:
            let target = converted.assumingMemoryBound(to: Int16.self)
            for index in 0..<count {
                target[index] = Int16(clamping: SampleBounds.integer(samples[index], fullScale: 32_768))
            }
        default: return snd_pcm_writei(pcm, samples, snd_pcm_uframes_t(frames))
        }
        return snd_pcm_writei(pcm, converted, snd_pcm_uframes_t(frames))
    }

    /// Recovers from an underrun or a suspend, and continues where it was, without skipping.
    private func recover(_ result: Int) throws(OutputError) {
        switch -result {
        case Int(EPIPE): break
        case Int(ESTRPIPE):
            let resumed = snd_pcm_resume(pcm)
            if resumed == 0 || resumed == -EAGAIN { return }
        default: throw failure("snd_pcm_writei", result)
        }
        let prepared = snd_pcm_prepare(pcm)
        if prepared < 0 { throw failure("snd_pcm_prepare", Int(prepared)) }
    }

    private func begin() throws(OutputError) {
        guard snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED else { return }
        let result = snd_pcm_start(pcm)
        if result < 0 { throw failure("snd_pcm_start", Int(result)) }
        beginning = (MonotonicTime.now(), max(lastHeard, 0))
    }

    func push() {}

    func wanted(at now: Int64) -> Int {
        guard isRunning else { return max(0, handle.bufferFrames - Int(written - handed)) }
        let available = snd_pcm_avail_update(pcm)
        // After an underrun the whole buffer is free.
        let room = available < 0 ? handle.bufferFrames : Int(available)
        let staged = Int(written - handed)
        return room >= handle.bufferFrames / 3 ? max(0, room - staged) : 0
    }

    func wantsAgain(at now: Int64) -> Int64? {
        // File descriptors are not used for this: a plugin's stay ready while it has no space. A third is a block of a
        // sound server.
        let spare = Double(handed - lastHeard) - Double(handle.bufferFrames) * 2 / 3
        return now + Int64(max(0.005, spare / Double(format.sampleRate)) * 1e9)
    }

    func start() throws(OutputError) {
        isRunning = true
        try hand()
        if handed > 0 { try begin() }
    }

    func stop() throws(OutputError) {
        guard isRunning else { return }
        let heard = heard(at: MonotonicTime.now())
        isRunning = false
        snd_pcm_drop(pcm)
        snd_pcm_prepare(pcm)
        // What was dropped was silence, or will be written again.
        handed = max(heard, 0)
        written = handed
    }

    /// Hands over frames that were staged for lack of space.
    func proceed() throws(OutputError) {
        if isRunning { try hand() }
    }
}
