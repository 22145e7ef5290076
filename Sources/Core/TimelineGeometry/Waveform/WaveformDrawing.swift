// SPDX-License-Identifier: Apache-2.0

/// A waveform in characters, mirrored at its middle, with the look of each column.
///
/// A column of half blocks is a pixel of the strip. One of braille is two: the strip is twice as wide as the drawing.
public struct WaveformDrawing: Hashable, Sendable {
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// `▀▄█`, one dot wide and two high.
        case halfBlocks
        /// Braille, two dots wide and four high.
        case braille
        /// `'.#`, one dot wide and two high, for terminals without Unicode.
        case ascii

        /// The dots of a character from left to right, and so the pixels of the strip that it shows.
        public var dotsAcross: Int { self == .braille ? 2 : 1 }
        /// The dots of a character from top to bottom.
        public var dotsDown: Int { self == .braille ? 4 : 2 }
        /// The sign of what is not made yet.
        fileprivate var gap: String { self == .ascii ? "-" : "·" }
    }

    /// The number that is drawn as the height of a column.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// The sample that is farthest from 0.
        case peak
        /// The loudness, which is less high.
        case rms
    }

    /// The characters from top to bottom, each row as long as there are columns.
    public let rows: [String]
    /// The look of each column, which is the same in every row.
    public let layers: [ColumnLayer]

    /// The number of rows that a drawing can have; more are left out.
    public static let mostRows = 1000

    /// Draws columns over rows.
    ///
    /// What is made is at least one dot high on either side. What is not made yet is a dot in the middle of the row
    /// below the middle.
    ///
    /// - Parameter fullScale: the number that is drawn over the whole height, so that a quiet recording can be enlarged.
    public init(
        _ columns: WaveformColumns, _ geometry: TimelineGeometry, selection: TimelineSelection? = nil, rows: Int,
        style: Style, measure: Measure = .peak, fullScale: Int = 32_768
    ) {
        let rows = rows.clamped(to: 0...Self.mostRows)
        let half = rows * style.dotsDown / 2
        let layers = geometry.columnLayers(selection, dots: style.dotsAcross)
        let heights = (0..<(layers.count * style.dotsAcross)).map { column in
            column < columns.peaks.count
                ? columns.peaks[column].map { Self.height($0, measure, half: half, fullScale) } ?? 0 : 0
        }
        self.layers = layers
        let glyphs = Glyphs(style)
        self.rows = (0..<rows).map { row in
            // Every character here but the space and the point has three bytes of UTF-8.
            var text: [UInt8] = []
            text.reserveCapacity(layers.count * 3)
            let top = row * style.dotsDown
            for column in layers.indices {
                let first = column * style.dotsAcross
                let (left, right) = (heights[first], heights[first + style.dotsAcross - 1])
                if left | right == 0, row == rows / 2, layers[column] != .outside {
                    text.append(contentsOf: style.gap.utf8)
                } else {
                    glyphs.append(
                        left: (half - left - top)..<(half + left - top),
                        right: (half - right - top)..<(half + right - top),
                        to: &text)
                }
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Returns the dots of a peak on either side of the middle.
    private static func height(_ peak: WaveformPeak, _ measure: Measure, half: Int, _ fullScale: Int) -> Int {
        let size =
            switch measure {
            case .peak: max(abs(Int(peak.min)), abs(Int(peak.max)))
            case .rms: Int(peak.rms)
            }
        let dots = (Double(size) / Double(max(1, fullScale)) * Double(half)).rounded()
        return Int(dots.clamped(to: 1...Double(max(1, half))))
    }
}

/// The characters of a style.
private struct Glyphs {
    /// The bits of the dots of a column above each height from the top, for the left and for the right one.
    private let left: [UInt32]
    private let right: [UInt32]
    /// The scalars by their bits; `nil` if they follow each other from the first braille character on.
    private let blocks: [UInt32]?

    init(_ style: WaveformDrawing.Style) {
        switch style {
        case .halfBlocks:
            (left, right) = ([0b00, 0b01, 0b11], [0, 0, 0])
            blocks = [0x20, 0x2580, 0x2584, 0x2588]
        case .ascii:
            (left, right) = ([0b00, 0b01, 0b11], [0, 0, 0])
            blocks = [0x20, 0x27, 0x2E, 0x23]
        case .braille:
            // Dots 1, 2, 3, 7 on the left and 4, 5, 6, 8 on the right, each the bit of its number.
            (left, right) = ([0x00, 0x01, 0x03, 0x07, 0x47], [0x00, 0x08, 0x18, 0x38, 0xB8])
            blocks = nil
        }
    }

    /// Appends a character in which these dots are set, counted from its top.
    func append(left leftDots: Range<Int>, right rightDots: Range<Int>, to text: inout [UInt8]) {
        let bits = Self.bits(leftDots, left) | Self.bits(rightDots, right)
        let scalar = blocks.map { $0[Int(bits)] } ?? 0x2800 + bits
        guard scalar > 0x7F else { return text.append(UInt8(scalar)) }
        text.append(UInt8(0xE0 | scalar >> 12))
        text.append(UInt8(0x80 | scalar >> 6 & 0x3F))
        text.append(UInt8(0x80 | scalar & 0x3F))
    }

    private static func bits(_ dots: Range<Int>, _ above: [UInt32]) -> UInt32 {
        let all = 0...(above.count - 1)
        return above[dots.upperBound.clamped(to: all)] ^ above[dots.lowerBound.clamped(to: all)]
    }
}
