// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PeakFiles

/// Peaks that differ at every place, and what must become of them.
enum PeakMaterial {
    static let segment = PeakLevels.segment

    static func peak(_ number: Int) -> Peak {
        let height = number &* 7919 % 20_000
        return Peak(
            minimum: Int16(-height), maximum: Int16(min(height + number % 90, 32_767)), rms: UInt16(height / 2))
    }

    static func peaks(_ range: Range<Int>) -> [Peak] { range.map(peak) }

    /// The peaks of a segment of a track of `count` peaks.
    static func segment(_ number: Int, of count: Int) -> [Peak] {
        let first = number * segment
        return first < count ? peaks(first..<min(first + segment, count)) : []
    }

    /// Joins peaks in another way than the program: with floating-point numbers and one loop for each number.
    static func joined(_ count: Int, by factor: Int) -> [Peak] {
        (0..<(count + factor - 1) / factor).map { group in
            let part = (group * factor..<min((group + 1) * factor, count)).map(peak)
            let power = part.map { Double($0.rms) * Double($0.rms) / Double(part.count) }.reduce(0, +)
            return Peak(
                minimum: part.map(\.minimum).sorted()[0], maximum: part.map(\.maximum).sorted()[part.count - 1],
                rms: UInt16((power.squareRoot()).rounded()))
        }
    }

    /// Makes all of a track, in this order of segments.
    static func make(_ sheet: PeakSheet, _ count: Int, order: [Int]? = nil) {
        for number in order ?? Array(0..<PeakSheet.segments(count)) where !sheet.isDone(number) {
            _ = sheet.take(number, segment(number, of: count))
        }
    }
}
