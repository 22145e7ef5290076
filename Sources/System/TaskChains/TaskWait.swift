// SPDX-License-Identifier: Apache-2.0

extension Task where Success == Void, Failure == Never {
    /// Waits for the end of the task, at most for a time; the task goes on by itself.
    public func wait(atMost limit: Duration, clock: any Clock<Duration>) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task<Void, Never> {
            await value
            end.finish()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in ends {} }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
