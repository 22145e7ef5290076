// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The results of reading a whole file: where its packets lie, and how long it is.
///
/// It is written as numbers of seven bits a byte, each place as the difference to the one before: four bytes for about
/// a second of audio.
struct TrackIndex {
    private static let version: UInt8 = 1
    private static let mostPlaces = 4_000_000

    var fileSize: Int64
    var codec: Int64
    var sampleRate: Int64
    /// The duration in units of the track.
    var duration: Int64
    /// The end of the places that were counted, in units of the count; 0 if the format needs no places.
    var frontier: Int64
    var places: [CountingClock.Place]

    var encoded: [UInt8] {
        var writer = Writer()
        writer.bytes = [Self.version]
        for number in [fileSize, codec, sampleRate, duration, frontier, Int64(places.count)] { writer.put(number) }
        var last = CountingClock.Place(bytes: 0, stamp: 0, count: 0)
        for place in places {
            writer.put(place.bytes &- last.bytes)
            writer.put(place.stamp &- last.stamp)
            writer.put(place.count &- last.count)
            last = place
        }
        return writer.bytes
    }

    /// Parses an index; `nil` for bytes that are no index of this version, or an impossible one.
    init?(_ bytes: [UInt8]) {
        guard bytes.first == Self.version else { return nil }
        var reader = Reader(rest: bytes[1...])
        guard let fileSize = reader.number(), let codec = reader.number(), let sampleRate = reader.number(),
            let duration = reader.number(), let frontier = reader.number(), let count = reader.number(),
            fileSize > 0, (1000...384_000).contains(sampleRate), duration > 0, frontier >= 0,
            (0...Int64(Self.mostPlaces)).contains(count), count <= bytes.count
        else { return nil }
        self.init(
            fileSize: fileSize, codec: codec, sampleRate: sampleRate, duration: duration, frontier: frontier, places: []
        )
        places.reserveCapacity(Int(count))
        var last = CountingClock.Place(bytes: 0, stamp: 0, count: 0)
        for index in 0..<count {
            guard let bytes = reader.number(), let stamp = reader.number(), let units = reader.number() else {
                return nil
            }
            let place = CountingClock.Place(
                bytes: last.bytes &+ bytes, stamp: last.stamp &+ stamp, count: last.count &+ units)
            // Places ascend, and lie within the file and within what was counted.
            guard (0..<fileSize).contains(place.bytes), (0...frontier).contains(place.count),
                index == 0 || (place.bytes > last.bytes && place.count > last.count)
            else { return nil }
            places.append(place)
            last = place
        }
        guard reader.rest.isEmpty else { return nil }
    }

    init(
        fileSize: Int64, codec: Int64, sampleRate: Int64, duration: Int64, frontier: Int64,
        places: [CountingClock.Place]
    ) {
        self.fileSize = fileSize
        self.codec = codec
        self.sampleRate = sampleRate
        self.duration = duration
        self.frontier = frontier
        self.places = places
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func put(_ value: Int64) {
            // Zigzag encoding: small numbers of either sign become small unsigned numbers.
            var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number() -> Int64? {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = rest.popFirst() {
                guard shift < 64 else { return nil }
                value |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(value & 1) }
                shift += 7
            }
            return nil
        }
    }
}

extension OpenTrack {
    /// The index to keep once the end is known; `nil` if it is not known yet, is kept already, or the source is no
    /// file.
    var findings: TrackIndex? {
        guard let measured = end.measured, measured > 0, !end.isKept, container.input.source is DescriptorSource,
            let size = container.input.source.size
        else { return nil }
        var index = TrackIndex(
            fileSize: size, codec: Int64(container.parameters.pointee.codec_id.rawValue), sampleRate: Int64(sampleRate),
            duration: measured, frontier: 0, places: [])
        if case .counted(let clock) = clock {
            guard clock.isComplete else { return nil }
            index.frontier = clock.frontier
            index.places = clock.places
        }
        return index
    }

    /// Adopts an earlier index; returns `false` if it is about another file.
    @discardableResult
    func adopt(_ index: TrackIndex) -> Bool {
        guard index.fileSize == container.input.source.size, index.sampleRate == Int64(sampleRate),
            index.codec == Int64(container.parameters.pointee.codec_id.rawValue)
        else { return false }
        if case .counted(let clock) = clock {
            guard clock.adopt(index.places, frontier: index.frontier) else { return false }
        } else if !index.places.isEmpty {
            return false
        }
        end.adopt(index.duration)
        end.noteMeasured()
        return true
    }
}
