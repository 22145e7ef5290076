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
    /// The raw position of the first frame that the decoder returns.
    var rawFirst: Int64 = 0
    /// The raw position of the first audible sample, which is unit 0.
    var origin: Int64 = 0
    /// The end of the audio according to the container, if decoded samples may be cut off there.
    var audibleEnd: Int64?
    /// The raw positions of the padding at the end of an MP3.
    var padding: Range<Int64>?
    /// The end that decoding has reached.
    var reachedEnd: Int64?
    /// `true` if the end was measured, and not only reached by playing.
    var isMeasured = false
    /// `true` if the session already has the index.
    var isKnown = false
    /// `true` if measuring decodes the whole file and was interrupted.
    var drainsFromStart = false

    // The properties below describe the place where decoding is.
    var nextRaw: Int64?
    /// The raw position of the first frame after a move.
    var landedRaw: Int64?
    /// The distance of the last frame's time stamp from the position where the frame was due.
    var drift: Int64 = 0
    /// `true` if anything was audible since the last move.
    var hasSounded = false
    /// `true` if the whole file was decoded up to here without damage.
    var isFromStart = true
    var isDraining = false
    var isAtEnd = false
    var hasPendingDamage = false
    var dropBefore: Int64 = 0
    var lastEnd: Int64 = 0
    var chunk = Chunk()

    private(set) var description: Track

    var name: String { container.name }

    /// Opens the session's source of a track and decodes its first audible samples.
    init(index: Int, host: Host) throws(EngineFailure) {
        self.index = index
        self.host = host
        guard let packet = av_packet_alloc() else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to open track \(index + 1)")
        }
        self.packet = packet
        do throws(EngineFailure) {
            container = try Container.open(track: index, host: host)
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
        if container.input.source is DescriptorSource, let kept = host.index(track: index).flatMap({ TrackIndex($0) }) {
            isKnown = adopt(kept)
        }
        container.input.source.obeysInterrupt = false
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    private func nothingToHear() -> EngineFailure {
        hasPendingDamage
            ? EngineFailure(ROSTRUM_ERROR_CORRUPT, "cannot play “\(name)”: none of its audio can be decoded")
            : EngineFailure(ROSTRUM_ERROR_EMPTY, "cannot play “\(name)”: there is no audio in it")
    }

    /// The description of the track as currently known; an end that was reached replaces the container's claim.
    var track: Track {
        var track = description
        if let reachedEnd {
            track.duration = reachedEnd
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
        let fresh = try Container.open(track: index, host: host)
        decoder = try Decoder(fresh)
        container = fresh
        if case .decoded = clock {} else { clock = PacketClock.beforeFirstFrame(fresh) }
        resetDecoding()
        isFromStart = true
        sampleRate = 0
    }

    func resetDecoding() {
        nextRaw = nil
        landedRaw = nil
        drift = 0
        hasSounded = false
        isFromStart = false
        isDraining = false
        isAtEnd = false
        hasPendingDamage = false
        chunk = Chunk()
    }
}

/// Samples that are ready in the converter.
struct Chunk {
    /// The number of frames to skip at the converter's start.
    var offset = 0
    var frames = 0
    var position: Int64 = 0
    var sampleRate = 0
    var channels = 0
    var isDamaged = false
}
