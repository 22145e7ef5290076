// SPDX-License-Identifier: Apache-2.0

import AudioSession
import CALSA

/// An open PCM, configured for one format.
///
/// One thread uses it at a time: the one that opens it hands it over.
final class ALSAHandle: @unchecked Sendable /* alsa-lib's handles belong to no thread; only one has it at a time */ {
    let pcm: OpaquePointer
    let format: AudioFormat
    let encoding: snd_pcm_format_t
    let bufferFrames: Int
    /// `true` for the hardware itself, whose buffer can be overwritten.
    ///
    /// Plugins claim that theirs can, but it cannot.
    let rewinds: Bool

    /// The buffer lengths, in microseconds, for hardware and for PCMs that do not rewind.
    ///
    /// What is written to the latter is heard, whatever happens.
    private static let longBuffer: UInt32 = 250_000
    private static let shortBuffer: UInt32 = 100_000

    /// Opens `name`, through the plug plugin if the hardware does not support the format itself.
    static func open(_ name: String, _ format: AudioFormat) throws(OutputError) -> ALSAHandle {
        do {
            return try ALSAHandle(name, format)
        } catch  where name.hasPrefix("hw:") && error.code == .refused {
            return try ALSAHandle("plug\(name)", format)
        }
    }

    private init(_ name: String, _ format: AudioFormat) throws(OutputError) {
        calsa_silence()
        self.format = format
        var opened: OpaquePointer?
        let result = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard result >= 0, let pcm = opened else { throw Self.failure("snd_pcm_open", result, name, isOpening: true) }
        let rewinds = snd_pcm_type(pcm) == SND_PCM_TYPE_HW
        do {
            let (encoding, frames) = try Self.configure(
                pcm, format, name, microseconds: rewinds ? Self.longBuffer : Self.shortBuffer)
            self.pcm = pcm
            self.rewinds = rewinds
            self.encoding = encoding
            bufferFrames = frames
        } catch {
            snd_pcm_close(pcm)
            throw error
        }
    }

    deinit {
        snd_pcm_close(pcm)
    }

    private static func configure(
        _ pcm: OpaquePointer, _ format: AudioFormat, _ name: String, microseconds: UInt32
    ) throws(OutputError) -> (snd_pcm_format_t, Int) {
        var hardware: OpaquePointer?
        var software: OpaquePointer?
        snd_pcm_hw_params_malloc(&hardware)
        snd_pcm_sw_params_malloc(&software)
        defer {
            snd_pcm_hw_params_free(hardware)
            snd_pcm_sw_params_free(software)
        }
        func check(_ call: String, _ result: Int32) throws(OutputError) {
            if result < 0 { throw failure(call, result, name, isOpening: false) }
        }
        try check("snd_pcm_hw_params_any", snd_pcm_hw_params_any(pcm, hardware))
        try check("snd_pcm_hw_params_set_rate_resample", snd_pcm_hw_params_set_rate_resample(pcm, hardware, 1))
        try check(
            "snd_pcm_hw_params_set_access",
            snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
        let encodings = [SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32, SND_PCM_FORMAT_S16]
        guard let encoding = encodings.first(where: { snd_pcm_hw_params_set_format(pcm, hardware, $0) >= 0 }) else {
            throw OutputError(
                .refused, source: "snd_pcm_hw_params_set_format", message: "ALSA: \(name): no known format")
        }
        try check(
            "snd_pcm_hw_params_set_channels",
            snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(clamping: format.channels)))
        try check(
            "snd_pcm_hw_params_set_rate",
            snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(clamping: format.sampleRate), 0))
        var buffer = microseconds
        var direction: Int32 = 0
        try check(
            "snd_pcm_hw_params_set_buffer_time_near",
            snd_pcm_hw_params_set_buffer_time_near(pcm, hardware, &buffer, &direction))
        var period = buffer / 4
        try check(
            "snd_pcm_hw_params_set_period_time_near",
            snd_pcm_hw_params_set_period_time_near(pcm, hardware, &period, &direction))
        try check("snd_pcm_hw_params", snd_pcm_hw_params(pcm, hardware))
        var frames: snd_pcm_uframes_t = 0
        try check("snd_pcm_hw_params_get_buffer_size", snd_pcm_hw_params_get_buffer_size(hardware, &frames))
        try check("snd_pcm_sw_params_current", snd_pcm_sw_params_current(pcm, software))
        // The stream is started explicitly, and the thread is woken when half of the buffer is empty.
        try check(
            "snd_pcm_sw_params_set_start_threshold",
            snd_pcm_sw_params_set_start_threshold(pcm, software, snd_pcm_uframes_t(Int32.max)))
        try check(
            "snd_pcm_sw_params_set_avail_min",
            snd_pcm_sw_params_set_avail_min(pcm, software, max(1, frames / 2)))
        try check("snd_pcm_sw_params", snd_pcm_sw_params(pcm, software))
        return (encoding, Int(clamping: frames))
    }

    static func failure(_ call: String, _ result: Int32, _ name: String, isOpening: Bool) -> OutputError {
        let reason = snd_strerror(result).map { String(cString: $0) } ?? "error \(result)"
        let code: OutputError.Code =
            switch -result {
            case EACCES, EPERM: .refused
            case EBUSY: .refused
            case ETIMEDOUT: .timeout
            case ENODEV where !isOpening, EBADFD where !isOpening, EIO where !isOpening: .lost
            default: isOpening ? .unavailable : .refused
            }
        return OutputError(code, source: call, message: "ALSA: \(name): \(reason)")
    }
}
