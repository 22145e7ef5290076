// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader

/// Cases for the order of create, load, unload and destroy.
enum LifecycleCases {
    static let all = [
        ConformanceCase("lifecycle.create", "create is cheap and asks for no content", create),
        ConformanceCase("lifecycle.destroy", "destroy frees everything, also when loaded", destroy),
        ConformanceCase("lifecycle.order", "what was unloaded can be loaded again, and begins at its start", order),
        ConformanceCase("lifecycle.replace", "a load drops what was loaded before", replace),
        ConformanceCase("lifecycle.start", "the first block comes from the place that load was given", start),
        ConformanceCase(
            "lifecycle.failure", "a load that fails says why in one line, and leaves nothing loaded", failure),
        ConformanceCase("lifecycle.state", "calls without content are refused", state),
    ]

    private static func create(_ context: CaseContext) throws(Finding) {
        let module = try EngineUnderTest(context.engine, context.report)
        for _ in 0..<3 {
            let began = monotonicSeconds()
            let subject = try Subject(module, context.report)
            let took = monotonicSeconds() - began
            try expect(took < 1, "create", expected: "at most 1 s", came: "\(format(took)) s", .create)
            try expect(subject.host.opened.isEmpty, "create", expected: "no call of open_source", came: "one", .create)
            try expect(
                subject.errorMessage().fault() == nil, "error_message after create", expected: "a text",
                came: "one \(subject.errorMessage().fault() ?? "")", .message)
            subject.destroy()
            try subject.host.checkUse()
        }
    }

    private static func destroy(_ context: CaseContext) throws(Finding) {
        let module = try EngineUnderTest(context.engine, context.report)
        for material in try context.materials() {
            let subject = try Subject(module, context.report)
            try subject.mustLoad(material)
            _ = try subject.nextBlock()
            subject.destroy()
            let left = subject.host.handed.intersection(ProcessState.openFiles()).count
            try expect(
                left == 0, "destroy, with \(material.name) loaded", expected: "every source closed",
                came: "\(left) still open", .destroy)
        }
    }

    private static func order(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            var places: [String] = []
            for _ in 0..<3 {
                try subject.mustLoad(material)
                places.append(try subject.nextBlock().place)
                subject.unload()
            }
            try expect(
                Set(places).count == 1, "load, render, unload, three times", expected: "the same first block each time",
                came: places.joined(separator: "; "), .load)
        }
        subject.destroy()
    }

    private static func replace(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            let first = try subject.nextBlock()
            let handed = subject.host.handed
            _ = try subject.nextBlock()
            try subject.mustLoad(material)
            // A file of the author's is the same file each time, so it cannot tell the loads apart.
            let left = material.isOurs ? handed.intersection(ProcessState.openFiles()).count : 0
            try expect(
                left == 0, "load, with \(material.name) loaded", expected: "the sources of the first load closed",
                came: "\(left) still open", .replace)
            let again = try subject.nextBlock()
            try expect(
                again.track == first.track && again.position == first.position, "render after a second load",
                expected: first.place, came: again.place, .load)
        }
        subject.destroy()
    }

    private static func start(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_AUDIO, "audio") {
            let straight = try subject.renderAll(of: material)
            for track in material.sources.indices {
                guard let last = straight.blocks(of: track).last(where: { $0.frames > 0 }) else { continue }
                for position in [0, 1, last.positionEnd / 3, last.positionEnd - 1] {
                    try subject.mustLoad(material, startTrack: track, start: position)
                    let block = try subject.nextBlock()
                    try expect(
                        block.track == track && block.position == position,
                        "render after load (from unit \(position) of track \(track))",
                        expected: "a block from there", came: block.place, .load)
                }
            }
        }
        subject.destroy()
    }

    /// Returns content that this engine must refuse, or may refuse.
    private static func refusable(_ context: CaseContext) throws(Finding) -> [Material] {
        let other = context.engine.plays(ROSTRUM_KIND_TEXT) ? Material.signal : Material.prose
        let wrongKind = context.engine.plays(other.kind) ? [] : [other]
        return try context.materials().map { $0.with(.missing) } + wrongKind
    }

    private static func failure(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        var failures = 0
        for material in try refusable(context) {
            let isMissing =
                !context.engine.plays(material.kind) ? "content of a kind that it does not play" : "no source"
            let result = subject.load(material)
            guard result != ROSTRUM_OK else {
                try expect(
                    context.engine.plays(material.kind), "load (\(isMissing))", expected: "a failure",
                    came: "ROSTRUM_OK", .loadFailure)
                subject.unload()
                continue
            }
            failures += 1
            try subject.checkFailure(result, "load (\(isMissing))")
            var media = rostrum_media()
            media.size = UInt32(MemoryLayout<rostrum_media>.size)
            let after = subject.call(.media) { subject.functions.media(subject.engine, &media) }
            try expect(
                after != ROSTRUM_OK, "media after a load that failed", expected: "ROSTRUM_ERROR_STATE",
                came: "ROSTRUM_OK", .loadFailure)
            // The engine must still work.
            for good in try context.materials() {
                try subject.mustLoad(good)
                _ = try subject.nextBlock()
                // Now fail with something loaded.
                let again = subject.load(material)
                try expect(
                    again != ROSTRUM_OK, "load (\(isMissing)), again", expected: "a failure", came: "ROSTRUM_OK",
                    .loadFailure)
                let left = good.isOurs ? subject.host.handed.intersection(ProcessState.openFiles()).count : 0
                try expect(
                    left == 0, "load (\(isMissing)), with \(good.name) loaded", expected: "nothing loaded any more",
                    came: "\(left) of its sources still open", .loadFailure)
            }
        }
        if failures == 0 { throw .skip("the engine opens no source and plays every kind: no load fails") }
        subject.destroy()
    }

    private static func state(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        var media = rostrum_media()
        media.size = UInt32(MemoryLayout<rostrum_media>.size)
        let result = subject.call(.media) { subject.functions.media(subject.engine, &media) }
        try expect(
            result != ROSTRUM_OK, "media with nothing loaded", expected: "ROSTRUM_ERROR_STATE", came: "ROSTRUM_OK",
            .state)
        try subject.checkFailure(result, "media with nothing loaded")
        for material in try context.materials() {
            try subject.mustLoad(material)
            subject.unload()
            let after = subject.call(.media) { subject.functions.media(subject.engine, &media) }
            try expect(
                after != ROSTRUM_OK, "media after unload", expected: "ROSTRUM_ERROR_STATE", came: "ROSTRUM_OK", .state)
        }
        subject.destroy()
    }
}
