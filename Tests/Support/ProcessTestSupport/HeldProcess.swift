// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// A process that a tracer holds at its exit, like one that waits for a disk: no signal ends it.
public final class HeldProcess: Sendable {
    private let released = DispatchSemaphore(value: 0)

    /// Holds a process; `nil` if it cannot be traced.
    public init?(_ process: pid_t) {
        typealias Trace = @convention(c) (Int, Int, UnsafeRawPointer?, Int) -> Int
        guard let symbol = dlsym(nil, "ptrace") else { return nil }
        let trace = unsafeBitCast(symbol, to: Trace.self)
        let held = DispatchSemaphore(value: 0)
        let result = Mutex(-1)
        let released = released
        Thread.detachNewThread {
            // PTRACE_SEIZE with PTRACE_O_TRACEEXIT; the process continues when its tracer, this thread, ends.
            let code = trace(0x4206, Int(process), nil, 0x40)
            result.withLock { $0 = code }
            held.signal()
            if code == 0 { released.wait() }
        }
        held.wait()
        guard result.withLock({ $0 }) == 0 else { return nil }
    }

    public func release() { released.signal() }
}

/// Returns the children of this process whose names begin with `name`.
public func children(named name: String) throws -> [pid_t] {
    let path = "/proc/self/task/"
    var found: [pid_t] = []
    for task in try FileManager.default.contentsOfDirectory(atPath: path) {
        let text = (try? String(contentsOfFile: path + task + "/children", encoding: .utf8)) ?? ""
        found += text.split(separator: " ").compactMap { pid_t($0) }.filter { child in
            (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8))?.hasPrefix(name) == true
        }
    }
    return found
}
