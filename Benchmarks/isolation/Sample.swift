// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Repeated measurements of one quantity.
struct Sample {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    /// Returns a quantile: 0 is the least, 1 the greatest value.
    func quantile(_ part: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    var median: Double { quantile(0.5) }
}

/// The same quantity for both ways to host an engine.
struct Comparison {
    enum Unit { case milliseconds, secondsAnHour }

    var name: String
    var unit: Unit
    var inProcess = Sample()
    var isolated = Sample()
    /// `true` if the requirement applies to it.
    var isJudged = true

    init(_ name: String, _ unit: Unit, isJudged: Bool = true) {
        self.name = name
        self.unit = unit
        self.isJudged = isJudged
    }

    mutating func add(_ value: Double, _ hosting: Hosting) {
        switch hosting {
        case .inProcess: inProcess.add(value)
        case .isolated: isolated.add(value)
        }
    }

    /// The cost of isolation: milliseconds, or a fraction of the processor time.
    var added: Double {
        switch unit {
        case .milliseconds: isolated.median - inProcess.median
        case .secondsAnHour: isolated.median / inProcess.median - 1
        }
    }

    /// `true` if the cost is at most 2 ms, or 5 %.
    var isKept: Bool { added <= (unit == .milliseconds ? 2 : 0.05) }

    var row: String {
        func cell(_ sample: Sample) -> String {
            let ends = unit == .milliseconds ? (0.05, 0.95) : (0, 1)
            return String(format: "%.2f (%.2f–%.2f)", sample.median, sample.quantile(ends.0), sample.quantile(ends.1))
        }
        let difference =
            unit == .milliseconds ? String(format: "%+.2f ms", added) : String(format: "%+.1f %%", added * 100)
        let verdict = isJudged ? (isKept ? "kept" : "EXCEEDED") : "–"
        return
            "| \(name) | \(isolated.values.count) | \(cell(inProcess)) | \(cell(isolated)) | \(difference) | \(verdict) |"
    }
}
