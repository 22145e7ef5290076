// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases for `rostrum.range/1`.
enum RangeCases {
    static let all = [
        ConformanceCase("range.once", "a part is rendered exactly, and ends", once),
        ConformanceCase("range.loop", "a part that loops goes on at its start, without a gap", loop),
        ConformanceCase("range.later", "a part counts from the next seek on, and not before", later),
        ConformanceCase("range.forgotten", "a load forgets the part", forgotten),
    ]

    /// Sets a range of one track, and seeks to its start.
    private static func set(
        _ range: Range<Int64>, track: Int, loops: Bool, _ subject: Subject
    ) throws(Finding) {
        try announce(range, track: track, loops: loops, subject)
        try subject.seek(track: track, position: range.lowerBound)
    }

    private static func announce(
        _ range: Range<Int64>, track: Int, loops: Bool, _ subject: Subject
    ) throws(Finding) {
        guard let table = try subject.find(ROSTRUM_RANGE_EXTENSION, as: rostrum_range.self) else {
            throw .skip("the engine has no \(ROSTRUM_RANGE_EXTENSION)")
        }
        guard let function = table.pointee.set_range else {
            throw .fault("get_extension (\(ROSTRUM_RANGE_EXTENSION))", expected: "set_range", came: "NULL", .functions)
        }
        let result = subject.call(.setRange) {
            function(subject.engine, UInt32(track), range.lowerBound, UInt32(track), range.upperBound, loops ? 1 : 0)
        }
        try subject.mustBeOK(result, name(range, track, loops), .range)
    }

    private static func name(_ range: Range<Int64>, _ track: Int, _ loops: Bool) -> String {
        "set_range (units \(range.lowerBound) to \(range.upperBound) of track \(track)\(loops ? ", again and again" : ""))"
    }

    /// Calls `body` with a range of each track whose bounds are not multiples of anything.
    private static func eachPart(
        _ context: CaseContext,
        _ body: (Subject, Material, Rendering, Int, Range<Int64>) throws(Finding) -> Void
    ) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_AUDIO, "audio") {
            let straight = try subject.renderAll(of: material)
            for track in material.sources.indices {
                let end = straight.blocks(of: track).last?.positionEnd ?? 0
                guard end > 100 else { continue }
                try body(subject, material, straight, track, (end / 3 + 1)..<(end / 3 + 1 + end / 4))
            }
        }
        subject.destroy()
    }

    /// Returns the samples of the range in a straight rendering.
    private static func expected(_ straight: Rendering, _ track: Int, _ range: Range<Int64>) -> [Float] {
        straight.samples(of: track, from: range.lowerBound, frames: range.count)
    }

    private static func once(_ context: CaseContext) throws(Finding) {
        try eachPart(context) { (subject, _, straight, track, range) throws(Finding) in
            try set(range, track: track, loops: false, subject)
            let call = "\(name(range, track, false)), seek to its start, render"
            let rendering = try subject.renderAll()
            try expect(
                rendering.frames == range.count, call, expected: "\(range.count) frames, then ROSTRUM_BLOCK_END",
                came: "\(rendering.frames)", .rangeEnd)
            let outside = rendering.blocks.first {
                $0.frames > 0
                    && ($0.track != track || $0.position < range.lowerBound || $0.positionEnd > range.upperBound)
            }
            try expect(outside == nil, call, expected: "nothing outside", came: outside?.place ?? "", .range)
            try expect(
                rendering.blocks.flatMap(\.samples) == expected(straight, track, range), call,
                expected: "the samples of a straight rendering", came: "others", .range)
        }
    }

    private static func loop(_ context: CaseContext) throws(Finding) {
        try eachPart(context) { (subject, _, straight, track, range) throws(Finding) in
            try set(range, track: track, loops: true, subject)
            let call = "\(name(range, track, true)), seek to its start, render"
            let once = expected(straight, track, range)
            var next = range.lowerBound
            var samples: [Float] = []
            while samples.count < once.count * 3 {
                let block = try subject.nextBlock()
                try expect(
                    block.frames > 0 && !block.isEnd && block.track == track && block.position == next
                        && block.positionEnd <= range.upperBound, call,
                    expected: "a block from unit \(next), and no end",
                    came: "\(block.place)\(block.isEnd ? ", and the end" : "")", .rangeLoop)
                samples += block.samples
                next = block.positionEnd == range.upperBound ? range.lowerBound : block.positionEnd
            }
            try expect(
                Array(samples.prefix(once.count * 3)) == once + once + once, call,
                expected: "the same samples each time",
                came: "others", .rangeLoop)
        }
    }

    /// Checks rendering between `set_range` and the seek, because a host renders ahead and may ask for more of the old
    /// content.
    private static func later(_ context: CaseContext) throws(Finding) {
        try eachPart(context) { (subject, material, straight, track, range) throws(Finding) in
            // (Each body begins with an engine that has content.)
            try subject.mustLoad(material)
            // Seek to a position behind the range, where a block that is cut at the end of the range would be empty.
            let behind = range.upperBound + Int64(range.count) / 8
            try subject.seek(track: track, position: behind)
            let before = try subject.nextBlock()
            try announce(range, track: track, loops: false, subject)
            try goesOn(before, straight, "\(name(range, track, false)), render without a seek", subject)

            try subject.seek(track: track, position: range.lowerBound)
            let first = try subject.nextBlock()
            let other = range.lowerBound / 2..<(range.lowerBound / 2 + Int64(range.count) / 4)
            try announce(other, track: track, loops: true, subject)
            let call = "\(name(other, track, true)) within another part, render without a seek"
            let rest = first.isEnd ? 0 : try subject.renderAll().frames
            try expect(
                first.frames + rest == range.count, call,
                expected: "the rest of the \(range.count) frames, and the end",
                came: "\(first.frames + rest) in all", .range)
            try subject.seek(track: track, position: other.lowerBound)
            let block = try subject.nextBlock()
            try expect(
                block.track == track && block.position == other.lowerBound && block.positionEnd <= other.upperBound,
                "\(name(other, track, true)), seek to its start, render",
                expected: "a block from unit \(other.lowerBound)", came: block.place, .range)
        }
    }

    private static func goesOn(
        _ before: RenderedBlock, _ straight: Rendering, _ call: String, _ subject: Subject
    ) throws(Finding) {
        guard !before.isEnd, before.frames > 0 else { return }
        let next = try subject.nextBlock()
        guard next.track == before.track else { return }
        try expect(
            next.position == before.positionEnd && next.positionEnd == next.position + Int64(next.frames), call,
            expected: "a block from unit \(before.positionEnd)", came: next.place, .range)
        try expect(
            next.samples == straight.samples(of: next.track, from: next.position, frames: next.frames), call,
            expected: "the samples of a straight rendering", came: "others", .range)
    }

    private static func forgotten(_ context: CaseContext) throws(Finding) {
        try eachPart(context) { (subject, material, straight, track, range) throws(Finding) in
            // (Each body begins with an engine that has content.)
            try subject.mustLoad(material)
            try set(range, track: track, loops: false, subject)
            let again = try subject.renderAll(of: material)
            try expect(
                again.frames == straight.frames, "load after \(name(range, track, false)), then render to the end",
                expected: "all \(straight.frames) frames", came: "\(again.frames)", .rangeForgotten)
        }
    }
}
