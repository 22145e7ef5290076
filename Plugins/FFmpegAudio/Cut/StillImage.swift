// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// The image of a still video: the cover on a dark ground, and the waveform below it.
struct StillImage {
    static let width = 1280
    static let height = 720
    /// The rows of the waveform, and the distance of everything from the edges.
    private static let waveHeight = 140
    private static let margin = 30
    /// The width of a column of the waveform with the gap behind it.
    private static let columnWidth = 4
    private static let ground: (UInt8, UInt8, UInt8) = (24, 24, 30)
    private static let ink: (UInt8, UInt8, UInt8) = (232, 190, 110)

    /// The pixels, three bytes each, row by row.
    private var pixels: [UInt8]

    init(_ waveform: StillWaveform, cover: CutPicture?) throws(EngineFailure) {
        pixels = [UInt8](repeating: 0, count: Self.width * Self.height * 3)
        fill(0..<Self.width, 0..<Self.height, Self.ground)
        if let cover { try draw(cover) }
        draw(waveform, middle: cover == nil ? Self.height / 2 : Self.height - Self.margin - Self.waveHeight / 2)
    }

    private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ color: (UInt8, UInt8, UInt8)) {
        for row in rows {
            for column in columns {
                let place = (row * Self.width + column) * 3
                (pixels[place], pixels[place + 1], pixels[place + 2]) = color
            }
        }
    }

    private mutating func draw(_ waveform: StillWaveform, middle: Int) {
        let count = (Self.width - 2 * Self.margin) / Self.columnWidth
        for (index, level) in waveform.columns(count).enumerated() {
            let half = max(1, Int(level * Float(Self.waveHeight / 2)))
            let left = Self.margin + index * Self.columnWidth
            fill(left..<left + Self.columnWidth - 1, middle - half..<middle + half, Self.ink)
        }
    }

    /// Draws the cover as large as it fits, in its proportions.
    private mutating func draw(_ cover: CutPicture) throws(EngineFailure) {
        let room = (width: Self.width - 2 * Self.margin, height: Self.height - 3 * Self.margin - Self.waveHeight)
        let scale = min(Double(room.width) / Double(cover.width), Double(room.height) / Double(cover.height))
        let width = min(room.width, max(2, Int(Double(cover.width) * scale)))
        let height = min(room.height, max(2, Int(Double(cover.height) * scale)))
        // The scaler may write a little behind each row.
        let stride = (width * 3 + 63) / 64 * 64 + 64
        var scaled = [UInt8](repeating: 0, count: stride * height)
        try Self.scale(cover, to: &scaled, stride: stride, width, height)
        let (left, top) = ((Self.width - width) / 2, Self.margin + (room.height - height) / 2)
        for row in 0..<height {
            let start = ((top + row) * Self.width + left) * 3
            pixels.replaceSubrange(start..<start + width * 3, with: scaled[row * stride..<row * stride + width * 3])
        }
    }

    private static func scale(
        _ cover: CutPicture, to pixels: inout [UInt8], stride: Int, _ width: Int, _ height: Int
    ) throws(EngineFailure) {
        guard
            let scaler = sws_getContext(
                cover.width, cover.height, AVPixelFormat(cover.format), Int32(width), Int32(height), AV_PIX_FMT_RGB24,
                Int32(SWS_AREA), nil, nil, nil)
        else { throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "the cover has a form that cannot be scaled") }
        defer { sws_freeContext(scaler) }
        let planes = cover.frame.pointee.data
        let strides = cover.frame.pointee.linesize
        let rows = pixels.withUnsafeMutableBufferPointer { pixels -> Int32 in
            var source: [UnsafePointer<UInt8>?] = [planes.0, planes.1, planes.2, planes.3].map { plane in
                plane.map { UnsafePointer($0) }
            }
            var lines = [strides.0, strides.1, strides.2, strides.3]
            var target: [UnsafeMutablePointer<UInt8>?] = [pixels.baseAddress, nil, nil, nil]
            var targetLines: [Int32] = [Int32(stride), 0, 0, 0]
            return sws_scale(scaler, &source, &lines, 0, cover.height, &target, &targetLines)
        }
        guard rows == Int32(height) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "the cover has a form that cannot be scaled")
        }
    }

    /// Writes the image into a frame of an encoder.
    func convert(into frame: UnsafeMutablePointer<AVFrame>) throws(EngineFailure) {
        guard
            let scaler = sws_getContext(
                Int32(Self.width), Int32(Self.height), AV_PIX_FMT_RGB24, Int32(Self.width), Int32(Self.height),
                AVPixelFormat(frame.pointee.format), Int32(SWS_AREA), nil, nil, nil)
        else { throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory for an image") }
        defer { sws_freeContext(scaler) }
        let planes = frame.pointee.data
        let strides = frame.pointee.linesize
        pixels.withUnsafeBufferPointer { pixels in
            var source: [UnsafePointer<UInt8>?] = [pixels.baseAddress, nil, nil, nil]
            var lines: [Int32] = [Int32(Self.width * 3), 0, 0, 0]
            var target: [UnsafeMutablePointer<UInt8>?] = [planes.0, planes.1, planes.2, planes.3]
            var targetLines = [strides.0, strides.1, strides.2, strides.3]
            _ = sws_scale(scaler, &source, &lines, 0, Int32(Self.height), &target, &targetLines)
        }
    }
}
