// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProcessTestSupport
import SessionProtocol
import Testing

@testable import EngineConformance

@Suite(.timeLimit(.minutes(3)))
struct RunBudgetTests {
    @Test func `a case gets the time that it wants, and no more than is left`() {
        let budget = RunBudget(seconds: 30, now: 100)
        #expect(budget.deadline(wanted: 20, now: 100) == 20)
        #expect(budget.deadline(wanted: 20, now: 115) == 15)
        #expect(budget.deadline(wanted: 20, now: 130) == nil)
        #expect(budget.deadline(wanted: 20, now: 200) == nil)
    }

    @Test func `after a case that hung, the others get little time`() {
        var budget = RunBudget(seconds: 30, now: 0)
        budget.note(.failed)
        #expect(budget.deadline(wanted: 20, now: 1) == 20)
        budget.note(.hung)
        #expect(budget.deadline(wanted: 20, now: 21) == 3)
        #expect(budget.deadline(wanted: 1, now: 21) == 1)
        #expect(budget.deadline(wanted: 20, now: 28) == 2)
    }

    @Test func `a run has 30 s by default`() throws {
        let began = monotonicSeconds()
        let budget = ConformanceRun.budget()
        let left = try #require(budget.deadline(wanted: 1000, now: began))
        #expect(left >= 30 && left <= 30 + monotonicSeconds() - began)
    }

    private func results(of engine: ConformantModule, seconds: Int) throws -> [EngineCheck.Result] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ConformantModule.products + "/rostrumd")
        process.arguments = ["check-engine", engine.folder, "--total", "\(seconds)"]
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
        return results
    }

    /// Whatever the engine does, each case has a result, and the run ends with a verdict.
    @Test func `a run ends with a verdict`() async throws {
        // At the same time: each uses up its seconds, and one of them waits only.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fault in ["THIRD_OF_PACE", "HANG"] { group.addTask { try checkVerdict(fault) } }
            try await group.waitForAll()
        }
    }

    private func checkVerdict(_ fault: String) throws {
        let engine = try ConformantModule(["-DFAULT=\(fault)"])
        defer { engine.remove() }
        let results = try results(of: engine, seconds: 10)
        #expect(results.contains { $0.isFault && $0.notRun == nil }, "\(fault): no verdict")
        #expect(results.last?.detail.hasPrefix("not run: the 10 s of a run are over") == true, "\(fault)")
    }

    @Test func `a case does not wait for a process that does not end when killed`() async throws {
        let engine = try ConformantModule(["-DFAULT=HANG"])
        defer { engine.remove() }
        let running = Task.detached { try engine.run("render.positions", deadline: 2) }
        var found = try children(named: "rostrum-engine")
        while found.isEmpty {
            try await Task.sleep(for: .milliseconds(2))
            found = try children(named: "rostrum-engine")
        }
        let held = try #require(HeldProcess(found[0]))
        #expect(try await running.value?.outcome == .hung)
        held.release()
        #expect(waitpid(found[0], nil, 0) == found[0])
    }

    @Test func `an engine does not pass if not every case was run`() throws {
        let engine = try ConformantModule()
        defer { engine.remove() }
        let results = try results(of: engine, seconds: 1)
        let open = results.filter { $0.notRun == true }
        #expect(!open.isEmpty && open.allSatisfy { $0.isFault && $0.result == "hung" })
        let check = EngineCheck(engine: "conformant", results: results)
        #expect(check.failure?.code == .checkFailed)
        #expect(check.failure?.message.contains("\(open.count) ") == true)
    }
}
