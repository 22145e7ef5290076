// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionProtocol
import Testing

@testable import EngineConformance

@Suite(.timeLimit(.minutes(3)))
struct RunBudgetTests {
    @Test func `a case has what it wants, and no more than is left`() {
        let budget = RunBudget(seconds: 30, now: 100)
        #expect(budget.deadline(wanted: 20, now: 100) == 20)
        #expect(budget.deadline(wanted: 20, now: 115) == 15)
        #expect(budget.deadline(wanted: 20, now: 130) == nil)
        #expect(budget.deadline(wanted: 20, now: 200) == nil)
    }

    @Test func `after a case that hung the others have little`() {
        var budget = RunBudget(seconds: 30, now: 0)
        budget.note(.failed)
        #expect(budget.deadline(wanted: 20, now: 1) == 20)
        budget.note(.hung)
        #expect(budget.deadline(wanted: 20, now: 21) == 3)
        #expect(budget.deadline(wanted: 1, now: 21) == 1)
        #expect(budget.deadline(wanted: 20, now: 28) == 2)
    }

    /// Whatever it does, each case has a result, and the run ends with a verdict.
    @Test(arguments: ["THIRD_OF_PACE", "HANG"])
    func `a run ends`(_ fault: String) throws {
        let engine = try ConformantModule(["-DFAULT=\(fault)"])
        defer { engine.remove() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ConformantModule.products + "/rostrumd")
        process.arguments = ["check-engine", engine.folder, "--total", "10"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var results: [EngineCheck.Result] = []
        for line in text.split(separator: "\n") {
            if case .result(let result) = try JSONDecoder().decode(EngineCheckLine.self, from: Data(line.utf8)) {
                results.append(result)
            }
        }
        #expect(results.map(\.name) == ConformanceCase.all.map(\.name))
        #expect(results.contains { $0.isFault }, "no verdict")
        #expect(results.last?.detail.hasPrefix("not run: the 10 s of a run are over") == true)
    }
}
