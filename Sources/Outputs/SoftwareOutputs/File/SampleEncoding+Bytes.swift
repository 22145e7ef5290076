// SPDX-License-Identifier: Apache-2.0

import AudioSession

extension SampleEncoding {
    /// The number of bytes of one sample.
    var bytes: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        }
    }

    /// Encodes samples in little-endian order.
    ///
    /// An integer that an engine divided by its full scale (2¹⁵, 2²³, 2³¹) returns unchanged, as far as a float can
    /// represent it. A value that is not a number is written as silence, and no float exceeds the bounds.
    func encode(_ samples: UnsafePointer<Float>, count: Int, into output: inout [UInt8]) {
        if output.count != count * bytes { output = [UInt8](repeating: 0, count: count * bytes) }
        output.withUnsafeMutableBytes { target in
            for index in 0..<count {
                switch self {
                case .int16:
                    let value = Int16(clamping: SampleBounds.integer(samples[index], fullScale: 32_768))
                    target.storeBytes(of: value.littleEndian, toByteOffset: index * 2, as: Int16.self)
                case .int24:
                    let whole = SampleBounds.integer(samples[index], fullScale: 8_388_608)
                    let value = min(max(whole, -8_388_608), 8_388_607)
                    target[index * 3] = UInt8(truncatingIfNeeded: value)
                    target[index * 3 + 1] = UInt8(truncatingIfNeeded: value >> 8)
                    target[index * 3 + 2] = UInt8(truncatingIfNeeded: value >> 16)
                case .int32:
                    let value = Int32(clamping: SampleBounds.integer(samples[index], fullScale: 2_147_483_648))
                    target.storeBytes(of: value.littleEndian, toByteOffset: index * 4, as: Int32.self)
                case .float32:
                    let value = SampleBounds.bounded(samples[index]).bitPattern.littleEndian
                    target.storeBytes(of: value, toByteOffset: index * 4, as: UInt32.self)
                }
            }
        }
    }
}
