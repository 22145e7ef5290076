// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The processor time of this process and of those that it started, to the nanosecond.
struct ProcessorTime {
    /// The clocks of this process and of the children that live now; a child that has ended no longer counts.
    private let clocks: [clockid_t]

    init() {
        clocks =
            [CLOCK_PROCESS_CPUTIME_ID]
            + Self.children().compactMap { child in
                var clock = clockid_t()
                return clock_getcpuclockid(child, &clock) == 0 ? clock : nil
            }
    }

    var children: Int { clocks.count - 1 }

    /// The seconds used so far, of all processes together.
    var seconds: Double {
        clocks.reduce(0) { sum, clock in
            var time = timespec()
            clock_gettime(clock, &time)
            return sum + Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    private static func children() -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.flatMap { task in
            ((try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? "")
                .split { $0.isWhitespace }.compactMap { pid_t($0) }
        }
    }
}
