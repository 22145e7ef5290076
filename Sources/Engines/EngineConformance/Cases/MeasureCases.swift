// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases for `rostrum.measure/1`.
enum MeasureCases {
    static let all = [
        ConformanceCase("measure.exact", "what is measured is what is rendered", exact),
        ConformanceCase("measure.aside", "measuring does not move the place of rendering", aside),
    ]

    private static func measure(_ subject: Subject, _ track: Int) throws(Finding) -> Int64 {
        guard let table = try subject.find(ROSTRUM_MEASURE_EXTENSION, as: rostrum_measure.self) else {
            throw .skip("the engine has no \(ROSTRUM_MEASURE_EXTENSION)")
        }
        guard let function = table.pointee.measure else {
            throw .fault("get_extension (\(ROSTRUM_MEASURE_EXTENSION))", expected: "measure", came: "NULL", .functions)
        }
        var duration: Int64 = .min
        let result = subject.call(.measure) { function(subject.engine, UInt32(track), &duration) }
        try subject.mustBeOK(result, "measure (track \(track))", .measure)
        return duration
    }

    private static func exact(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            var measured: [Int64] = []
            for index in material.sources.indices { measured.append(try measure(subject, index)) }
            let rendering = try subject.renderAll()
            for (index, duration) in measured.enumerated() {
                let end = rendering.blocks(of: index).last?.positionEnd ?? 0
                try expect(
                    duration == end, "measure (track \(index) of \(material.name))",
                    expected: "\(end) units, as a rendering has", came: "\(duration)", .measure)
            }
        }
        subject.destroy()
    }

    private static func aside(_ context: CaseContext) throws(Finding) {
        try context.expectAside("measure", .measureAside) { (subject, track) throws(Finding) in
            _ = try measure(subject, track)
        }
    }
}
