// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct UnreachableOutputTests {
    private static let millisecond: Int64 = 1_000_000
    private let error = OutputError(.timeout, source: "test", message: "no answer")

    /// The duration of an attempt and the time until the next one, in milliseconds.
    @Test(
        arguments: [
            (5_000, 0, true), (5_000, 999, true), (5_000, 1_000, false), (500, 0, true), (499, 0, false), (0, 0, false),
        ] as [(Int64, Int64, Bool)])
    func `an attempt just after one that took long fails like it`(_ took: Int64, _ later: Int64, _ fails: Bool) {
        var unreachable = UnreachableOutput()
        unreachable.note(error, from: 7, to: 7 + took * Self.millisecond)
        let next = 7 + (took + later) * Self.millisecond
        if fails {
            #expect(throws: error) { try unreachable.check(at: next) }
        } else {
            #expect(throws: Never.self) { try unreachable.check(at: next) }
        }
    }

    @Test func `a failure holds for one second, however often it is asked for`() {
        var unreachable = UnreachableOutput()
        unreachable.note(error, from: 0, to: 600 * Self.millisecond)
        for later in [0, 500, 999] as [Int64] {
            #expect(throws: error) { try unreachable.check(at: (600 + later) * Self.millisecond) }
        }
        #expect(throws: Never.self) { try unreachable.check(at: 1_600 * Self.millisecond) }
    }

    @Test func `another output is tried at once`() {
        var unreachable = UnreachableOutput()
        unreachable.note(error, from: 0, to: 600 * Self.millisecond)
        unreachable.forget()
        #expect(throws: Never.self) { try unreachable.check(at: 600 * Self.millisecond) }
    }
}
