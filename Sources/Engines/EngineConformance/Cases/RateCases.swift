// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader

/// Cases for `rostrum.rate/1`.
enum RateCases {
    static let all = [
        ConformanceCase("extension.unknown", "an extension that nobody knows is NULL", unknown),
        ConformanceCase("rate.range", "the range of rates is one, and its ends are taken", range),
        ConformanceCase("rate.pace", "twice the rate is half the sound, over the same positions", pace),
    ]

    private static func unknown(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for id in ["", "rostrum.rate", "rostrum.rate/4711", "rostrum.nothing/1"] {
            let found = subject.call(.getExtension) { subject.functions.getExtension(subject.engine, id) }
            try expect(found == nil, "get_extension (“\(id)”)", expected: "NULL", came: "a pointer", .extensions)
        }
        subject.destroy()
    }

    private static func extensionOf(_ subject: Subject) throws(Finding) -> rostrum_rate {
        guard let rate = try subject.find(ROSTRUM_RATE_EXTENSION, as: rostrum_rate.self) else {
            throw .skip("the engine has no \(ROSTRUM_RATE_EXTENSION)")
        }
        try expect(
            rate.pointee.set_rate != nil, "get_extension (\(ROSTRUM_RATE_EXTENSION))", expected: "set_rate",
            came: "NULL",
            .functions)
        return rate.pointee
    }

    private static func set(_ rate: Double, _ subject: Subject, _ table: rostrum_rate) throws(Finding) {
        guard let function = table.set_rate else { return }
        try subject.mustBeOK(
            subject.call(.setRate) { function(subject.engine, rate) }, "set_rate (\(rate))", .rateRange)
    }

    private static func range(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        let table = try extensionOf(subject)
        let (low, high) = (table.minimum, table.maximum)
        try expect(
            low.isFinite && high.isFinite && low > 0 && low <= high && low <= 1 && high >= 1,
            "get_extension (\(ROSTRUM_RATE_EXTENSION))", expected: "a range of rates with 1.0 in it",
            came: "\(low) to \(high)", .rateRange)
        // Set the rate without content, with content, and while it is rendered.
        for rate in [low, high, 1] { try set(rate, subject, table) }
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material, rate: high)
            for rate in [low, high, 1] {
                try set(rate, subject, table)
                _ = try subject.nextBlock()
            }
        }
        subject.destroy()
    }

    private static func pace(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        let table = try extensionOf(subject)
        for material in try context.materials(
            of: ROSTRUM_KIND_TEXT, "text: audio has one frame for each unit at any rate")
        {
            let normal = try subject.renderAll(of: material)
            for rate in Set([max(0.5, table.minimum), min(2, table.maximum)]) where rate != 1 {
                try subject.mustLoad(material)
                try set(rate, subject, table)
                try check(try subject.renderAll(), normal, rate, "set_rate (\(rate)), then render", material)
                try set(1, subject, table)
                try subject.mustLoad(material, rate: rate)
                try check(try subject.renderAll(), normal, rate, "load (rate \(rate)), then render", material)
            }
        }
        subject.destroy()
    }

    /// The relative difference that a sound's length may have from what its rate implies, because pauses and short
    /// words scale differently.
    private static let tolerance = 0.2

    private static func check(
        _ rendering: Rendering, _ normal: Rendering, _ rate: Double, _ call: String, _ material: Material
    ) throws(Finding) {
        let (frames, expected) = (Double(rendering.frames), Double(normal.frames) / rate)
        try expect(
            abs(frames - expected) <= expected * tolerance, call,
            expected: "about \(Int(expected)) frames, where rate 1.0 has \(normal.frames)", came: "\(rendering.frames)",
            .rate)
        let (end, normalEnd) = (rendering.blocks.last?.positionEnd ?? 0, normal.blocks.last?.positionEnd ?? 0)
        try expect(
            end == normalEnd, call, expected: "the end at unit \(normalEnd), as at rate 1.0", came: "unit \(end)",
            .textUnits)
    }
}
