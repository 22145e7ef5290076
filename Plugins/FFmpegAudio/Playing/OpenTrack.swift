// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// One track during playback: opened, decoded and trimmed, with exact positions.
///
/// It is used on the engine's thread only.
final class OpenTrack {
    let index: Int
    let host: Host
    var container: Container
    var decoder: Decoder
    let converter = FrameConverter()
    let packet: UnsafeMutablePointer<AVPacket>

    var clock = PacketClock.decoded
    /// The sample rate of the first frame; a later one may differ.
    var sampleRate: Int32 = 0
    var channels: Int32 = 0
    /// The first packet of the file: its stamp, and the samples at its beginning that are not heard.
    var firstPacket: (stamp: Int64, skip: Int64)?
    /// The number of samples of the first frame; AAC and MP3 have as many in every frame.
    var frameLength: Int64 = 0
    var extent = TrackExtent()
    var end = TrackEnd()
    var place = DecodingPlace(atStart: true)
    /// The unit that is sought, before which nothing is heard; else 0.
    var target: Int64 = 0
    var chunk = Chunk()
    /// The receiver of what is decoded, for a track whose peaks are read; otherwise it becomes the ``chunk``.
    var mix: PeakMix?

    private(set) var description: Track
    /// Opens the container, at first and again.
    private let opening: () throws(EngineFailure) -> Container

    var name: String { container.name }

    /// Opens the session's source of a track and decodes its first audible samples.
    convenience init(index: Int, host: Host) throws(EngineFailure) {
        try self.init(index: index, host: host) { () throws(EngineFailure) in
            try Container.open(track: index, host: host)
        }
        if container.input.source is DescriptorSource, let kept = host.index(track: index).flatMap({ TrackIndex($0) }) {
            if adopt(kept) { end.noteKept() }
        }
    }

    /// Opens a container and decodes its first audible samples.
    init(
        index: Int, host: Host, opening: @escaping () throws(EngineFailure) -> Container
    ) throws(EngineFailure) {
        self.index = index
        self.host = host
        self.opening = opening
        guard let packet = av_packet_alloc() else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to open track \(index + 1)")
        }
        self.packet = packet
        do throws(EngineFailure) {
            container = try opening()
            decoder = try Decoder(container)
        } catch {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
            throw error
        }
        description = Track(
            sampleRate: 0, channels: 0, encoding: .float32, duration: nil, confidence: .unknown, unitsPerSecond: 0,
            codec: decoder.codec)
        clock = PacketClock.beforeFirstFrame(container)
        guard try advance() else { throw nothingToHear() }
        // libavformat takes an interrupted read for the end of the file and reports nothing.
        guard !host.isInterrupted else {
            throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "opening “\(container.name)” was interrupted")
        }
        description = describe()
        container.input.source.obeysInterrupt = false
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    private func nothingToHear() -> EngineFailure {
        place.hasPendingDamage
            ? EngineFailure(ROSTRUM_ERROR_CORRUPT, "cannot play “\(name)”: none of its audio can be decoded")
            : EngineFailure(ROSTRUM_ERROR_EMPTY, "cannot play “\(name)”: there is no audio in it")
    }

    /// The description of the track as currently known; an end that was reached replaces the container's claim.
    var track: Track {
        var track = description
        if let reached = end.reached {
            track.duration = reached
            track.confidence = .exact
        }
        return track
    }

    /// Opens the file again at its start.
    ///
    /// It serves sources in which no position can be sought.
    func reopen() throws(EngineFailure) {
        guard container.input.source.canReopen else {
            throw EngineFailure(
                ROSTRUM_ERROR_UNSUPPORTED, "cannot go back in “\(name)”: it is a stream, not a file")
        }
        let fresh = try opening()
        decoder = try Decoder(fresh)
        container = fresh
        if case .decoded = clock {} else { clock = PacketClock.beforeFirstFrame(fresh) }
        place = DecodingPlace(atStart: true)
        chunk = Chunk()
        sampleRate = 0
        firstPacket = nil
    }

    func resetDecoding() {
        place = DecodingPlace(atStart: false)
        chunk = Chunk()
    }

    /// Writes what comes next into a block, as long as it has one format and no holes.
    ///
    /// Returns `false` at the end of the track, where the block may still have frames.
    func fill(_ block: inout Block) throws(EngineFailure) -> Bool {
        repeat {
            if chunk.isEmpty, try !advance() { return false }
        } while chunk.move(converter.samples, to: &block)
        return true
    }
}
