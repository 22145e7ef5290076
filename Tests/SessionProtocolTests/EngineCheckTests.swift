// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

@Suite struct EngineCheckTests {
    private func check(_ results: [(String, Bool?)]) -> EngineCheck {
        EngineCheck(
            engine: "mine",
            results: results.map { EngineCheck.Result(name: "a.case", result: $0.0, detail: "", notRun: $0.1) })
    }

    @Test func `cases that passed or were skipped are no faults`() {
        let check = check([("passed", nil), ("skipped", nil), ("passed", nil)])
        #expect(check.failure == nil)
        #expect(check.summary == "mine: 2 passed, 1 skipped")
    }

    @Test func `each case that failed, crashed or hung is a fault`() {
        let check = check([("passed", nil), ("failed", nil), ("crashed", nil), ("hung", nil)])
        #expect(
            check.failure == SessionError(.checkFailed, "mine fails 3 of 4 cases; each says what it broke"))
        #expect(check.summary == "mine: 1 passed, 1 failed, 1 crashed, 1 hung")
    }

    @Test func `a case that was not run is a fault and is counted separately`() {
        let open = check([("passed", nil), ("hung", true), ("hung", true)])
        #expect(open.results.map(\.isFault) == [false, true, true])
        #expect(open.summary == "mine: 1 passed, 2 not run")
        #expect(
            open.failure
                == SessionError(
                    .checkFailed, "2 of 3 cases of mine were not run; give more time with --deadline"))
        let both = check([("failed", nil), ("hung", true)])
        #expect(both.summary == "mine: 0 passed, 1 failed, 1 not run")
        #expect(
            both.failure?.message.hasPrefix("mine fails 1 of 2 cases, each says what it broke; 1 was not run") == true)
    }
}
