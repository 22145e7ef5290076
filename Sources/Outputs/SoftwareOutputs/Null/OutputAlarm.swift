// SPDX-License-Identifier: Apache-2.0

/// The next time at which an output without a device does something by itself.
struct OutputAlarm {
    /// Sleeps until a time in nanoseconds.
    private let sleep: @Sendable (Int64) async throws -> Void
    private var task: Task<Void, Never>?
    private var due: Int64?

    init(sleep: @escaping @Sendable (Int64) async throws -> Void) { self.sleep = sleep }

    func isSet(to next: Int64?) -> Bool { due == next }

    /// Sets the alarm to another time; `nil` for none.
    ///
    /// - Parameter ring: Is called at that time, unless the alarm was set again before.
    mutating func set(_ next: Int64?, ring: @escaping @Sendable (Int64) async -> Void) {
        stop()
        due = next
        guard let next else { return }
        task = Task { [sleep] in
            guard (try? await sleep(next)) != nil else { return }
            await ring(next)
        }
    }

    mutating func stop() {
        task?.cancel()
        task = nil
        due = nil
    }

    /// Takes the alarm that rings; returns `false` if it is set to another time by now.
    mutating func take(_ rung: Int64) -> Bool {
        guard due == rung else { return false }
        due = nil
        return true
    }
}
