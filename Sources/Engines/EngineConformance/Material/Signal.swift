// SPDX-License-Identifier: Apache-2.0

/// A sound in which each frame identifies its own position.
///
/// It has two channels of 16 bits: the left one holds the number of the frame, and the right one the number of the
/// track.
enum Signal {
    static let sampleRate = 48_000
    static let channels = 2
    /// The number of frames of each track: fewer than there are numbers, and no multiple of a block.
    static let lengths = [48_001, 30_011]

    /// Returns the exact values of a frame's 16-bit PCM samples.
    static func frame(track: Int, at position: Int) -> (left: Float, right: Float) {
        (Float(left(position)) / 32768, Float(right(track)) / 32768)
    }

    private static func left(_ position: Int) -> Int16 { Int16(bitPattern: UInt16(truncatingIfNeeded: position)) }
    private static func right(_ track: Int) -> Int16 { Int16(1000 * (track + 1)) }

    /// Returns the position of the frame whose left sample this is, or `nil` if it is not from the signal.
    static func position(of sample: Float) -> Int? {
        let number = (sample * 32768).rounded()
        guard number * (1 / 32768) == sample, abs(number) <= 32768, let value = Int16(exactly: number) else {
            return nil
        }
        return Int(UInt16(bitPattern: value))
    }

    static func wav(track: Int) -> [UInt8] {
        let count = lengths[track]
        let size = UInt32(count * channels * 2)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + Int(size))
        func append<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += Array("RIFF".utf8)
        append(36 + size)
        bytes += Array("WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(channels))
        append(UInt32(sampleRate))
        append(UInt32(sampleRate * channels * 2))
        append(UInt16(channels * 2))
        append(UInt16(16))
        bytes += Array("data".utf8)
        append(size)
        for position in 0..<count {
            append(left(position))
            append(right(track))
        }
        return bytes
    }
}
