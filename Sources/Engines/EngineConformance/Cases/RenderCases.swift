// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases that render everything from the beginning to the end.
enum RenderCases {
    static let all = [
        ConformanceCase("render.pace", "sound is rendered faster than it is heard", pace),
        ConformanceCase(
            "render.positions", "positions are those of the frames, grow, and leave nothing out", positions),
        ConformanceCase("render.format", "blocks have the format that track names, or change it with reason", format),
        ConformanceCase("render.samples", "every sample is a number", samples),
        ConformanceCase("render.signal", "the sound at a position is the sound of that position", signal),
        ConformanceCase("render.end", "each track ends once, and the content ends once", end),
        ConformanceCase("render.whole", "the content is heard to its end", whole),
        ConformanceCase("render.duration", "a duration that is called exact is what is heard", duration),
        ConformanceCase("render.capacity", "blocks of every size are filled within their room", capacity),
        ConformanceCase("render.repeatable", "the same content sounds the same again", repeatable),
    ]

    /// Calls `body` with a rendering of each material that the engine plays, all in one engine.
    static func eachRendering(
        _ context: CaseContext, _ body: (Subject, Material, Rendering) throws(Finding) -> Void
    ) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            try body(subject, material, try subject.renderAll(of: material))
        }
        subject.destroy()
    }

    /// The duration of one try, in seconds, and the number of tries; a busy machine may delay one of them.
    private static let (paceSeconds, paceTries) = (1.5, 3)

    private static func pace(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            var best = 0.0
            for _ in 0..<paceTries {
                try subject.mustLoad(material)
                let began = monotonicSeconds()
                var (heard, took, empty) = (0.0, 0.0, 0)
                while took < paceSeconds, empty < Rendering.emptyBlocks {
                    guard let block = try subject.render() else { throw Subject.wasNotInterrupted }
                    if block.frames > 0 { heard += Double(block.frames) / Double(max(1, block.sampleRate)) }
                    empty = block.frames > 0 ? 0 : empty + 1
                    took = monotonicSeconds() - began
                    if block.isEnd { break }
                }
                best = max(best, heard / max(took, 1e-6))
                if best >= 1 { return }
            }
            throw .fault(
                "render (\(material.name))", expected: "more than 1 s of sound in a second",
                came: "\(Double(Int(best * 10)) / 10) s at most", .pace)
        }
        subject.destroy()
    }

    private static func positions(_ context: CaseContext) throws(Finding) {
        try eachRendering(context) { (_, material, rendering) throws(Finding) in
            var (track, next) = (0, Int64(0))
            for (number, block) in rendering.blocks.enumerated() {
                let call = "render (\(material.name)), block \(number)"
                try expect(
                    block.track == track, call, expected: "a block of track \(track)", came: block.place, .tracksInOrder
                )
                try expect(
                    block.position >= 0 && block.positionEnd >= block.position, call,
                    expected: "positions that do not run backwards", came: block.place, .position)
                if material.isAudio {
                    try expect(
                        block.positionEnd - block.position == block.frames, call,
                        expected: "as many units as there are frames, \(block.frames)", came: block.place, .positionEnd)
                }
                try expect(
                    block.position >= next, call,
                    expected: "unit \(next), where the block before ended, or one behind it",
                    came: block.place, .growing)
                if material.isAudio {
                    try expect(
                        block.position == next || block.isDamaged, call,
                        expected: "unit \(next), where the block before ended", came: "\(block.place), without a flag",
                        .damaged)
                }
                try expect(
                    !block.isDamaged || !material.isOurs, call, expected: "no damage: there is none in it",
                    came: "ROSTRUM_BLOCK_DAMAGED", .damaged)
                if material.isOurs, !material.isAudio {
                    try expect(
                        block.positionEnd <= Prose.bytes.count, call,
                        expected: "units within the \(Prose.bytes.count) bytes of the text", came: block.place,
                        .textUnits)
                }
                (track, next) = block.isTrackEnd ? (track + 1, 0) : (track, block.positionEnd)
            }
        }
    }

    private static func format(_ context: CaseContext) throws(Finding) {
        try eachRendering(context) { (subject, material, rendering) throws(Finding) in
            for index in material.sources.indices {
                let described = try subject.track(index)
                var last = (Int(described.sample_rate), Int(described.channels))
                for block in rendering.blocks(of: index) where block.frames > 0 {
                    let call = "render (\(material.name)), \(block.place)"
                    try expect(
                        (1000...384_000).contains(block.sampleRate), call, expected: "1000 to 384000 frames a second",
                        came: "\(block.sampleRate)", .sampleRate)
                    let now = (block.sampleRate, block.channels)
                    // Content of the author's may change its format within a file.
                    try expect(
                        now == last || !material.isOurs, call,
                        expected: "\(last.0) frames a second in \(last.1) channels, as track says",
                        came: "\(now.0) in \(now.1)", .blockFormat)
                    last = now
                }
            }
        }
    }

    private static func samples(_ context: CaseContext) throws(Finding) {
        try eachRendering(context) { (_, material, rendering) throws(Finding) in
            for block in rendering.blocks {
                guard let index = block.samples.firstIndex(where: { !$0.isFinite }) else { continue }
                throw .fault(
                    "render (\(material.name)), \(block.place)", expected: "numbers",
                    came: "\(block.samples[index]) in frame \(index / block.channels)", .blocks)
            }
        }
    }

    /// Calls `body` with each material of the kit that the engine really read.
    private static func eachSignal(
        _ context: CaseContext, _ body: (Material, Rendering) throws(Finding) -> Void
    ) throws(Finding) {
        let isText = { (material: Material) in !material.isAudio }
        let materials = try context.materials().filter { $0.isOurs }
        guard !materials.isEmpty else { throw .skip("the content is not the kit's: what it sounds like is not known") }
        var read = 0
        let subject = try context.subject()
        for material in materials {
            let rendering = try subject.renderAll(of: material)
            if subject.host.opened.isEmpty && !isText(material) { continue }
            read += 1
            try body(material, rendering)
        }
        subject.destroy()
        if read == 0 { throw .skip("the engine opens no source: it makes a sound of its own") }
    }

    private static func signal(_ context: CaseContext) throws(Finding) {
        try eachSignal(context) { (material, rendering) throws(Finding) in
            guard material.isAudio else {
                guard context.engine.plays(ROSTRUM_KIND_AUDIO) else {
                    throw .skip("a text sounds as its engine wants")
                }
                return
            }
            for block in rendering.blocks where block.frames > 0 {
                let call = "render (\(material.name)), \(block.place)"
                try expect(
                    block.sampleRate == Signal.sampleRate && block.channels == Signal.channels, call,
                    expected: "\(Signal.sampleRate) frames a second in \(Signal.channels) channels, as in the file",
                    came: "\(block.sampleRate) in \(block.channels)", .sampleRate)
                for frame in 0..<block.frames {
                    let (left, right) = (block.samples[2 * frame], block.samples[2 * frame + 1])
                    let place = Int(block.position) + frame
                    let expected = Signal.frame(track: block.track, at: place)
                    guard left != expected.left || right != expected.right else { continue }
                    throw .fault(
                        call, expected: "at unit \(place) the sound of that unit",
                        came: Self.words(left, right, at: place, for: expected), .units)
                }
            }
        }
    }

    /// Returns a description of two samples that should have been others.
    private static func words(
        _ left: Float, _ right: Float, at place: Int, for expected: (left: Float, right: Float)
    ) -> String {
        let level = right / expected.right
        if level > 0, level != 1, abs(left - expected.left * level) < 1e-4 {
            return "that sound at \(level) of its level"
        }
        if let unit = Signal.position(of: left), unit != place { return "that of unit \(unit)" }
        return "\(left) and \(right) in place of \(expected.left) and \(expected.right)"
    }

    private static func end(_ context: CaseContext) throws(Finding) {
        try eachRendering(context) { (subject, material, rendering) throws(Finding) in
            var ended: Set<Int> = []
            for (number, block) in rendering.blocks.enumerated() {
                let call = "render (\(material.name)), block \(number)"
                try expect(
                    !ended.contains(block.track), call,
                    expected: "nothing more of track \(block.track), which has ended",
                    came: "\(block.frames) frames\(block.isTrackEnd ? ", and its end again" : "")", .trackEnd)
                try expect(
                    !block.isEnd || block.isTrackEnd, call,
                    expected: "the end of the content to be the end of its track",
                    came: "ROSTRUM_BLOCK_END without ROSTRUM_BLOCK_TRACK_END", .trackEnd)
                if block.isTrackEnd { ended.insert(block.track) }
            }
            let all = Set(material.sources.indices)
            try expect(
                ended == all, "render (\(material.name)), to its end",
                expected: "ROSTRUM_BLOCK_TRACK_END of \(all.count) tracks",
                came: "that of \(ended.sorted().map(String.init).joined(separator: ", "))", .trackEnd)
            // A host does not ask again after the end. One that did must not hear anything.
            let after = try? subject.render()
            try expect(
                after?.frames ?? 0 == 0, "render (\(material.name)), after ROSTRUM_BLOCK_END", expected: "nothing",
                came: "\(after?.frames ?? 0) frames", .end)
        }
    }

    private static func whole(_ context: CaseContext) throws(Finding) {
        try eachSignal(context) { (material, rendering) throws(Finding) in
            guard material.isAudio else {
                let word = Prose.start(of: "last")
                let end = rendering.blocks.last?.positionEnd ?? 0
                return try expect(
                    end > word, "render (\(material.name)), to its end",
                    expected: "the last word, which begins at unit \(word)", came: "the end at unit \(end)", .textUnits)
            }
            for (index, length) in Signal.lengths.enumerated() {
                let frames = rendering.frames(of: index)
                try expect(
                    frames == length, "render (\(material.name)), track \(index) to its end",
                    expected: "its \(length) frames",
                    came: "\(frames)", .units)
            }
        }
    }

    private static func duration(_ context: CaseContext) throws(Finding) {
        var claims = 0
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            var before: [rostrum_track] = []
            for index in material.sources.indices { before.append(try subject.track(index)) }
            let rendering = try subject.renderAll()
            for (index, track) in before.enumerated() where track.confidence == ROSTRUM_CONFIDENCE_EXACT {
                claims += 1
                let end = rendering.blocks(of: index).last?.positionEnd ?? 0
                try expect(
                    end == track.duration, "render (\(material.name)), track \(index) to its end",
                    expected: "the end at unit \(track.duration), as track says with ROSTRUM_CONFIDENCE_EXACT",
                    came: "the end at unit \(end)", .exactDuration)
                guard material.isAudio else { continue }
                let frames = rendering.frames(of: index)
                try expect(
                    Int64(frames) == track.duration, "render (\(material.name)), track \(index) to its end",
                    expected: "\(track.duration) frames", came: "\(frames)", .exactDuration)
            }
        }
        subject.destroy()
        if claims == 0 { throw .skip("the engine calls no duration exact") }
    }

    private static func capacity(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            let small = try subject.renderAll(of: material, capacity: Subject.smallest)
            for capacity in [Subject.smallest + 1, 100_003] {
                let other = try subject.renderAll(of: material, capacity: capacity)
                guard material.isAudio else { continue }
                try expect(
                    other.frames == small.frames, "render (\(material.name)), blocks with room for \(capacity) floats",
                    expected: "\(small.frames) frames, as in blocks with room for \(Subject.smallest)",
                    came: "\(other.frames)", .capacity)
            }
        }
        subject.destroy()
    }

    private static func repeatable(_ context: CaseContext) throws(Finding) {
        let module = try EngineUnderTest(context.engine, context.report)
        let first = try Subject(module, context.report)
        for material in try context.materials() {
            let straight = try first.renderAll(of: material)
            try compare(straight, try first.renderAll(of: material), material, "loaded again")
        }
        first.destroy()
        let second = try Subject(module, context.report)
        for material in try context.materials() {
            let one = try second.renderAll(of: material)
            second.unload()
            try compare(one, try second.renderAll(of: material), material, "in an engine that was created again")
        }
        second.destroy()
    }

    private static func compare(_ one: Rendering, _ other: Rendering, _ material: Material, _ when: String)
        throws(Finding)
    {
        let call = "render (\(material.name)), \(when)"
        // Speech may be a little longer if a voice continues from what it said last.
        let slack = material.isAudio ? 0 : one.frames / 50
        try expect(
            abs(one.frames - other.frames) <= slack, call, expected: "\(one.frames) frames, as before",
            came: "\(other.frames)", .blocks)
        guard material.isAudio else { return }
        for track in material.sources.indices {
            let (a, b) = (one.blocks(of: track).flatMap(\.samples), other.blocks(of: track).flatMap(\.samples))
            let difference = zip(a, b).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }
            try expect(
                difference == nil, call, expected: "the same samples in track \(track)",
                came: "another at float \(difference?.offset ?? 0)", .blocks)
        }
    }
}
