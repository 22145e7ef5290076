// SPDX-License-Identifier: Apache-2.0

import CMutexAnnotations
import Dispatch
import Synchronization
import Testing

@Suite struct `A contended mutex` {
    /// Under the thread sanitizer it ends the run if the waits for a lock are not announced.
    @Test func `is no race`() {
        let count = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<20_000 {
                count.withLock { count in
                    for _ in 0..<50 { count += 1 }
                }
            }
        }
        #expect(count.withLock { $0 } == 4_000_000)
    }
}
