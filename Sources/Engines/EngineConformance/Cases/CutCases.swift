// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineABI
import EngineTransport
import Glibc

/// Cases for `rostrum.cut/1`.
enum CutCases {
    static let all = [
        ConformanceCase("cut.exact", "a file that is cut holds exactly the passage", exact),
        ConformanceCase("cut.refused", "a passage or a format that cannot be is refused", refused),
        ConformanceCase("cut.aside", "cutting does not move the place of rendering", aside),
    ]

    private struct Cut {
        var result: rostrum_result
        var outcome: rostrum_cut_result
        var bytes: [UInt8]

        var fileExtension: String {
            withUnsafeBytes(of: outcome.extension) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }

    private static func name(_ range: Range<Int64>, _ track: Int, _ format: String) -> String {
        "cut (units \(range.lowerBound) to \(range.upperBound) of track \(track)\(format.isEmpty ? "" : ", as “\(format)”"))"
    }

    /// Cuts a range of one track into a file of its own, which may also be empty or reversed.
    private static func cut(
        _ subject: Subject, _ start: Int64, _ end: Int64, track: Int, format: String = ""
    ) throws(Finding) -> Cut {
        guard let table = try subject.find(ROSTRUM_CUT_EXTENSION, as: rostrum_cut.self) else {
            throw .skip("the engine has no \(ROSTRUM_CUT_EXTENSION)")
        }
        guard let function = table.pointee.cut else {
            throw .fault("get_extension (\(ROSTRUM_CUT_EXTENSION))", expected: "cut", came: "NULL", .functions)
        }
        let file = OwnedDescriptor(owning: ctransport_memory_descriptor("cut"))
        guard file.rawValue >= 0 else { throw .skip("no file for the kit itself") }
        var outcome = rostrum_cut_result()
        outcome.size = UInt32(MemoryLayout<rostrum_cut_result>.size)
        let result = format.withCString { format in
            var order = rostrum_cut_order()
            order.size = UInt32(MemoryLayout<rostrum_cut_order>.size)
            (order.start_track, order.start) = (UInt32(track), start)
            (order.end_track, order.end) = (UInt32(track), end)
            order.format = format
            order.file = file.rawValue
            order.cover = -1
            return subject.call(.cut) { function(subject.engine, &order, &outcome) }
        }
        try expect(
            fcntl(file.rawValue, F_GETFD) >= 0, "cut (track \(track))", expected: "the descriptor of the file open",
            came: "it closed", .cutFile)
        return Cut(result: result, outcome: outcome, bytes: read(file))
    }

    private static func read(_ file: OwnedDescriptor) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(file.rawValue, &buffer, buffer.count, bytes.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    private static func exact(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_AUDIO, "audio") {
            let straight = try subject.renderAll(of: material)
            for track in material.sources.indices {
                let end = straight.blocks(of: track).last?.positionEnd ?? 0
                guard end > 100 else { continue }
                try subject.mustLoad(material)
                let range = (end / 3 + 1)..<(end / 3 + 1 + end / 4)
                let call = name(range, track, "")
                let cut = try cut(subject, range.lowerBound, range.upperBound, track: track)
                try subject.mustBeOK(cut.result, call, .cut)
                let suffix = cut.fileExtension
                try expect(
                    suffix.utf8.count <= 7 && Limits.allowsFormatName(suffix), call, expected: "an extension",
                    came: "“\(suffix)”", .cutExtension)
                guard cut.outcome.sample_rate == straight.blocks(of: track).first.map({ UInt32($0.sampleRate) }) else {
                    continue
                }
                try expect(
                    cut.outcome.frames == range.count, call, expected: "\(range.count) frames",
                    came: "\(cut.outcome.frames)", .cut)
                var written = material
                (written.sources, written.fileName) = ([.bytes(cut.bytes)], "cut.\(suffix)")
                let again = try subject.renderAll(of: written)
                try expect(
                    again.frames == range.count, "load what \(call) wrote, render", expected: "\(range.count) frames",
                    came: "\(again.frames)", .cut)
                // The kit's samples are of 16 bits and uncompressed, so the least difference is a fault.
                guard cut.outcome.encoded == 0, material.isOurs else { continue }
                let meant = straight.samples(of: track, from: range.lowerBound, frames: range.count)
                let isSame = zip(again.blocks.flatMap(\.samples), meant).allSatisfy { abs($0 - $1) < 1e-5 }
                try expect(
                    isSame, "load what \(call) wrote, render", expected: "the samples of a straight rendering",
                    came: "others", .cut)
            }
        }
        subject.destroy()
    }

    private static func refused(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_AUDIO, "audio") {
            try subject.mustLoad(material)
            for (start, end, format, code) in [
                (50, 50, "", ROSTRUM_ERROR_ARGUMENT), (60, 50, "", ROSTRUM_ERROR_ARGUMENT),
                (-1, 50, "", ROSTRUM_ERROR_ARGUMENT), (0, 1 << 52, "", ROSTRUM_ERROR_ARGUMENT),
                (0, 50, "no-such-format", ROSTRUM_ERROR_UNSUPPORTED),
            ] as [(Int64, Int64, String, rostrum_result)] {
                let call =
                    "cut (units \(start) to \(end) of track 0\(format.isEmpty ? "" : ", as “\(format)”"))"
                let cut = try cut(subject, start, end, track: 0, format: format)
                try expect(cut.result == code, call, expected: "\(code)", came: "\(cut.result)", .cutRefused)
                try subject.checkFailure(cut.result, call)
            }
        }
        subject.destroy()
    }

    private static func aside(_ context: CaseContext) throws(Finding) {
        guard try !context.materials(of: ROSTRUM_KIND_AUDIO, "audio").isEmpty else { return }
        try context.expectAside("cut", .cutAside) { (subject, track) throws(Finding) in
            guard subject.material.isAudio else { return }
            let cut = try cut(subject, 10, 50, track: track)
            try subject.mustBeOK(cut.result, name(10..<50, track, ""), .cut)
        }
    }
}
