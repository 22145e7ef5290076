// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// The bytes in front of the samples.
///
/// Their number is constant, so that lengths can be filled in later: a `JUNK` chunk reserves the space of RF64's `ds64`
/// chunk until the file needs it.
struct WAVHeader {
    var format: AudioFormat
    var encoding: SampleEncoding
    var dataBytes: UInt64 = 0

    init(format: AudioFormat, encoding: SampleEncoding) {
        self.format = format
        self.encoding = encoding
    }

    var bytes: [UInt8] { bytes(dataBytes, isOpenEnded: false) }

    /// The header for a pipe, with the largest possible lengths.
    var bytesForStream: [UInt8] { bytes(0, isOpenEnded: true) }

    private func bytes(_ data: UInt64, isOpenEnded: Bool) -> [UInt8] {
        let frameBytes = encoding.bytes * format.channels
        let body =
            chunk("fmt ", formatChunk(frameBytes)) + chunk("fact", little(UInt32(clamping: data / UInt64(frameBytes))))
        // The RIFF size counts from `WAVE` on, padding included.
        let riff = 4 + 36 + UInt64(body.count) + 8 + data + (data & 1)
        let isLarge = riff > UInt64(UInt32.max)
        let isUnsized = isLarge || isOpenEnded
        var bytes = ascii(isLarge ? "RF64" : "RIFF")
        bytes += little(isUnsized ? .max : UInt32(riff)) + ascii("WAVE")
        let sizes = little(riff) + little(data) + little(data / UInt64(frameBytes)) + little(UInt32(0))
        bytes += isLarge ? chunk("ds64", sizes) : chunk("JUNK", [UInt8](repeating: 0, count: 28))
        bytes += body
        bytes += ascii("data") + little(isUnsized ? .max : UInt32(data))
        return bytes
    }

    /// Returns the format chunk: WAVE_FORMAT_EXTENSIBLE where plain PCM would leave the speakers or the sample size
    /// open.
    private func formatChunk(_ frameBytes: Int) -> [UInt8] {
        let tag: UInt16 = encoding == .float32 ? 3 : 1
        let isExtensible = format.channels > 2 || encoding == .int24 || encoding == .int32
        var bytes = little(isExtensible ? 0xfffe : tag) + little(UInt16(clamping: format.channels))
        bytes += little(UInt32(clamping: format.sampleRate)) + little(UInt32(clamping: format.sampleRate * frameBytes))
        bytes += little(UInt16(clamping: frameBytes)) + little(UInt16(clamping: encoding.bytes * 8))
        guard isExtensible else { return bytes }
        bytes += little(UInt16(22)) + little(UInt16(clamping: encoding.bytes * 8)) + little(speakers)
        // The rest of KSDATAFORMAT_SUBTYPE_PCM and _IEEE_FLOAT.
        bytes += little(tag) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
        return bytes
    }

    private var speakers: UInt32 {
        switch format.channels {
        case 1: 0x4
        case 2: 0x3
        case 3: 0x7
        case 4: 0x33
        case 5: 0x37
        case 6: 0x3f
        case 7: 0x13f
        case 8: 0x63f
        default: 0
        }
    }

    private func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        ascii(name) + little(UInt32(clamping: bytes.count)) + bytes
    }

    private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
