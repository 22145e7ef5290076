// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader

/// Cases that interrupt a waiting call from another thread.
enum InterruptCases {
    static let all = [
        ConformanceCase(
            "interrupt.load", "a load that waits for its content ends soon, and the engine works on", deadline: 10, load
        ),
        ConformanceCase("interrupt.source", "a load whose source was interrupted says so", deadline: 10, source),
        ConformanceCase("interrupt.idle", "an interrupt that meets no call changes nothing", idle),
        ConformanceCase("interrupt.render", "interrupts while it renders cost no sound", rendering),
    ]

    /// The maximum time from the interrupt to the return, in seconds.
    private static let soon = 0.5

    private static func load(_ context: CaseContext) throws(Finding) {
        try interrupt(context, .silentPipe, "a pipe that never delivers")
    }

    private static func source(_ context: CaseContext) throws(Finding) {
        try interrupt(context, .waiting, "a host that was interrupted before it had the source")
    }

    private static func interrupt(_ context: CaseContext, _ source: Material.Source, _ name: String) throws(Finding) {
        let subject = try context.subject()
        var waited = 0
        for material in try context.materials() {
            let interrupter = try Interrupter.whenWaiting(subject)
            var call = "load (\(name))"
            var result = subject.load(material.with(source))
            var isLoaded = false
            if result == ROSTRUM_OK {
                // An engine that reads its source later also waits later.
                isLoaded = true
                call = "render (\(name))"
                result = try subject.render() == nil ? ROSTRUM_ERROR_INTERRUPTED : ROSTRUM_OK
            }
            guard let latency = interrupter.finish() else { continue }
            waited += 1
            try expect(
                result == ROSTRUM_ERROR_INTERRUPTED, "\(call), interrupted", expected: "ROSTRUM_ERROR_INTERRUPTED",
                came: "\(result), “\(subject.errorMessage().text)”", .interrupt)
            try expect(
                latency <= soon, "\(call), interrupted", expected: "a return within \(Int(soon * 1000)) ms",
                came: "one after \(Int(latency * 1000)) ms", .interrupt)
            if isLoaded { subject.unload() }
            subject.host.closePipes()
            let left = subject.host.handed.intersection(ProcessState.openFiles()).count
            try expect(
                left == 0, "\(call), interrupted", expected: "its source closed", came: "\(left) still open",
                .sourceOwner)
            try subject.mustLoad(material)
            let block = try subject.nextBlock()
            try expect(
                block.frames > 0, "\(call), interrupted, then load and render", expected: "sound", came: "the end",
                .interruptOnly)
        }
        subject.destroy()
        if waited == 0 { throw .skip("the engine does not wait for its source") }
    }

    private static func idle(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            let straight = try subject.renderAll(of: material)
            subject.unload()
            subject.functions.interrupt(subject.engine)
            try subject.mustLoad(material)
            var frames = 0
            while true {
                subject.functions.interrupt(subject.engine)
                guard let block = try subject.render() else {
                    throw .fault(
                        "interrupt with no call under way, then render", expected: "a block",
                        came: "ROSTRUM_ERROR_INTERRUPTED", .interruptOnly)
                }
                frames += block.frames
                if block.isEnd { break }
            }
            try expect(
                !material.isAudio || frames == straight.frames, "interrupt before every render, to the end",
                expected: "\(straight.frames) frames", came: "\(frames)", .interruptOnly)
        }
        subject.destroy()
    }

    private static func rendering(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            let straight = try subject.renderAll(of: material)
            let times = 50
            let interrupter = try Interrupter.often(subject, times: times)
            // Repeat as often as it takes, because an engine may be faster than the first interrupt.
            repeat {
                try renderUnderInterrupts(subject, material, straight, times)
            } while interrupter.times < times
            _ = interrupter.finish()
        }
        subject.destroy()
    }

    private static func renderUnderInterrupts(
        _ subject: Subject, _ material: Material, _ straight: Rendering, _ times: Int
    ) throws(Finding) {
        let call = "interrupt from another thread, while \(material.name) is rendered"
        // Each interrupt ends at most one call, or two if it falls between them.
        var ended = 0
        func check() throws(Finding) {
            ended += 1
            try expect(
                ended <= 2 * times, call, expected: "at most \(times) calls to end", came: "\(ended)", .interruptOnly)
        }
        var result = subject.load(material)
        while result == ROSTRUM_ERROR_INTERRUPTED {
            try check()
            result = subject.load(material)
        }
        try subject.mustBeOK(result, "load (\(material.name)), while another thread interrupts", .load)
        var again = Rendering()
        while again.blocks.last?.isEnd != true {
            if let block = try subject.render() { again.blocks.append(block) } else { try check() }
            guard again.blocks.count <= straight.blocks.count * 100 + 1000 else {
                throw .fault(call, expected: "the end", came: "\(again.blocks.count) blocks", .end)
            }
        }
        guard material.isAudio else { return }
        for track in material.sources.indices {
            let (one, other) = (straight.blocks(of: track), again.blocks(of: track))
            try expect(
                one.flatMap(\.samples) == other.flatMap(\.samples), call,
                expected: "the \(straight.frames(of: track)) frames of track \(track)",
                came: "\(again.frames(of: track)), or others", .interruptOnly)
        }
    }
}
