// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `Open files of a session` {
    @Test func `are as many as the system allows`() async throws {
        let session = try RunningSession()
        let limits = try String(contentsOfFile: "/proc/\(session.processID)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
        try #require(numbers.count == 2)
        #expect(numbers[0] == min(numbers[1], 65_536), "\(line)")
    }
}
