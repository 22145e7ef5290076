// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases with defective content, which an engine must refuse or render to an end.
enum ContentCases {
    static let all = [
        ConformanceCase("content.bad", "broken content fails or ends, and costs the engine nothing", deadline: 40, bad),
        ConformanceCase("content.pipe", "content that cannot be sought plays, or is refused", pipe),
        ConformanceCase("content.missing", "a track that the host has no source for fails or is left out", missing),
    ]

    /// Loads and renders the material; whatever fails must fail as the contract says.
    private static func play(_ subject: Subject, _ material: Material, _ name: String) throws(Finding) -> Rendering? {
        let result = subject.load(material)
        guard result == ROSTRUM_OK else {
            try subject.checkFailure(result, "load (\(name))")
            return nil
        }
        var rendering = Rendering()
        var (frames, empty) = (0, 0)
        while rendering.blocks.last?.isEnd != true {
            let block: RenderedBlock?
            do throws(Finding) {
                block = try subject.render()
            } catch {
                // A position that cannot be decoded may be the end, but anything that memory safety depends on must be
                // right.
                if error.detail.hasPrefix("render: expected ROSTRUM_OK") { break }
                throw error
            }
            guard let block else { throw Subject.wasNotInterrupted }
            frames += block.frames
            empty = block.frames == 0 ? empty + 1 : 0
            try expect(
                empty < Rendering.emptyBlocks && frames < Rendering.longest, "render (\(name))",
                expected: "an end, or a failure", came: "\(frames) frames, and \(empty) blocks with nothing in them",
                .end)
            let isFinite = block.samples.allSatisfy(\.isFinite)
            try expect(isFinite, "render (\(name)), \(block.place)", expected: "numbers", came: "others", .blocks)
            rendering.blocks.append(block)
        }
        subject.unload()
        return rendering
    }

    private static func closed(_ subject: Subject, _ name: String) throws(Finding) {
        let left = subject.host.handed.intersection(ProcessState.openFiles()).count
        try expect(
            left == 0, "load (\(name)), then unload", expected: "its source closed", came: "\(left) still open",
            .sourceOwner)
    }

    private static func bad(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials() {
            for (name, broken) in BadContent.all(of: material) {
                _ = try play(subject, broken, name)
                try closed(subject, name)
                try subject.mustLoad(material)
                let block = try subject.nextBlock()
                try expect(
                    block.frames > 0, "load (\(name)), then load (\(material.name)) and render", expected: "sound",
                    came: "the end", .loadFailure)
                subject.unload()
            }
        }
        try subject.host.checkUse()
        subject.destroy()
    }

    private static func pipe(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        var played = 0
        for material in try context.materials() where material.isOurs {
            var piped = material
            piped.sources = material.sources.map { source in
                if case .bytes(let bytes) = source { .pipe(bytes) } else { source }
            }
            let straight = try subject.renderAll(of: material)
            let rendering = try play(subject, piped, "\(material.name) through a pipe")
            try closed(subject, "\(material.name) through a pipe")
            guard let rendering else { continue }
            played += 1
            try expect(
                !material.isAudio || rendering.frames == straight.frames, "render (\(material.name) through a pipe)",
                expected: "\(straight.frames) frames, as from a file", came: "\(rendering.frames)", .pipe)
        }
        subject.destroy()
        if played == 0 { throw .skip("the engine refuses pipes, or the content is not the kit's") }
    }

    private static func missing(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials() {
            for index in material.sources.indices {
                var holed = material
                holed.sources[index] = .missing
                let name = "\(material.name), without a source for track \(index)"
                _ = try play(subject, holed, name)
                try closed(subject, name)
            }
        }
        subject.destroy()
    }
}
