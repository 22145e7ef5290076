// SPDX-License-Identifier: Apache-2.0

/// The header of a frame of MPEG audio, layer III (ISO/IEC 11172-3, 2.4.1.3; 13818-3 for the lower rates).
struct MPEGFrame: Equatable {
    /// `true` for the rates of MPEG-1, `false` for the halves and quarters of them.
    let isFull: Bool
    let isMono: Bool
    let bitRateIndex: Int
    let isPadded: Bool
    let hasChecksum: Bool
    let sampleRate: Int
    private let bytes: [UInt8]

    private static let fullRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowRates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

    /// Parses a header; `nil` for bytes that are none of layer III with a bit rate.
    init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(4))
        guard head.count == 4, head[0] == 0xff, head[1] & 0xe0 == 0xe0, head[1] >> 1 & 3 == 1, head[1] >> 3 & 3 != 1
        else { return nil }
        isFull = head[1] >> 3 & 3 == 3
        hasChecksum = head[1] & 1 == 0
        bitRateIndex = Int(head[2] >> 4)
        isPadded = head[2] & 2 != 0
        isMono = head[3] >> 6 == 3
        let rate = Int(head[2] >> 2 & 3)
        guard (1...14).contains(bitRateIndex), rate < 3 else { return nil }
        let isQuarter = head[1] >> 3 & 3 == 0
        sampleRate = [44_100, 48_000, 32_000][rate] / (isFull ? 1 : isQuarter ? 4 : 2)
        self.bytes = head
    }

    /// The number of samples of each channel.
    var samples: Int { isFull ? 1152 : 576 }

    /// The number of bytes, with the header.
    var size: Int {
        let kilobits = (isFull ? Self.fullRates : Self.lowRates)[bitRateIndex - 1]
        return samples / 8 * kilobits * 1000 / sampleRate + (isPadded ? 1 : 0)
    }

    /// The number of bytes before the main data: the header, the checksum and the side information.
    var mainDataStart: Int {
        let side = isFull ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        return 4 + (hasChecksum ? 2 : 0) + side
    }

    /// Returns the number of bytes before the frame at which its main data begins.
    func borrowed(_ frame: some Collection<UInt8>) -> Int? {
        let side = Array(frame.dropFirst(4 + (hasChecksum ? 2 : 0)).prefix(2))
        guard side.count == 2 else { return nil }
        return isFull ? Int(side[0]) << 1 | Int(side[1] >> 7) : Int(side[0])
    }

    /// Returns the smallest frame of this stream, without a checksum, that has room for some bytes of main data, filled
    /// with zeros; `nil` if there is none.
    ///
    /// With its side information zero, it decodes to silence.
    func silent(room: Int) -> (header: MPEGFrame, bytes: [UInt8])? {
        for index in 1...14 {
            var head = bytes
            head[1] |= 1
            head[2] = UInt8(index) << 4 | head[2] & 0x0c
            guard let header = MPEGFrame(head), header.size >= header.mainDataStart + room else { continue }
            return (header, head + [UInt8](repeating: 0, count: header.size - 4))
        }
        return nil
    }
}
