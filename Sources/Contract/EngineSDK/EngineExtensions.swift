// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// The extension structs of an engine type: one for each extension protocol that it conforms to.
struct EngineExtensions {
    private var table: [String: UnsafeRawPointer] = [:]

    subscript(id: String) -> UnsafeRawPointer? { table[id] }

    init<E: Engine>(_: E.Type) {
        if let type = E.self as? any RateChanging.Type { table[ROSTRUM_RATE_EXTENSION] = Self.rate(type.rates) }
        if E.self is any VoiceListing.Type { table[ROSTRUM_VOICES_EXTENSION] = Self.voices() }
        if E.self is any RangeLimiting.Type { table[ROSTRUM_RANGE_EXTENSION] = Self.range() }
        if E.self is any DurationMeasuring.Type { table[ROSTRUM_MEASURE_EXTENSION] = Self.measure() }
        if E.self is any TrackIndexing.Type { table[ROSTRUM_INDEX_EXTENSION] = Self.index() }
        if E.self is any CoverReading.Type { table[ROSTRUM_COVER_EXTENSION] = Self.cover() }
        if E.self is any PassageCutting.Type { table[ROSTRUM_CUT_EXTENSION] = Self.cut() }
        if E.self is any PeakReading.Type { table[ROSTRUM_PEAKS_EXTENSION] = Self.peaks() }
    }

    /// Copies a struct for the host to memory that is never freed.
    private static func lasting<T>(_ value: T) -> UnsafeRawPointer {
        let pointer = UnsafeMutablePointer<T>.allocate(capacity: 1)
        pointer.initialize(to: value)
        return UnsafeRawPointer(pointer)
    }

    private static func rate(_ rates: ClosedRange<Double>) -> UnsafeRawPointer {
        lasting(
            rostrum_rate(
                size: UInt32(MemoryLayout<rostrum_rate>.size), reserved: 0, minimum: rates.lowerBound,
                maximum: rates.upperBound,
                set_rate: { engine, rate in
                    EngineModule.call(engine) { box throws(EngineFailure) in
                        guard let engine = box.engine as? any RateChanging else { return }
                        try engine.setRate(rate)
                    }
                }))
    }

    private static func voices() -> UnsafeRawPointer {
        lasting(
            rostrum_voices(
                size: UInt32(MemoryLayout<rostrum_voices>.size), reserved: 0,
                count: { engine in
                    var count = 0
                    _ = EngineModule.call(engine) { box throws(EngineFailure) in count = box.countVoices() }
                    return UInt32(clamping: count)
                },
                voice: { engine, index, voice in
                    guard let voice else { return ROSTRUM_ERROR_ARGUMENT }
                    return EngineModule.call(engine) { box throws(EngineFailure) in
                        try box.describe(voice: Int(index), voice)
                    }
                }))
    }

    private static func range() -> UnsafeRawPointer {
        lasting(
            rostrum_range(
                size: UInt32(MemoryLayout<rostrum_range>.size), reserved: 0,
                set_range: { engine, startTrack, start, endTrack, end, loops in
                    EngineModule.call(engine) { box throws(EngineFailure) in
                        guard let engine = box.engine as? any RangeLimiting else { return }
                        try engine.setRange(
                            PlayingRange(
                                startTrack: Int(startTrack), start: start, endTrack: Int(endTrack), end: end,
                                loops: loops != 0))
                    }
                }))
    }

    private static func index() -> UnsafeRawPointer {
        lasting(
            rostrum_index(
                size: UInt32(MemoryLayout<rostrum_index>.size), reserved: 0,
                index: { engine, track, bytes, length in
                    guard let bytes, let length else { return ROSTRUM_ERROR_ARGUMENT }
                    return EngineModule.call(engine) { box throws(EngineFailure) in
                        guard let found = try (box.engine as? any TrackIndexing)?.index(track: Int(track)) else {
                            throw EngineFailure(ROSTRUM_ERROR_NOT_FOUND, "nothing to keep of track \(track)")
                        }
                        bytes.pointee = box.keep(found)
                        length.pointee = UInt64(found.count)
                    }
                }))
    }

    private static func cover() -> UnsafeRawPointer {
        lasting(
            rostrum_cover(
                size: UInt32(MemoryLayout<rostrum_cover>.size), reserved: 0,
                cover: { engine, track, mediaType, bytes, length in
                    guard let mediaType, let bytes, let length else { return ROSTRUM_ERROR_ARGUMENT }
                    return EngineModule.call(engine) { box throws(EngineFailure) in
                        guard let cover = try (box.engine as? any CoverReading)?.cover(track: Int(track)),
                            (1...Int(ROSTRUM_COVER_LIMIT)).contains(cover.bytes.count)
                        else {
                            throw EngineFailure(ROSTRUM_ERROR_NOT_FOUND, "no picture in track \(track)")
                        }
                        mediaType.pointee = box.strings.set(.mediaType, cover.mediaType)
                        bytes.pointee = box.keep(cover.bytes)
                        length.pointee = UInt64(cover.bytes.count)
                    }
                }))
    }

    private static func cut() -> UnsafeRawPointer {
        lasting(
            rostrum_cut(
                size: UInt32(MemoryLayout<rostrum_cut>.size), reserved: 0,
                cut: { engine, order, result in
                    guard let order, let result else { return ROSTRUM_ERROR_ARGUMENT }
                    return EngineModule.call(engine) { box throws(EngineFailure) in
                        guard Int(order.pointee.size) >= MemoryLayout<rostrum_cut_order>.size,
                            let engine = box.engine as? any PassageCutting
                        else { throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no order of this revision") }
                        rostrum_cut_result.fill(result, with: try engine.cut(CutOrder(order.pointee)))
                    }
                }))
    }

    private static func peaks() -> UnsafeRawPointer {
        lasting(
            rostrum_peaks(
                size: UInt32(MemoryLayout<rostrum_peaks>.size), reserved: 0,
                peaks: { engine, track, framesPerPeak, first, peaks, capacity, count in
                    let frames = ROSTRUM_PEAKS_LEAST_FRAMES...ROSTRUM_PEAKS_MOST_FRAMES
                    guard let peaks, let count, capacity > 0, frames.contains(framesPerPeak),
                        first <= (1 << 53) / UInt64(framesPerPeak)
                    else { return ROSTRUM_ERROR_ARGUMENT }
                    count.pointee = 0
                    return EngineModule.call(engine) { box throws(EngineFailure) in
                        guard let engine = box.engine as? any PeakReading else { return }
                        let found = try engine.peaks(
                            track: Int(track), framesPerPeak: Int(framesPerPeak), first: Int64(first),
                            into: UnsafeMutableBufferPointer(start: peaks, count: Int(capacity)))
                        count.pointee = UInt32(clamping: found)
                    }
                }))
    }

    private static func measure() -> UnsafeRawPointer {
        lasting(
            rostrum_measure(
                size: UInt32(MemoryLayout<rostrum_measure>.size), reserved: 0,
                measure: { engine, track, duration in
                    guard let duration else { return ROSTRUM_ERROR_ARGUMENT }
                    return EngineModule.call(engine) { box throws(EngineFailure) in
                        guard let engine = box.engine as? any DurationMeasuring else { return }
                        duration.pointee = try engine.measure(track: Int(track))
                    }
                }))
    }
}
