// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
public import EngineSDK

/// Writes a passage into a file of its own.
extension AudioFiles {
    /// Writes a passage, exact to the frame at both ends.
    ///
    /// Packets are copied where the format takes those of the source and states what of them is heard. Otherwise, and for
    /// a passage across files, the audio is encoded again. Rendering is not disturbed: the tracks are opened once more.
    public func cut(_ order: CutOrder) throws(EngineFailure) -> CutOutcome {
        guard (0..<trackCount).contains(order.startTrack), (0..<trackCount).contains(order.endTrack), order.start >= 0,
            (order.startTrack, order.start) < (order.endTrack, order.end)
        else {
            throw EngineFailure(
                ROSTRUM_ERROR_ARGUMENT,
                "no passage from \(order.startTrack):\(order.start) to \(order.endTrack):\(order.end)")
        }
        let sink = try CutSink(order.file, host: host)
        let track = try openForCut(order.startTrack)
        let codec = track.container.parameters.pointee.codec_id
        let format = try CutFormat(order, of: codec)
        let picture: CutPicture? =
            if let cover = order.cover { try CutPicture(descriptor: cover) } else { nil }
        if format.copied == codec, order.startTrack == order.endTrack {
            if let outcome = try copy(order, track, format, picture, sink) { return outcome }
        }
        return try encode(order, track, format, picture, try CutSink(order.file, host: host))
    }

    private func openForCut(_ index: Int) throws(EngineFailure) -> OpenTrack {
        let track = try OpenTrack(index: index, host: host)
        guard track.container.input.source.canReopen else {
            throw EngineFailure(
                ROSTRUM_ERROR_UNSUPPORTED, "cannot cut “\(track.name)”: it is a stream, not a file")
        }
        return track
    }

    /// Copies packets, or returns `nil` if that gives no exact file.
    private func copy(
        _ order: CutOrder, _ track: OpenTrack, _ format: CutFormat, _ picture: CutPicture?, _ sink: CutSink
    ) throws(EngineFailure) -> CutOutcome? {
        let reason: String
        do {
            let passage = try PacketPassage(track, start: order.start, end: order.end)
            let muxer = try CutMuxer(format, order, picture: picture, sink: sink)
            if format == .mp3 {
                try MP3Copy(passage: passage, muxer: muxer).write()
            } else {
                try PacketCopy(passage: passage, muxer: muxer).write()
            }
            guard let fault = try CutCheck(source: track, order: order, host: host).fault() else {
                return CutOutcome(
                    isEncoded: false, frames: order.end - order.start, sampleRate: Int(track.sampleRate),
                    fileExtension: format.rawValue)
            }
            reason = fault
        } catch let refusal as PacketPassage.Refusal {
            reason = refusal.reason
        } catch let failure as EngineFailure {
            // What is wrong with the media is found again, and reported, if it hinders encoding, too.
            guard (-499 ... -300).contains(failure.code) else { throw failure }
            reason = failure.message
        } catch {
            reason = "\(error)"
        }
        host.log(.info, "“\(track.name)” is encoded again to cut it: \(reason)")
        return nil
    }

    private func encode(
        _ order: CutOrder, _ track: OpenTrack, _ format: CutFormat, _ picture: CutPicture?, _ sink: CutSink
    ) throws(EngineFailure) -> CutOutcome {
        // The image of a video is drawn before its sound is written.
        let waveform = format == .mp4 ? try waveform(order, track) : StillWaveform()
        let samples = try read(order, track)
        // Nothing is written of a passage that does not exist.
        guard let first = try samples.next() else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "there is nothing to cut at \(order.start)")
        }
        let muxer = try CutMuxer(format, order, picture: picture, sink: sink)
        let encoder = try CutEncoder(format, of: track, needsGlobalHeader: muxer.needsGlobalHeader)
        try encoder.add(to: muxer)
        let video = format == .mp4 ? try StillVideo(waveform, cover: picture, to: muxer) : nil
        try muxer.begin(rate: encoder.context.pointee.sample_rate, length: estimatedLength(order, track))
        var run: PassageSamples.Run? = first
        while let next = run {
            try video?.advance(to: Double(encoder.frames) / Double(encoder.context.pointee.sample_rate))
            try encoder.encode(next)
            run = try samples.next()
        }
        try encoder.finish()
        try video?.finish()
        try muxer.finish()
        let isPCM = format == .wav && track.container.parameters.pointee.codec_id.isPCM
        return CutOutcome(
            isEncoded: !isPCM, frames: encoder.frames, sampleRate: Int(encoder.context.pointee.sample_rate),
            fileExtension: format.rawValue)
    }

    private func read(_ order: CutOrder, _ track: OpenTrack) throws(EngineFailure) -> PassageSamples {
        try PassageSamples(order, first: track) { [self] (index) throws(EngineFailure) in try openForCut(index) }
    }

    private func waveform(_ order: CutOrder, _ track: OpenTrack) throws(EngineFailure) -> StillWaveform {
        var waveform = StillWaveform()
        let samples = try read(order, track)
        while let run = try samples.next() { waveform.add(run) }
        return waveform
    }

    /// Returns the length of a passage in seconds, as far as it is known before it is read.
    private func estimatedLength(_ order: CutOrder, _ track: OpenTrack) -> Double {
        let rate = Double(track.sampleRate)
        guard order.startTrack != order.endTrack else { return Double(order.end - order.start) / rate }
        var length = Double(max(0, (track.track.duration ?? order.start) - order.start)) / rate
        for index in order.startTrack + 1...order.endTrack {
            guard let other = try? self.track(index) else { continue }
            let end = index == order.endTrack ? order.end : other.duration ?? 0
            length += Double(end) / Double(max(1, other.sampleRate))
        }
        return length
    }
}
