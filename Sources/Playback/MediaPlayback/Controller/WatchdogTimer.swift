// SPDX-License-Identifier: Apache-2.0

/// The one timer that the machine asked for; a new one replaces it.
struct WatchdogTimer {
    private var task: Task<Void, Never>?

    mutating func start(_ task: Task<Void, Never>) {
        self.task?.cancel()
        self.task = task
    }

    mutating func stop() {
        task?.cancel()
        task = nil
    }
}
