// SPDX-License-Identifier: Apache-2.0

public import AudioSession

/// What every `OutputWait` must do, whatever it sleeps in.
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
        return broken
    }
}
