// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import Clocks
import Glibc

/// The contract that every `OutputWait` must fulfil, whatever it sleeps in.
public enum WaitContract {
    public static func broken(by wait: any OutputWait) -> [String] {
        var broken: [String] = []
        func ends(_ name: String, _ hasWork: () -> Bool) {
            let deadline = MonotonicTime.now() + 30 * MonotonicTime.second
            wait.wait(until: deadline, unless: hasWork)
            if MonotonicTime.now() >= deadline { broken.append(name) }
        }
        wait.wake()
        ends("work that was there, and whose signal was there") { true }
        ends("work without a signal") { true }
        ends("a signal behind the look") {
            wait.wake()
            return false
        }
        var looks = 0
        let soon = MonotonicTime.now() + 20 * MonotonicTime.millisecond
        while MonotonicTime.now() < soon {
            wait.wait(until: soon) {
                looks += 1
                return false
            }
        }
        if looks == 0 { broken.append("it does not look") }
        if turnsWithoutPoll(of: wait) > 50 { broken.append("it spins where poll(2) fails") }
        return broken
    }

    /// Returns how often a wait of 100 ms returns while poll(2) refuses the number of file descriptors.
    private static func turnsWithoutPoll(of wait: any OutputWait) -> Int {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(files, &limit)
        defer { setrlimit(files, &limit) }
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        setrlimit(files, &none)
        var turns = 0
        let end = MonotonicTime.now() + 100 * MonotonicTime.millisecond
        while MonotonicTime.now() < end {
            wait.wait(until: end) { false }
            turns += 1
        }
        return turns
    }
}
