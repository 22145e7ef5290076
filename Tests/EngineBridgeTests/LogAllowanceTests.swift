// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EngineBridge

@Suite struct LogAllowanceTests {
    private static let second: UInt64 = 1_000_000_000

    @Test(arguments: [false, true]) func `200 lines pass in one second, and 200 in the next`(_ isPrinted: Bool) {
        var allowance = LogAllowance()
        var passed: [Int] = []
        for second in UInt64(5)...6 {
            var lines = 0
            for _ in 0..<300 where allowance.take(isPrinted: isPrinted, at: second * Self.second) { lines += 1 }
            passed.append(lines)
        }
        #expect(passed == [200, 200])
    }

    @Test func `a flood on standard error does not displace the engine's log`() {
        var allowance = LogAllowance()
        for _ in 0..<10_000 { _ = allowance.take(isPrinted: true, at: Self.second) }
        let passes = allowance.take(isPrinted: false, at: Self.second)
        #expect(passes)
    }
}
