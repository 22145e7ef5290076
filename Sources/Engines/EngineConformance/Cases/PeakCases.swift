// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases for `rostrum.peaks/1`.
enum PeakCases {
    static let all = [
        ConformanceCase("peaks.exact", "peaks say what is rendered, from the start and from the middle", exact),
        ConformanceCase("peaks.aside", "reading peaks does not move the place of rendering", aside),
    ]

    private static let frames = 512
    /// The room of one call, which divides no track evenly.
    private static let room = 37
    /// The distance that is no fault: a decoder may differ by a rounding after a seek.
    private static let tolerance = 1

    /// Returns the peaks that one call gives; `nil` if the content is not audio.
    private static func read(
        _ subject: Subject, _ track: Int, from first: Int, isAudio: Bool
    ) throws(Finding) -> [rostrum_peak]? {
        guard let table = try subject.find(ROSTRUM_PEAKS_EXTENSION, as: rostrum_peaks.self) else {
            throw .skip("the engine has no \(ROSTRUM_PEAKS_EXTENSION)")
        }
        guard let function = table.pointee.peaks else {
            throw .fault("get_extension (\(ROSTRUM_PEAKS_EXTENSION))", expected: "peaks", came: "NULL", .functions)
        }
        var peaks = [rostrum_peak](repeating: rostrum_peak(), count: room)
        var count: UInt32 = 0
        let result = subject.call(.peaks) {
            function(subject.engine, UInt32(track), UInt32(frames), UInt64(first), &peaks, UInt32(room), &count)
        }
        if !isAudio, result == ROSTRUM_ERROR_UNSUPPORTED { return nil }
        let call = "peaks (track \(track), from number \(first))"
        try subject.mustBeOK(result, call, .peaks)
        try expect(
            count <= UInt32(room), call, expected: "at most \(room) peaks", came: "\(count)", .peakCount)
        return Array(peaks.prefix(Int(count)))
    }

    private static func exact(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_AUDIO, "audio") {
            let rendering = try subject.renderAll(of: material)
            try subject.mustLoad(material)
            for track in material.sources.indices {
                let heard = computed(rendering, track)
                var read: [rostrum_peak] = []
                while let part = try self.read(subject, track, from: read.count, isAudio: true), !part.isEmpty {
                    try compare(part, heard, from: read.count, track)
                    read += part
                    if part.count < room { break }
                }
                let all = "peaks (track \(track) of \(material.name))"
                try expect(
                    read.count == heard.count, all, expected: "\(heard.count) peaks, as many as are heard",
                    came: "\(read.count)", .peakCount)
                let middle = heard.count / 2
                let again = try self.read(subject, track, from: middle, isAudio: true) ?? []
                try compare(again, heard, from: middle, track)
                let beyond = try self.read(subject, track, from: heard.count + room, isAudio: true) ?? []
                try expect(
                    beyond.isEmpty, "peaks (track \(track), behind its end)", expected: "0 peaks",
                    came: "\(beyond.count)", .peakCount)
            }
        }
        subject.destroy()
    }

    private static func compare(
        _ part: [rostrum_peak], _ heard: [rostrum_peak], from first: Int, _ track: Int
    ) throws(Finding) {
        for (offset, peak) in part.enumerated() where first + offset < heard.count {
            let other = heard[first + offset]
            let isNear =
                abs(Int(peak.minimum) - Int(other.minimum)) <= tolerance
                && abs(Int(peak.maximum) - Int(other.maximum)) <= tolerance
                && abs(Int(peak.rms) - Int(other.rms)) <= tolerance
            try expect(
                isNear, "peaks (track \(track), number \(first + offset))", expected: "\(text(other)), as is heard",
                came: text(peak), .peaks)
        }
    }

    private static func text(_ peak: rostrum_peak) -> String { "\(peak.minimum) to \(peak.maximum), RMS \(peak.rms)" }

    /// Returns the peaks of what was rendered, sample by sample as the header defines them.
    private static func computed(_ rendering: Rendering, _ track: Int) -> [rostrum_peak] {
        var samples: [Double] = []
        for block in rendering.blocks(of: track) {
            // What was left out counts as silence.
            while samples.count < Int(block.position) { samples.append(0) }
            for frame in 0..<block.frames {
                let all = block.samples[frame * block.channels..<(frame + 1) * block.channels]
                let mean = all.reduce(0) { $0 + Double($1) } / Double(block.channels)
                let value = mean.isFinite ? mean : 0
                samples.append(min(max((value * 32768).rounded(.toNearestOrEven), -32768), 32767))
            }
        }
        return stride(from: 0, to: samples.count, by: frames).map { start in
            let part = samples[start..<min(start + frames, samples.count)]
            let squares = part.reduce(0) { $0 + $1 * $1 }
            return rostrum_peak(
                minimum: Int16(part.min() ?? 0), maximum: Int16(part.max() ?? 0),
                rms: UInt16((squares / Double(part.count)).squareRoot().rounded()))
        }
    }

    private static func aside(_ context: CaseContext) throws(Finding) {
        try context.expectAside("peaks", .peaksAside) { (subject, track) throws(Finding) in
            _ = try read(subject, track, from: 0, isAudio: subject.material.isAudio)
        }
    }
}
