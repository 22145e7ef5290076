// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SessionProtocol

/// A waveform as text: a bar of eighths for each column, as high as its louder half.
struct WaveformText {
    let lines: [String]

    private static let rows = 8
    private static let eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    init(_ waveform: WaveformInfo) {
        let heights = Self.heights(waveform)
        // The loudest column fills the drawing.
        let full = max(1, heights.max() ?? 1)
        let eighths = heights.map { (Int($0) * Self.rows * 8 + full / 2) / full }
        var lines = (0..<Self.rows).reversed().map { row in
            eighths.map { Self.eighths[max(0, min(8, $0 - row * 8))] }.joined()
        }
        let decibels = 20 * log10(Double(full) / 32_768)
        lines.append("loudest: \(Int(decibels.rounded())) dB, silences: \(waveform.silences.count)")
        self.lines = lines
    }

    private static func heights(_ waveform: WaveformInfo) -> [Int] {
        let bytes = Array(Data(base64Encoded: waveform.peaks) ?? Data())
        return stride(from: 0, to: bytes.count - 5, by: 6).map { place in
            func number(_ offset: Int) -> Int {
                Int(Int16(bitPattern: UInt16(bytes[place + offset]) | UInt16(bytes[place + offset + 1]) << 8))
            }
            return max(-number(0), number(2))
        }
    }
}
