// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases for seeking.
enum SeekCases {
    static let all = [
        ConformanceCase(
            "seek.accuracy", "after a seek the sound is that of a straight rendering, to the frame", accuracy),
        ConformanceCase("seek.words", "after a seek in a text the word is heard that holds the place", words),
        ConformanceCase("seek.beyond", "a place behind the end is the end", beyond),
        ConformanceCase("seek.back", "after the end a seek goes back, and the end comes again", back),
    ]

    private static func accuracy(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_AUDIO, "audio") {
            let straight = try subject.renderAll(of: material)
            // Go from the back to the front and across tracks, so that no seek goes to the engine's current position.
            for track in material.sources.indices.reversed() {
                let end = straight.blocks(of: track).last?.positionEnd ?? 0
                guard end > 0 else { continue }
                for position in Set([end - 1, end * 2 / 3 + 1, end / 2, 1023, 1, 0]).sorted(by: >) where position < end
                {
                    try compare(subject, material, straight, track: track, position: position)
                }
            }
        }
        subject.destroy()
    }

    /// Returns how much a sample may differ when a decoder starts in the middle: nothing for the kit's PCM.
    private static func tolerance(_ material: Material) -> Float { material.isOurs ? 0 : 0.002 }

    private static func compare(
        _ subject: Subject, _ material: Material, _ straight: Rendering, track: Int, position: Int64
    ) throws(Finding) {
        let call = "seek (track \(track), unit \(position)) in \(material.name), then render"
        try subject.seek(track: track, position: position)
        var samples: [Float] = []
        var channels = 1
        var next = position
        while samples.count < 4096 * channels {
            let block = try subject.nextBlock()
            if samples.isEmpty {
                try expect(
                    block.frames > 0 && block.track == track && block.position == position, call,
                    expected: "a block from unit \(position) of track \(track)",
                    came: block.frames > 0 ? block.place : "no frame", .seek)
            }
            guard block.track == track, block.position == next else { break }
            // An end may come as a block without frames, and then without channels.
            if block.frames > 0 { channels = block.channels }
            samples += block.samples
            next = block.positionEnd
            if block.isTrackEnd || block.isEnd { break }
        }
        let expected = straight.samples(of: track, from: position, frames: samples.count / channels)
        try expect(
            expected.count == samples.count, call,
            expected: "\(expected.count / channels) frames, as in a straight rendering",
            came: "\(samples.count / channels)", .seek)
        let wrong = zip(expected, samples).enumerated().first { abs($1.0 - $1.1) > tolerance(material) }
        let place = position + Int64((wrong?.offset ?? 0) / channels)
        try expect(
            wrong == nil, call,
            expected: "at unit \(place) the sample \(wrong?.element.0 ?? 0) of a straight rendering",
            came: "\(wrong?.element.1 ?? 0)", .seek)
    }

    private static func words(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_TEXT, "text") {
            guard material.isOurs else { throw .skip("the text is not the kit's: where its words begin is not known") }
            try subject.mustLoad(material)
            for word in Prose.words.reversed() {
                let start = Prose.start(of: word)
                for target in [start, start + 2] {
                    try subject.seek(track: 0, position: target)
                    let block = try subject.nextBlock()
                    let end = start + Int64(word.utf8.count)
                    try expect(
                        block.position == start && block.frames > 0, "seek (unit \(target)), then render",
                        expected: "a block from unit \(start), where “\(word)” begins that holds it (to \(end))",
                        came: block.place, .seek)
                }
            }
        }
        subject.destroy()
    }

    private static func beyond(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            let straight = try subject.renderAll(of: material)
            for track in material.sources.indices {
                let end = straight.blocks(of: track).last?.positionEnd ?? 0
                for position in [end, end + 1, end + 1_000_000, Int64.max / 2] {
                    try subject.seek(track: track, position: position)
                    let call = "seek (track \(track), unit \(position), \(position - end) behind the end), then render"
                    var block = try subject.render()
                    for _ in 0..<Rendering.emptyBlocks where block?.frames == 0 && block?.isTrackEnd == false {
                        block = try subject.render()
                    }
                    guard let block else { throw Subject.wasNotInterrupted }
                    let isNext = block.track == track + 1 && block.position == 0
                    let isEnd =
                        block.track == track && block.frames == 0 && block.isTrackEnd && block.positionEnd == end
                    // With a missing flag, a host would wait for the end for ever; with a false one, it would miss the
                    // next track.
                    let isLast = track == material.sources.count - 1
                    try expect(
                        !isEnd || block.isEnd == isLast, call,
                        expected: isLast ? "ROSTRUM_BLOCK_END, too" : "no ROSTRUM_BLOCK_END: another track comes",
                        came: isLast ? "ROSTRUM_BLOCK_TRACK_END alone" : "ROSTRUM_BLOCK_END", .end)
                    try expect(
                        isNext || isEnd, call, expected: "the end of the track, unit \(end)",
                        came: "\(block.frames) frames, \(block.place)", .seekBeyond)
                }
            }
        }
        subject.destroy()
    }

    private static func back(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            let straight = try subject.renderAll(of: material)
            for _ in 0..<2 {
                try subject.seek(track: 0, position: 0)
                let again = try subject.renderAll()
                let (first, second) = (straight.blocks.first, again.blocks.first)
                try expect(
                    first?.position == second?.position && first?.track == second?.track,
                    "seek (track 0, unit 0) after the end of \(material.name), then render",
                    expected: first?.place ?? "",
                    came: second?.place ?? "", .seek)
                try expect(
                    !material.isAudio || again.frames == straight.frames,
                    "seek (track 0, unit 0) after the end of \(material.name), then render to the end",
                    expected: "\(straight.frames) frames, as before", came: "\(again.frames)", .end)
            }
        }
        subject.destroy()
    }
}
