// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import SessionProtocol
public import TimelineGeometry

extension WaveformInfo {
    /// The columns; `nil` where nothing is made yet.
    public var columns: [WaveformPeak?] {
        let bytes = [UInt8](Data(base64Encoded: peaks) ?? Data())
        var columns: [WaveformPeak?] = stride(from: 0, to: bytes.count - 5, by: 6).map { place in
            func number(_ offset: Int) -> UInt16 {
                UInt16(bytes[place + offset]) | UInt16(bytes[place + offset + 1]) << 8
            }
            return WaveformPeak(
                min: Int16(bitPattern: number(0)), max: Int16(bitPattern: number(2)), rms: number(4))
        }
        for missing in missing {
            let first = min(max(0, missing.first), columns.count)
            for column in first..<first + min(max(0, missing.count), columns.count - first) { columns[column] = nil }
        }
        return columns
    }
}
